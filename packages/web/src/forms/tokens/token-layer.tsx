// Draws placeholders as chips behind the text of a native input, which stays transparent. The layer has the text, font
// and scroll position of the input.

import { useLayoutEffect, useRef, type ReactNode } from "react"
import type { Severity } from "@callsheet/format"
import { outermost, type FieldToken, type FieldTokens } from "./tokens-in.ts"

interface Props {
  readonly text: string
  readonly found: FieldTokens
  readonly severityOf: (token: FieldToken) => Severity | undefined
  readonly control: () => HTMLInputElement | HTMLTextAreaElement | null
}

export function TokenLayer({ text, found, severityOf, control }: Props) {
  const layer = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const [shown, input] = [layer.current, control()]
    if (shown === null || input === null) return undefined
    shown.classList.toggle("token-lines", input instanceof HTMLTextAreaElement)
    const follow = (): void => {
      shown.scrollLeft = input.scrollLeft
      shown.scrollTop = input.scrollTop
    }
    follow()
    const events = ["scroll", "select", "keyup", "pointerup", "blur"] as const
    for (const name of events) input.addEventListener(name, follow, { passive: true })
    return () => {
      for (const name of events) input.removeEventListener(name, follow)
    }
  })
  const whole = found.tokens.find(({ isWhole }) => isWhole)
  const parts = partsOf(text, outermost(found), severityOf)
  return (
    <span ref={layer} aria-hidden="true" className="token-layer form-input form-code">
      {whole === undefined ? (
        parts
      ) : (
        <span data-from={0} className={classOf("token-path", severityOf(whole))}>
          {parts}
        </span>
      )}
      {/* A line break at the end has no height without text after it. */}
      {"\u200b"}
    </span>
  )
}

function partsOf(
  text: string,
  tokens: readonly FieldToken[],
  severityOf: Props["severityOf"],
): readonly ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const token of tokens) {
    parts.push(text.slice(at, token.from))
    parts.push(
      <mark key={token.from} data-from={token.from} className={classOf("token", severityOf(token))}>
        {text.slice(token.from, token.to)}
      </mark>,
    )
    at = token.to
  }
  return [...parts, text.slice(at)]
}

const classOf = (name: string, severity: Severity | undefined): string =>
  severity === undefined ? name : `${name} token-${severity}`
