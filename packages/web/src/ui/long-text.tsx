// Text from files with several lines. Long text is cut until the user expands it.

import { useState } from "react"
import { visibleLines } from "./visible-text.ts"

const longest = 600

export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= longest || isWhole) return <bdi>{visibleLines(text)}</bdi>
  return (
    <>
      <bdi>{visibleLines(text.slice(0, longest).replace(/[\ud800-\udbff]$/, ""))}…</bdi>{" "}
      <button type="button" className="quiet-button" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString("en")} characters
      </button>
    </>
  )
}
