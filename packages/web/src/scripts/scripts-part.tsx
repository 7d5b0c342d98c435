// The scripts of a workflow: their functions, the blocks that call them, and a button for a new one.

import { useState } from "react"
import type { ScriptView, ScriptCallView, ScriptId } from "@callsheet/server/calls"
import { readFaultOf } from "../connection/fault-of.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { LongText, ShownText } from "../ui/shown-text.tsx"
import { hashOfBlock } from "../routes/route.ts"
import { showPart } from "../routes/workflow-part.ts"
import { NewScriptDialog } from "./script-dialogs.tsx"
import { useCallsOf, useScripts, useScriptTypes } from "./use-scripts.ts"

export function ScriptsPart({ workflow }: { readonly workflow: string }) {
  const { data, error } = useScripts(workflow)
  const types = useScriptTypes(workflow)
  const [isNew, setNew] = useState(false)
  // Wait for both, because the list of callers may add a second line.
  if (data === undefined || types.isLoading)
    return (
      <p className="scripts faint">{error === null ? "Loading…" : <LongText text={readFaultOf(error)} />}</p>
    )
  const { scripts, isReadOnly } = data
  return (
    <div className="scripts">
      {isReadOnly ? <ReadOnlyNote /> : null}
      {scripts.length === 0 ? (
        <p className="faint">
          No scripts yet. A script is a TypeScript function that a block calls to check, decide or compute
          what other blocks can't.
        </p>
      ) : (
        <ul className="script-list">
          {scripts.map((script) => (
            <ScriptRow key={script.script} workflow={workflow} script={script} />
          ))}
        </ul>
      )}
      {isReadOnly ? null : (
        <button type="button" className="button" onClick={() => setNew(true)}>
          New script…
        </button>
      )}
      {isNew ? (
        <NewScriptDialog
          workflow={workflow}
          taken={scripts.map(({ script }) => script)}
          onClose={() => setNew(false)}
        />
      ) : null}
    </div>
  )
}

export function ReadOnlyNote() {
  return (
    <p className="script-note" role="note">
      Scripts are read-only here because other machines can reach this app. Change them in an editor, or start
      the app without <code>--allow-remote</code>.
    </p>
  )
}

interface RowProps {
  readonly workflow: string
  readonly script: ScriptView
}

function ScriptRow({ workflow, script: { script, exports, importedBy } }: RowProps) {
  const calls = useCallsOf(workflow, script)
  return (
    <li className="script-row">
      <RouteLink to={{ kind: "script", workflow, script }} className="link script-name">
        <ShownText text={`${script}.ts`} />
      </RouteLink>
      <span className="script-exports">
        {exports.length === 0 ? (
          <span className="faint">exports nothing</span>
        ) : (
          <code>
            <ShownText text={exports.join(", ")} />
          </code>
        )}
      </span>
      <span className="script-used">
        {calls === undefined ? null : <ScriptCalls {...{ workflow, calls, importedBy }} />}
      </span>
    </li>
  )
}

const MAX_SHOWN = 8

interface Props {
  readonly workflow: string
  readonly calls: readonly ScriptCallView[]
  readonly importedBy: readonly ScriptId[]
}

export function ScriptCalls({ workflow, calls, importedBy }: Props) {
  if (calls.length + importedBy.length === 0) return <span className="faint">Nothing uses it.</span>
  return (
    <span className="script-calls">
      {calls.length === 0 ? null : "Called by "}
      {calls.slice(0, MAX_SHOWN).map(({ block, exportName }, index) => (
        <span key={`${block} ${exportName}`}>
          {index === 0 ? "" : ", "}
          <a
            className="link"
            href={hashOfBlock(workflow, block)}
            onClick={() => showPart(workflow, "editor")}
          >
            <ShownText text={block} />
          </a>{" "}
          <span className="faint">({exportName})</span>
        </span>
      ))}
      {calls.length > MAX_SHOWN ? ` and ${calls.length - MAX_SHOWN} more` : ""}
      {importedBy.length === 0 ? null : calls.length === 0 ? "Imported by " : ". Imported by "}
      {importedBy.slice(0, MAX_SHOWN).map((id, index) => (
        <span key={`${id.workflow}/${id.script}`}>
          {index === 0 ? "" : ", "}
          <RouteLink to={{ kind: "script", ...id }}>
            <ShownText text={`${id.workflow === workflow ? "" : `${id.workflow}/`}${id.script}.ts`} />
          </RouteLink>
        </span>
      ))}
      {importedBy.length > MAX_SHOWN ? ` and ${importedBy.length - MAX_SHOWN} more` : ""}
    </span>
  )
}
