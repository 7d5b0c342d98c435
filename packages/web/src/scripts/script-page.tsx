// The page of a script, with its editor.

import type { CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete"
import { useMemo, useRef, useState } from "react"
import type { FileName, ScriptId } from "@callsheet/server/calls"
import { FileEditor } from "../editing/file-editor.tsx"
import { useOpenFile } from "../editing/open-files.ts"
import { SaveBar } from "../editing/save-bar.tsx"
import { RouteLink } from "../routes/route-link.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"
import { Missing } from "../views/missing.tsx"
import { ViewHead } from "../views/view-head.tsx"
import { DeleteScriptDialog } from "./delete-script-dialog.tsx"
import { RenameScriptDialog } from "./rename-script-dialog.tsx"
import { ScriptCalls } from "./script-calls.tsx"
import { ReadOnlyNote } from "./scripts-part.tsx"
import { useCallsOf, useScripts, useScriptTypes } from "./use-scripts.ts"

export function ScriptPage({ workflow, script }: ScriptId) {
  const name: FileName = { kind: "script", workflow, script }
  const { state } = useOpenFile(name)
  const isReadOnly = useScripts(workflow).data?.isReadOnly === true
  const completions = useCompletions({ workflow, script })
  if (state === "missing") return <Missing what="script" name={script} />
  return (
    <div className="view view-editor">
      <ViewHead
        what={
          <>
            Script of{" "}
            <RouteLink to={{ kind: "workflow", workflow }}>
              <ShownText text={workflow} />
            </RouteLink>
          </>
        }
        name={`${script}.ts`}
        isCode
      />
      <ScriptLine id={{ workflow, script }} isReadOnly={isReadOnly} />
      {isReadOnly ? <ReadOnlyNote /> : <SaveBar name={name} />}
      <FileEditor
        name={name}
        label={`Text of ${visibleText(script)}.ts`}
        completions={completions}
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

/** Completes scripts. Its code is loaded with the editor. Reads the types again when files change. */
function useCompletions({ workflow, script }: ScriptId): CompletionSource {
  const { data } = useScriptTypes(workflow)
  const latest = useRef(data)
  latest.current = data
  return useMemo(
    () =>
      async (context: CompletionContext): Promise<CompletionResult | null> => {
        const types = latest.current
        if (types === undefined) return null
        const { completeScript } = await import("./complete-script.ts")
        return completeScript(context, { types, script })
      },
    [script],
  )
}
