// The blocks that call a script, and by which function.

import type { ScriptCallView } from "@callsheet/server/calls"
import { ShownText } from "../text/shown-text.tsx"

/** Those that there is room for. */
const most = 8

export function ScriptCalls({ calls }: { readonly calls: readonly ScriptCallView[] }) {
  if (calls.length === 0) return <span className="faint">No block calls it.</span>
  return (
    <span className="script-calls">
      Called by{" "}
      {calls.slice(0, most).map(({ block, exportName }, index) => (
        <span key={`${block} ${exportName}`}>
          {index === 0 ? "" : ", "}
          <ShownText text={block} /> <span className="faint">({exportName})</span>
        </span>
      ))}
      {calls.length > most ? ` and ${calls.length - most} more` : ""}
    </span>
  )
}
