// The page of a script: its editor, its uses, and the checks of the project's TypeScript compiler.

import type { CompletionSource } from "@codemirror/autocomplete"
import { useMemo, useRef, useState } from "react"
import type { FileName, ScriptId } from "@callsheet/server/calls"
import { useQuery } from "@tanstack/react-query"
import type { FindMeaning } from "../../files/code-mirror/meanings.ts"
import { FileEditor } from "../../forms/file-editor.tsx"
import { useOpenFile, checkFilesAgain } from "../../files/open-files.ts"
import { SaveBar } from "../../files/save-bar.tsx"
import { BenchHead } from "../../ui/bench-head.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { Missing } from "../../files/page-parts.tsx"
import { call } from "../../connection/call.ts"
import { useConnection } from "../../connection/connection.ts"
import { readFaultOf } from "../../connection/fault-of.ts"
import { queryClient } from "../../connection/query-client.ts"
import { DeleteScriptDialog, RenameScriptDialog } from "../../scripts/script-dialogs.tsx"
import { ScriptCalls, ReadOnlyNote } from "../../scripts/scripts-part.tsx"
import type { TypedScript } from "../../scripts/typed-script.ts"
import { useCallsOf, useScripts, useScriptTypes } from "../../scripts/use-scripts.ts"

export function ScriptPage({ workflow, script }: ScriptId) {
  const name: FileName = { kind: "script", workflow, script }
  const { state } = useOpenFile(name)
  const isReadOnly = useScripts(workflow).data?.isReadOnly === true
  const { completions, findMeaning } = useTypedScript({ workflow, script })
  if (state === "missing") return <Missing what="script" name={script} />
  return (
    <div className="view view-editor">
      <BenchHead
        parents={[
          <>
            Script of{" "}
            <RouteLink to={{ kind: "workflow", workflow }}>
              <ShownText text={workflow} />
            </RouteLink>
          </>,
        ]}
        name={`${script}.ts`}
      >
        {isReadOnly ? null : <SaveBar name={name} />}
      </BenchHead>
      <ScriptLine id={{ workflow, script }} isReadOnly={isReadOnly} />
      <TypeChecks />
      {isReadOnly ? <ReadOnlyNote /> : null}
      <FileEditor
        name={name}
        label={`Text of ${visibleText(script)}.ts`}
        completions={completions}
        findMeaning={findMeaning}
        isReadOnly={isReadOnly}
      />
    </div>
  )
}

interface LineProps {
  readonly id: ScriptId
  readonly isReadOnly: boolean
}

function ScriptLine({ id, isReadOnly }: LineProps) {
  const calls = useCallsOf(id.workflow, id.script)
  const { data } = useScripts(id.workflow)
  const [asks, setAsks] = useState<"name" | "delete">()
  const close = (): void => setAsks(undefined)
  const importedBy = data?.scripts.find(({ script }) => script === id.script)?.importedBy
  return (
    <div className="script-line">
      <p className="script-line-calls">
        {calls === undefined || importedBy === undefined ? null : (
          <ScriptCalls workflow={id.workflow} calls={calls} importedBy={importedBy} />
        )}
      </p>
      {isReadOnly ? null : (
        <>
          <button type="button" className="button button-small" onClick={() => setAsks("name")}>
            Rename…
          </button>
          <button type="button" className="button button-small" onClick={() => setAsks("delete")}>
            Delete…
          </button>
        </>
      )}
      {asks === "name" ? (
        <RenameScriptDialog
          id={id}
          taken={(data?.scripts ?? []).map(({ script }) => script)}
          onClose={close}
        />
      ) : null}
      {asks === "delete" ? <DeleteScriptDialog id={id} onClose={close} /> : null}
    </div>
  )
}

/** Completes and explains scripts. The code is loaded with the editor. Reads the types again when files change. */
function useTypedScript({ workflow, script }: ScriptId) {
  const { data } = useScriptTypes(workflow)
  const checks = useTypeChecks()
  const latest = useRef<TypedScript>(undefined)
  latest.current = data && { id: { workflow, script }, types: data, isChecked: checks?.state === "on" }
  return useMemo((): { completions: CompletionSource; findMeaning: FindMeaning } => {
    const load = () => import("../../scripts/typed-script.ts")
    return {
      completions: async (context) => {
        const typed = latest.current
        return typed === undefined ? null : (await load()).completeTyped(context, typed)
      },
      findMeaning: async (view, position) => {
        const typed = latest.current
        return typed && (await load()).findMeaning(view, position, typed)
      },
    }
  }, [])
}

const queryKey = ["type-checks"]

function useTypeChecks() {
  const enabled = useConnection(({ status }) => status === "open")
  return useQuery({
    queryKey,
    queryFn: () => call("types.read", {}),
    enabled,
    // No event reports that another compiler was installed.
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
  }).data
}

function TypeChecks() {
  const view = useTypeChecks()
  const [fault, setFault] = useState("")
  // Its line stays reserved until the state is known.
  if (view === undefined) return <p className="script-types" />
  if (view.state === "remote") return null
  const allow = async (isAllowed: boolean): Promise<void> => {
    try {
      queryClient.setQueryData(queryKey, await call("types.allow", { isAllowed }))
      checkFilesAgain()
      setFault("")
    } catch (error) {
      setFault(readFaultOf(error))
    }
  }
  const { state, version = "" } = view
  if (state === "missing")
    return (
      <p className="script-types faint">
        To check types here, run <code>npm install --save-dev typescript</code>.
      </p>
    )
  if (state === "old")
    return (
      <p className="script-types faint">
        Checking types here needs TypeScript 7. The project has {visibleText(version)}.
      </p>
    )
  return (
    <p className="script-types" role="status">
      <span className="faint">
        {state === "on"
          ? `Types checked by TypeScript ${visibleText(version)}. `
          : "Types aren't checked. Checking runs the TypeScript compiler in this project's node_modules. "}
        {fault === "" ? null : <LongText text={fault} />}
      </span>
      <button type="button" className="button button-small" onClick={() => void allow(state === "off")}>
        {state === "on" ? "Stop checking" : "Check types"}
      </button>
    </p>
  )
}
