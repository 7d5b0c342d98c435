// The blocks that call a script, each with its function.

import type { ScriptCallView } from "@callsheet/server/calls"
import { ShownText } from "../text/shown-text.tsx"

const MAX_SHOWN = 8

export function ScriptCalls({ calls }: { readonly calls: readonly ScriptCallView[] }) {
  if (calls.length === 0) return <span className="faint">No block calls it.</span>
  return (
    <span className="script-calls">
      Called by{" "}
      {calls.slice(0, MAX_SHOWN).map(({ block, exportName }, index) => (
        <span key={`${block} ${exportName}`}>
          {index === 0 ? "" : ", "}
          <ShownText text={block} /> <span className="faint">({exportName})</span>
        </span>
      ))}
      {calls.length > MAX_SHOWN ? ` and ${calls.length - MAX_SHOWN} more` : ""}
    </span>
  )
}
