// A button that copies text and confirms it, and a block of text with this button.

import { useEffect, useState } from "react"
import { visibleLines } from "./visible-text.ts"

type State = "ready" | "copied" | "refused"

const words: { readonly [S in State]: string } = { ready: "Copy", copied: "Copied", refused: "Blocked" }

interface Props {
  /** A function is called on each copy, for text that is slow to compute. */
  readonly text: string | (() => string)
  readonly what: string
  /** The visible text, by default `Copy`. */
  readonly label?: string
}

export function CopyButton({ text, what, label = words.ready }: Props) {
  const [state, setState] = useState<State>("ready")
  useEffect(() => {
    if (state === "ready") return undefined
    const timer = setTimeout(() => setState("ready"), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      () => setState("copied"),
      () => setState("refused"),
    )
  }
  const shown = state === "ready" ? label : words[state]
  return (
    <button
      type="button"
      className="copy-button"
      onClick={copy}
      aria-label={label === words.ready ? `${shown} ${what}` : undefined}
    >
      <span aria-live="polite">{shown}</span>
    </button>
  )
}

export function CodeBlock({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="group" aria-label={what}>
        <code>{visibleLines(text)}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
