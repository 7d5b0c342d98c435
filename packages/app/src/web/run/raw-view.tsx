// A body as one text.

import { useState } from "react"
import type { JsonValue } from "@callsheet/format"
import { CopyButton } from "../parts/copy-button.tsx"
import { visibleLines } from "../text/visible-text.ts"

/** More than anybody reads, and few enough for the browser to lay out. */
const firstPart = 50_000

export function RawView({ what, body }: { readonly what: string; readonly body: JsonValue }) {
  const [length, setLength] = useState(firstPart)
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return (
    <div className="raw">
      <pre className="raw-text" tabIndex={0} role="group" aria-label={what}>
        {visibleLines(text.slice(0, length).replace(/[\ud800-\udbff]$/, ""))}
      </pre>
      <p className="raw-tools">
        <CopyButton text={text} what={what} />
        {text.length <= length ? null : (
          <button type="button" className="quiet-button" onClick={() => setLength(length + firstPart)}>
            Show more ({length.toLocaleString("en")} of {text.length.toLocaleString("en")} characters)
          </button>
        )}
      </p>
    </div>
  )
}
