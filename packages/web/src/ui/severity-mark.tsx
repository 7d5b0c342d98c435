// Error or warning, as a word with a mark.

import type { Severity } from "@callsheet/format"

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <span className={`severity severity-${severity}`}>
      <span aria-hidden="true" className="severity-mark">
        {severity === "error" ? "✕" : "!"}
      </span>
      {severity}
    </span>
  )
}
