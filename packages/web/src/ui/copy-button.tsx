// A button that copies text and confirms it, also as a tool, and a block of text with this button.

import { Ban, Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { announce } from "./announcement.tsx"
import type { Tool } from "./toolbar.tsx"
import { visibleLines } from "./visible-text.ts"

type State = "ready" | "copied" | "refused"

const words: { readonly [S in State]: string } = { ready: "Copy", copied: "Copied", refused: "Blocked" }

interface Props {
  /** A function is called on each copy, for text that is slow to compute. */
  readonly text: string | (() => string)
  readonly what: string
}

function useCopy(text: Props["text"]): { readonly state: State; readonly copy: () => Promise<State> } {
  const [state, setState] = useState<State>("ready")
  useEffect(() => {
    if (state === "ready") return undefined
    const timer = setTimeout(() => setState("ready"), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<State> => {
    const next = await navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      (): State => "copied",
      (): State => "refused",
    )
    setState(next)
    return next
  }
  return { state, copy }
}

/** Returns a tool that copies text. Its icon confirms it. */
export function useCopyTool(label: string, text: Props["text"], icon = <Copy aria-hidden="true" />): Tool {
  const { state, copy } = useCopy(text)
  return {
    label,
    icon:
      state === "ready" ? (
        icon
      ) : state === "copied" ? (
        <Check aria-hidden="true" />
      ) : (
        <Ban aria-hidden="true" />
      ),
    does: () => void copy().then((next) => announce(words[next])),
  }
}

export function CopyButton({ text, what }: Props) {
  const { state, copy } = useCopy(text)
  return (
    <button
      type="button"
      className="copy-button"
      onClick={() => void copy()}
      aria-label={`${words[state]} ${what}`}
    >
      <span aria-live="polite">{words[state]}</span>
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
