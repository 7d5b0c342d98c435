// Dialogs that create, rename and delete an environment.

import { useState } from "react"
import type { EnvironmentColumn, EnvironmentsView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { goTo } from "../routes/use-route.ts"
import { visibleText } from "../ui/visible-text.ts"
import { announce } from "../ui/announcement.tsx"
import { ExtendsField, LevelField, NameField, checkName, type LevelChoice } from "./environment-fields.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { needName } from "../ui/need-name.ts"
import { useSubmit } from "../ui/use-submit.ts"
import { childrenOf } from "./table-model.ts"
import { readEnvironmentsAgain } from "./use-environments.ts"

interface Props {
  readonly view: EnvironmentsView
  readonly onClose: () => void
}

interface OfEnvironment extends Props {
  readonly environment: EnvironmentColumn
}

export function NewEnvironmentDialog({ view, onClose }: Props) {
  const submit = useSubmit()
  const [name, setName] = useState("")
  const [parent, setParent] = useState("")
  const [level, setLevel] = useState<LevelChoice>("")
  const create = async (): Promise<void> => {
    needName(name)
    const { api } = view
    await call("environments.create", {
      api,
      environment: name,
      extends: parent === "" ? null : parent,
      level: level === "" ? null : level,
    })
    await readEnvironmentsAgain(api)
    announce(`Created ${visibleText(name)}`)
    onClose()
    goTo({ kind: "environment", api, environment: name })
  }
  return (
    <FormDialog
      title="New environment"
      submit={submit}
      does="Create"
      onSubmit={() => {
        if (checkName(view, name) === undefined) submit.run(create)
      }}
      onClose={onClose}
    >
      <NameField view={view} value={name} onChange={setName} />
      <ExtendsField view={view} value={parent} onChange={setParent} />
      <LevelField value={level} onChange={setLevel} />
    </FormDialog>
  )
}

export function RenameEnvironmentDialog({ view, environment, onClose }: OfEnvironment) {
  const submit = useSubmit()
  const [name, setName] = useState(environment.name)
  const { api } = view
  const children = childrenOf(view, environment.name)
  const rename = async (): Promise<void> => {
    needName(name, environment.name)
    await readingAgainOn409(api, () =>
      call("environments.rename", { api, environment: environment.name, etag: environment.etag, to: name }),
    )
    await readEnvironmentsAgain(api)
    announce(`Renamed ${visibleText(environment.name)} to ${visibleText(name)}`)
    onClose()
    goTo({ kind: "environment", api, environment: name })
  }
  return (
    <FormDialog
      title={`Rename ${visibleText(environment.name)}`}
      submit={submit}
      does="Rename"
      onSubmit={() => {
        if (checkName(view, name, environment.name) === undefined) submit.run(rename)
      }}
      onClose={onClose}
    >
      <NameField view={view} value={name} own={environment.name} onChange={setName} />
      <p className="field-note">
        Its value file and its secrets file are renamed
        {children.length === 0 ? "." : `, and ${listOf(children)} will extend the new name.`}
      </p>
    </FormDialog>
  )
}

export function DeleteEnvironmentDialog({ view, environment, onClose }: OfEnvironment) {
  const submit = useSubmit()
  const { api } = view
  const { name, etag } = environment
  const children = childrenOf(view, name)
  const remove = async (): Promise<void> => {
    await readingAgainOn409(api, () => call("environments.delete", { api, environment: name, etag }))
    onClose()
    goTo({ kind: "environments", api })
    await readEnvironmentsAgain(api)
    announce(`Deleted ${visibleText(name)}`)
  }
  const isUsed = children.length > 0
  return (
    <FormDialog
      title={`Delete ${visibleText(name)}?`}
      submit={submit}
      does={isUsed ? undefined : "Delete"}
      isDanger={!isUsed}
      onSubmit={() => {
        if (!isUsed) submit.run(remove)
      }}
      onClose={onClose}
    >
      {isUsed ? (
        <p>
          You can't delete it, because {listOf(children)} {children.length === 1 ? "extends" : "extend"} it.
          Change what {children.length === 1 ? "it extends" : "they extend"} in Settings first.
        </p>
      ) : (
        <p>
          This deletes its value file and its secrets file. The secrets are not in version control and can't
          be restored.
        </p>
      )}
    </FormDialog>
  )
}

const longestList = 10

/** Formats names as `base and local`. Shortens long lists. */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, longestList).map((name) => `"${visibleText(name)}"`)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(", ")} and ${more} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`
}

/** After a conflict, reads the new state, so that the user sees it and can try again. */
async function readingAgainOn409(api: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (error instanceof Refused && error.status === 409) await readEnvironmentsAgain(api)
    throw error
  }
}
