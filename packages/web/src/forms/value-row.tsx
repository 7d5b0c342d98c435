// A row in a list of named values: the name, the value, and a button to remove it.

import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react"
import { X, type LucideIcon } from "lucide-react"
import type { JsonPointer, Problem } from "@callsheet/format"
import { plainDescription } from "../ui/plain-description.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { pointerKey } from "../files/text/field-problems.ts"
import { useFieldProblems } from "./context/form-context.tsx"
import { FieldProblems } from "./form-field.tsx"
import { useIsInherited } from "./inheritance.ts"

interface Props {
  readonly name: string
  /** The accessible name of a row without a visible label. */
  readonly label: string
  readonly pointer: JsonPointer
  readonly isRequired: boolean
  readonly words: string
  readonly description?: string | undefined
  /** Sets an empty string. Absent if that isn't allowed, or if the string is already empty. */
  readonly onEmpty?: (() => void) | undefined
  readonly onRemove?: (() => void) | undefined
  /** Shown below the value. */
  readonly advice?: ReactNode
  readonly children: (isBad: boolean) => ReactNode
}

export function ValueRow(props: Props) {
  const { name, label, pointer, isRequired, words, description, onEmpty, onRemove, advice, children } = props
  const problems = useFieldProblems(pointer)
  // A saved request's value can be overridden, but not removed.
  const isInherited = useIsInherited(pointer)
  return (
    <div className="param-row" data-pointer={pointerKey(pointer)}>
      <span
        className="param-name"
        title={description === undefined ? undefined : plainDescription(description)}
      >
        <code>
          <ShownText text={name} />
        </code>
        {isRequired ? (
          <span className="param-required" title="required">
            <span aria-hidden="true">*</span>
            <span className="only-read">required</span>
          </span>
        ) : null}
        {words === "" ? null : (
          <span className="param-place">
            <ShownText text={words} />
          </span>
        )}
      </span>
      {children(hasErrors(problems))}
      <span className="row-buttons">
        {onEmpty === undefined ? null : (
          <button type="button" className="quiet-button" aria-label={`Send ${label} empty`} onClick={onEmpty}>
            empty
          </button>
        )}
        {onRemove === undefined || isInherited ? null : (
          <RowButton name={`Remove ${label}`} title="Remove" icon={X} onPress={onRemove} />
        )}
      </span>
      {advice}
      <FieldProblems problems={problems} />
    </div>
  )
}

interface ButtonProps {
  /** The accessible name. */
  readonly name: string
  readonly title: string
  readonly icon: LucideIcon
  /** True if it has no effect. It keeps its place and its focus, but isn't a tab stop. */
  readonly isOff?: boolean
  readonly onPress: () => void
}

/** A control of a row. */
export function RowButton({ name, title, icon: Icon, isOff, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      className="row-button"
      aria-label={name}
      title={title}
      aria-disabled={isOff}
      tabIndex={isOff === true ? -1 : 0}
      onClick={onPress}
    >
      <Icon aria-hidden="true" />
    </button>
  )
}

/** Focuses the field of a row after the row is rendered. */
export function useRowFocus(keys: readonly string[]) {
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const row = list.current?.querySelectorAll(":scope > *")[keys.indexOf(wanted.current)]
    wanted.current = undefined
    row?.querySelector<HTMLElement>("input, textarea, select:not(.value-kind)")?.focus()
  })
  return { list, focusRow: (key: string) => void (wanted.current = key) }
}

/** Returns the keys of rows in a stable order, because a row that moves loses the focus. */
export function usePlaces(keys: readonly string[]): readonly string[] {
  const shown = useRef<readonly string[]>([])
  const now = new Set(keys)
  const placed = [...new Set([...shown.current.filter((key) => now.has(key)), ...now])]
  useEffect(() => {
    shown.current = placed
  })
  return placed
}

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some(({ severity }) => severity === "error")
