// The target of a request in one line, which opens to the fields that choose it.

import { useState, type ReactNode } from "react"
import type { JsonPointer } from "@callsheet/format"
import { MethodBadge, SeverityMark } from "../ui/badges.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { useProblemsIn } from "./context/form-context.tsx"
import { hasErrors } from "./value-row.tsx"

interface Props {
  readonly method: string | undefined
  readonly path: string | undefined
  /** More about the target, such as the name of a saved request. Empty words are left out. */
  readonly words: readonly string[]
  /** The values that its fields edit. */
  readonly pointers: readonly JsonPointer[]
  /** True if the user has to choose a target first. */
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** Open while an error in it isn't repaired, unless the user has closed it. */
export function TargetFold({ method, path, words, pointers, isOpen, children }: Props) {
  const [chosen, setChosen] = useState<boolean>()
  const [startsOpen] = useState(isOpen)
  const problems = useProblemsIn(pointers)
  const open = chosen ?? (startsOpen || hasErrors(problems))
  return (
    <details
      className="target-fold"
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== open) setChosen(currentTarget.open)
      }}
    >
      <summary>
        <span className="target-line">
          {method === undefined ? null : <MethodBadge method={method} />}
          {path === undefined ? null : (
            <code>
              <ShownText text={path} />
            </code>
          )}
          <span className="target-words">
            <ShownText text={words.filter((word) => word !== "").join(" · ")} />
          </span>
          {problems.length === 0 ? null : (
            <SeverityMark severity={hasErrors(problems) ? "error" : "warning"} />
          )}
        </span>
      </summary>
      <div className="target-fields">{children}</div>
    </details>
  )
}
