// Lists the uses of a script: the blocks that call it, each with its function, and the scripts that import it.

import type { ScriptCallView, ScriptId } from "@callsheet/server/calls"
import { RouteLink } from "../routes/route-link.tsx"
import { hashOfBlock } from "../routes/route.ts"
import { showPart } from "../workflow/editor-state.ts"
import { ShownText } from "../ui/shown-text.tsx"

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
