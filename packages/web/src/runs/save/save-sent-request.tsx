// Creates a saved request from a request that a block sent.

import { BookmarkPlus } from "lucide-react"
import { useEffect, useState } from "react"
import { isJsonObject, parseJson, type JsonObject, type RequestView, ownOf } from "@callsheet/format"
import { readOperation } from "../../forms/completion/known-sources.ts"
import { call } from "../../connection/call.ts"
import { ChoiceField } from "../../ui/form-fields.tsx"
import { ToolButton } from "../../ui/toolbar.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { NameDialog } from "./name-dialog.tsx"
import { nameForOperation, targetOf } from "../../forms/request/operation-request.ts"
import { createRequest, requestFileName } from "../../forms/request/request-files.ts"
import { savedOfSent } from "./sent-request.ts"
import type { SentSource } from "./sent-source.ts"
import { useProject } from "../../connection/queries.ts"

interface Props {
  readonly sent: RequestView
  /** The block's `request`. Undefined if the workflow no longer contains the block. */
  readonly block: JsonObject | undefined
}

export function SaveSentRequest(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data: project } = useProject()
  if (project === undefined || project.apis.length === 0) return null
  return (
    <>
      <ToolButton
        label="Save as request…"
        icon={<BookmarkPlus aria-hidden="true" />}
        does={() => setOpen(true)}
      />
      {isOpen ? <ChooseName {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface KnownSource extends SentSource {
  readonly resource: string | undefined
}

function ChooseName({ sent, block, onClose }: Props & { readonly onClose: () => void }) {
  const { data: project } = useProject()
  const apis = project?.apis ?? []
  const own = textIn(block, "api")
  const [chosen, setChosen] = useState(apis.find(({ name }) => name === own)?.name ?? apis[0]?.name ?? "")
  const source = useSource(own, block)
  if (source === undefined) return null
  // The block's names are valid only in its own API.
  const { text, notes } = savedOfSent(sent, chosen === own ? source : {})
  const taken = apis.find(({ name }) => name === chosen)?.requests ?? []
  const operation = source.operation?.name ?? textIn(block, "instance") ?? `${sent.method} request`
  return (
    <NameDialog
      title="Save as request"
      does="Create"
      first={nameForOperation({ operation, resource: source.resource }, taken)}
      taken={taken}
      note={
        <>
          {notes.map((words) => (
            <span key={words} className="sent-note">
              <ShownText text={words} />
            </span>
          ))}
        </>
      }
      onDo={(name) => createRequest(chosen, name, text)}
      onClose={onClose}
    >
      <ChoiceField
        label="API"
        value={chosen}
        options={apis.map(({ name }) => ({ value: name, label: visibleText(name) }))}
        onChange={setChosen}
      />
    </NameDialog>
  )
}

/** Reads the block and its saved request. Undefined while loading. */
function useSource(api: string | undefined, block: JsonObject | undefined): KnownSource | undefined {
  const [source, setSource] = useState<KnownSource>()
  useEffect(() => {
    let isWanted = true
    void readSource(api, block).then((read) => {
      if (isWanted) setSource(read)
    })
    return () => {
      isWanted = false
    }
  }, [api, block])
  return source
}

async function readSource(api: string | undefined, block: JsonObject | undefined): Promise<KnownSource> {
  const resource = textIn(block, "resource")
  if (api === undefined || block === undefined) return { resource }
  const name = textIn(block, "instance")
  const instance =
    name === undefined || resource === undefined ? undefined : await readInstance(api, resource, name)
  const target = textIn(block, "operation") ?? (instance === undefined ? undefined : targetOf(instance))
  const operation = target === undefined ? undefined : await readOperation(api, target, resource)
  const overrides = block["overrides"]
  return {
    resource,
    instance,
    operation: operation === undefined ? undefined : { ...operation, name: target ?? operation.name },
    overrides: overrides !== undefined && isJsonObject(overrides) ? overrides : undefined,
  }
}

async function readInstance(api: string, resource: string, request: string): Promise<JsonObject | undefined> {
  try {
    const { text } = await call("files.read", { file: requestFileName(api, { resource, request }) })
    const parsed = parseJson(text)
    return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
  } catch {
    return undefined
  }
}

function textIn(block: JsonObject | undefined, field: string): string | undefined {
  const text = ownOf(block, field)
  return typeof text === "string" && text !== "" && !text.includes("{{") ? text : undefined
}
