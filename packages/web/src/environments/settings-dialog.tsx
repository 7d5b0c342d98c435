// The settings of an environment: parent, level, and TLS verification.

import { useState } from "react"
import type { EnvironmentColumn, EnvironmentsView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { visibleText } from "../ui/visible-text.ts"
import { announce } from "../ui/announcement.tsx"
import { FormDialog } from "../files/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import {
  ExtendsField,
  LevelField,
  VerifyField,
  type LevelChoice,
  type VerifyChoice,
} from "./environment-dialogs.tsx"
import { knownEnvironments, readEnvironmentsAgain } from "./use-environments.ts"

interface Props {
  readonly view: EnvironmentsView
  readonly environment: EnvironmentColumn
  readonly onClose: () => void
}

interface Settings {
  readonly parent: string
  readonly level: LevelChoice
  readonly verify: VerifyChoice
}

const settingsOf = ({ extends: parent = "", level, tls }: EnvironmentColumn): Settings => ({
  parent,
  level: level ?? "",
  verify: tls?.verify === undefined ? "" : tls.verify ? "true" : "false",
})

const isSame = (one: Settings, other: Settings): boolean =>
  one.parent === other.parent && one.level === other.level && one.verify === other.verify

export function SettingsDialog({ view, environment, onClose }: Props) {
  const submit = useSubmit()
  /** The settings that the user saw last. */
  const [base, setBase] = useState(environment)
  const [settings, setSettings] = useState(() => settingsOf(environment))
  const [theirs, setTheirs] = useState<EnvironmentColumn>()
  const { api } = view
  const { name } = environment
  const save = async (): Promise<void> => {
    const now = await saveSettings({ api, environment: base, settings })
    if (now !== undefined) {
      setTheirs(now)
      // The next save overwrites these settings, which the user now sees.
      setBase(now)
      return
    }
    await readEnvironmentsAgain(api)
    announce(`Saved the settings of ${visibleText(name)}`)
    onClose()
  }
  return (
    <FormDialog
      title={`Settings of ${visibleText(name)}`}
      submit={submit}
      does={theirs === undefined ? "Save" : "Save mine"}
      onSubmit={() => {
        if (theirs === undefined && isSame(settings, settingsOf(base))) onClose()
        else submit.run(save)
      }}
      onClose={onClose}
      actions={
        theirs === undefined ? null : (
          <button
            type="button"
            className="button"
            onClick={() => {
              setSettings(settingsOf(theirs))
              setTheirs(undefined)
            }}
          >
            Take theirs
          </button>
        )
      }
    >
      {theirs === undefined ? null : <Theirs settings={settingsOf(theirs)} />}
      <ExtendsField
        view={view}
        environment={name}
        value={settings.parent}
        onChange={(parent) => setSettings({ ...settings, parent })}
      />
      <LevelField value={settings.level} onChange={(level) => setSettings({ ...settings, level })} />
      <VerifyField value={settings.verify} onChange={(verify) => setSettings({ ...settings, verify })} />
    </FormDialog>
  )
}

interface Save {
  readonly api: string
  readonly environment: EnvironmentColumn
  readonly settings: Settings
}

/** Saves the settings. If they have changed elsewhere, writes nothing and returns the current ones. */
async function saveSettings({ api, environment, settings }: Save): Promise<EnvironmentColumn | undefined> {
  const { name, etag } = environment
  const { parent, level, verify } = settings
  try {
    await call("environments.settings", {
      api,
      environment: name,
      etag,
      extends: parent === "" ? null : parent,
      level: level === "" ? null : level,
      verify: verify === "" ? null : verify === "true",
    })
    return undefined
  } catch (error) {
    if (!(error instanceof Refused && error.status === 409)) throw error
    await readEnvironmentsAgain(api)
    const now = knownEnvironments(api)?.environments.find((column) => column.name === name)
    if (now === undefined) throw error
    return now
  }
}

function Theirs({ settings: { parent, level, verify } }: { readonly settings: Settings }) {
  const facts = [
    parent === "" ? "extends nothing" : `extends ${visibleText(parent)}`,
    level === "" ? "no level" : `level ${level}`,
    verify === "" ? "TLS not set" : verify === "true" ? "certificates verified" : "certificates not verified",
  ]
  return (
    <p role="alert" className="env-alarm">
      The file changed. It now says: {facts.join(", ")}. Your choices are below.
    </p>
  )
}
