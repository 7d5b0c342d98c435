// Wraps an input or a text area that takes placeholders: marks them, shows what they mean, and goes to their definition.

import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useLayoutEffect,
} from "react"
import type { JsonPointer, Problem, Severity } from "@callsheet/format"
import { useReading } from "../completion/roots.ts"
import { useFieldPlace, useNameProblems } from "../context/form-context.tsx"
import { later } from "../../ui/later.tsx"
import { noteField, useOpenField } from "../context/open-field.ts"
import { useShownToken, type ShownToken } from "./use-shown-token.ts"
import {
  tokenAt,
  tokensIn,
  type FieldToken,
  type FieldTokens,
  outermost,
  type Reads,
} from "@callsheet/language"

const [TokenCard] = later(async () => (await import("./token-card.tsx")).TokenCard)

interface Props {
  readonly text: string
  readonly reads: Reads
  readonly pointer: JsonPointer
  /** One input or text area. */
  readonly children: ReactNode
}

export function TokenField({ text, reads, pointer, children }: Props) {
  const box = useRef<HTMLSpanElement>(null)
  const found = useMemo(() => tokensIn(text, reads), [text, reads])
  const problemOf = useProblemOf(pointer)
  const reading = useReading()
  const control = (): Control | null => box.current?.querySelector<Control>("input, textarea") ?? null
  const shownToken = useShownToken()
  const { shown, hide } = shownToken
  const focus = useFocus({ box, control, pointer, reads, isOpen: found.isOpen, hide })
  const goTo = async (token: FieldToken): Promise<void> => {
    hide()
    const { goToDefinition } = await import("./go-to-definition.ts")
    if (reading !== undefined) await goToDefinition(token.path, reading)
  }
  const actions = actionsOf({ box, control, found, shownToken, goTo })
  const isKnown = shown !== undefined && found.tokens.includes(shown.token)
  return (
    <span ref={box} className="token-field" {...focus} {...actions}>
      {found.tokens.length === 0 ? null : (
        <TokenLayer
          text={text}
          found={found}
          severityOf={(token) => problemOf(token)?.severity}
          control={control}
        />
      )}
      {children}
      {reading === undefined || !isKnown ? null : (
        <TokenCard
          path={shown.token.path}
          reading={reading}
          problem={problemOf(shown.token)}
          takesFocus={shown.takesFocus}
          anchor={() => box.current?.querySelector(`[data-from="${shown.token.from}"]`) ?? control()}
          onGo={() => void goTo(shown.token)}
          onClose={() => {
            hide()
            control()?.focus()
          }}
        />
      )}
    </span>
  )
}

/** Returns a function that finds the problem of a placeholder, or of a field that is a path. */
function useProblemOf(pointer: JsonPointer): (token: FieldToken) => Problem | undefined {
  const problems = useNameProblems(pointer)
  return ({ path, isWhole }) =>
    problems.find(({ token, pointer: at }) =>
      token === undefined ? isWhole && at.length === pointer.length : token === path,
    )?.problem
}

interface Actions extends Pick<FocusProps, "box" | "control"> {
  readonly found: FieldTokens
  readonly shownToken: ShownToken<FieldToken>
  readonly goTo: (token: FieldToken) => Promise<void>
}

/** The pointer shows the card of a placeholder, Ctrl-click goes to its definition. So do two keys at the caret. */
function actionsOf({ box, control, found, shownToken, goTo }: Actions) {
  const { shown, show, hide, hover } = shownToken
  const tokenUnder = ({ target, clientX, clientY }: MouseEvent): FieldToken | undefined => {
    if (target !== control()) return undefined
    const marks = [...(box.current?.querySelectorAll<HTMLElement>("[data-from]") ?? [])].reverse()
    const mark = marks.find((one) => [...one.getClientRects()].some((area) => isIn(area, clientX, clientY)))
    const isWhole = mark?.localName === "span"
    return found.tokens.find((one) => String(one.from) === mark?.dataset["from"] && one.isWhole === isWhole)
  }
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      const isCommand = (ctrlKey || metaKey) && !altKey && !shiftKey && (key === "i" || key === "b")
      const token = isCommand ? tokenAt(found, control()?.selectionStart ?? 0) : undefined
      if (key === "Escape" && shown !== undefined) hide()
      else if (token === undefined) return
      else if (key === "i") show(token, true)
      else void goTo(token)
      event.preventDefault()
      event.stopPropagation()
    },
    onMouseMove: (event: MouseEvent): void => hover(event.target === control() ? tokenUnder(event) : "card"),
    onMouseLeave: (): void => hover(undefined),
    onMouseDownCapture: (event: MouseEvent): void => {
      const isGoing = (event.ctrlKey || event.metaKey) && event.button === 0
      const token = isGoing ? tokenUnder(event) : undefined
      if (token === undefined) return
      event.preventDefault()
      event.stopPropagation()
      void goTo(token)
    },
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement

const isIn = ({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean =>
  left <= x && x <= right && top <= y && y <= bottom

interface FocusProps extends Pick<Props, "reads" | "pointer"> {
  readonly box: { readonly current: HTMLSpanElement | null }
  readonly control: () => Control | null
  readonly isOpen: boolean
  readonly hide: () => void
}

/** Notes the focused field, and whether one of its placeholders is open. */
function useFocus({ box, control, pointer, reads, isOpen, hide }: FocusProps) {
  const place = useFieldPlace(pointer)
  const [isFocused, setFocused] = useState(false)
  useEffect(() => {
    if (!isFocused || !isOpen) return undefined
    useOpenField.setState({ open: place })
    return () => useOpenField.setState({ open: undefined })
  }, [isFocused, isOpen, place])
  return {
    onFocus: () => setFocused(document.activeElement === control()),
    onBlur: () => {
      setFocused(false)
      const input = control()
      if (input === null) return
      const { value: text, selectionStart, selectionEnd } = input
      const [from, to] = [selectionStart ?? text.length, selectionEnd ?? text.length]
      const name = input.getAttribute("aria-label") ?? input.labels?.[0]?.textContent ?? ""
      noteField({ ...place, reads, name, text, from, to })
      requestAnimationFrame(() => {
        if (box.current?.contains(document.activeElement) !== true) hide()
      })
    },
  }
}

interface LayerProps {
  readonly text: string
  readonly found: FieldTokens
  readonly severityOf: (token: FieldToken) => Severity | undefined
  readonly control: () => HTMLInputElement | HTMLTextAreaElement | null
}

function TokenLayer({ text, found, severityOf, control }: LayerProps) {
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
  severityOf: LayerProps["severityOf"],
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
