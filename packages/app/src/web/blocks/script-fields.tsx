// Which function of which script a block calls.

import { useQuery } from "@tanstack/react-query"
import { isJsonObject, type JsonValue } from "@callsheet/format"
import type { ScriptView } from "../../api.ts"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { queryClient } from "../data/query-client.ts"
import { PlaceLink } from "../places/place-link.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { useForm } from "./form-context.tsx"
import { TextField } from "./text-field.tsx"

export function ScriptFields({ script }: { readonly script: JsonValue | undefined }) {
  const { file } = useForm()
  const workflow = file.kind === "workflow" ? file.workflow : undefined
  const scripts = useScripts(workflow)
  const { name, exportName } = isJsonObject(script) ? script : {}
  const known = scripts?.find((one) => one.script === name)
  return (
    <>
      <TextField
        label="Script"
        pointer={["script", "name"]}
        value={name}
        reads="text"
        placeholder="checks/total"
        values={async () => (await readScripts(workflow)).map((one) => one.script)}
        note={workflow === undefined || known === undefined ? undefined : <Link {...{ workflow, known }} />}
        isRequired
      />
      <TextField
        label="Function"
        pointer={["script", "exportName"]}
        value={exportName}
        reads="text"
        placeholder="what the script exports"
        values={async () => (await readScripts(workflow)).find((one) => one.script === name)?.exports ?? []}
        isRequired
      />
    </>
  )
}

function Link({ workflow, known }: { readonly workflow: string; readonly known: ScriptView }) {
  return (
    <PlaceLink to={{ kind: "script", workflow, script: known.script }}>
      Open <ShownText text={`${known.script}.ts`} />
    </PlaceLink>
  )
}

const scriptsQuery = (workflow: string | undefined) => ({
  queryKey: ["scripts", workflow],
  queryFn: () => call("files.list", { workflow: workflow ?? "" }),
})

/** Undefined while nothing was heard. */
function useScripts(workflow: string | undefined): readonly ScriptView[] | undefined {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data } = useQuery({ ...scriptsQuery(workflow), enabled: isOpen && workflow !== undefined })
  return data?.scripts
}

const readScripts = async (workflow: string | undefined): Promise<readonly ScriptView[]> =>
  workflow === undefined ? [] : (await queryClient.fetchQuery(scriptsQuery(workflow))).scripts
