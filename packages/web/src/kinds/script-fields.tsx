// Chooses the script function that a block calls, or creates a new script for it.

import { useState } from "react"
import { isJsonObject, shapeOfKind, valueAt, type JsonObject, type JsonValue } from "@callsheet/format"
import type { ScriptContextName, ScriptView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { checkScriptName, NewScriptDialog } from "../scripts/script-dialogs.tsx"
import { useScripts } from "../scripts/use-scripts.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { valueOf } from "./block-edits.ts"
import { freeName } from "@callsheet/language"
import { useForm } from "../forms/context/form-context.tsx"
import type { AskedValues } from "../forms/live-input.tsx"
import { ShapeField } from "../forms/shape-field.tsx"
import { TextField } from "../forms/text-field.tsx"

interface Props {
  readonly script: JsonValue | undefined
  readonly context: ScriptContextName
}

export function ScriptFields(props: Props) {
  const { file } = useForm()
  // A saved request can't call scripts.
  return file.kind === "workflow" ? <Fields {...props} workflow={file.workflow} /> : null
}

function Fields({ script, context, workflow }: Props & { readonly workflow: string }) {
  const { data } = useScripts(workflow)
  const { name, exportName } = isJsonObject(script) ? script : {}
  const known = data?.scripts.find((one) => one.script === name)
  // The known scripts may be outdated, because reading them again can take a while on a busy machine.
  const scriptValues = (choose: (scripts: readonly ScriptView[]) => readonly string[]): AskedValues => ({
    known: choose(data?.scripts ?? []),
    ask: async () => choose(await readScripts(workflow)),
  })
  return (
    <>
      <TextField
        label="Script"
        pointer={["script", "name"]}
        value={name}
        reads="text"
        placeholder="Choose or create a script"
        values={scriptValues((scripts) => scripts.map((one) => one.script))}
        note={
          known !== undefined ? (
            <RouteLink to={{ kind: "script", workflow, script: known.script }}>
              Open <ShownText text={`${known.script}.ts`} />
            </RouteLink>
          ) : data === undefined || data.isReadOnly ? undefined : (
            <NewScript workflow={workflow} context={context} scripts={data.scripts} />
          )
        }
        isRequired
      />
      <TextField
        label="Function"
        pointer={["script", "exportName"]}
        value={exportName}
        reads="text"
        placeholder="an exported function"
        values={scriptValues((scripts) => scripts.find((one) => one.script === name)?.exports ?? [])}
        isRequired
      />
    </>
  )
}

/** The time limit of a block's script. */
export const ScriptTimeout = ({ of }: { readonly of: JsonObject }) => (
  <ShapeField of={of} shape={shape} name="timeoutMs" label="Timeout" unit="ms" />
)

/** All kinds of block that call scripts have the same time limit. */
const shape = shapeOfKind("script")

interface NewProps {
  readonly workflow: string
  readonly context: ScriptContextName
  readonly scripts: readonly ScriptView[]
}

function NewScript({ workflow, context, scripts }: NewProps) {
  const form = useForm()
  const [isOpen, setOpen] = useState(false)
  const taken = scripts.map(({ script }) => script)
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => setOpen(true)}>
        New script…
      </button>
      {isOpen ? (
        <NewScriptDialog
          workflow={workflow}
          taken={taken}
          context={context}
          first={firstName(valueAt(valueOf(form.now()), [...form.base, "id"]), taken)}
          onCreated={(name, exportName) =>
            form.change((text) =>
              text.set(["script", "name"], name).set(["script", "exportName"], exportName),
            )
          }
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

/** Returns an unused name like the block's id. Empty if a script can't have it. */
function firstName(id: JsonValue | undefined, taken: readonly string[]): string {
  const name = typeof id === "string" ? freeName(id, new Set(taken)) : ""
  return checkScriptName(name, taken) === undefined ? name : ""
}

/** Doesn't use the page's queries, because a file change cancels them. */
const readScripts = async (workflow: string): Promise<readonly ScriptView[]> =>
  (await call("files.list", { workflow })).scripts
