// A body as raw text.

import { useMemo, useState } from "react"
import { stringifyJson, type JsonValue } from "@callsheet/format"
import { CopyButton } from "../parts/copy-button.tsx"
import { visibleLines } from "../text/visible-text.ts"
import { jsonPrefix } from "./json-prefix.ts"

/** The number of characters that a browser can lay out quickly. */
const firstPart = 20_000

export function RawView({ what, body }: { readonly what: string; readonly body: JsonValue }) {
  const [length, setLength] = useState(firstPart)
  // One more character shows that there is more. Counting all would need the whole text.
  const text = useMemo(
    () => (typeof body === "string" ? body.slice(0, length + 1) : jsonPrefix(body, length + 1)),
    [body, length],
  )
  return (
    <div className="raw">
      <pre className="raw-text" tabIndex={0} role="group" aria-label={what}>
        {visibleLines(text.slice(0, length).replace(/[\ud800-\udbff]$/, ""))}
      </pre>
      <p className="raw-tools">
        <CopyButton text={() => (typeof body === "string" ? body : stringifyJson(body))} what={what} />
        {text.length <= length ? null : (
          <button type="button" className="quiet-button" onClick={() => setLength(4 * length)}>
            Show more (the first {length.toLocaleString("en")} characters are shown)
          </button>
        )}
      </p>
    </div>
  )
}
