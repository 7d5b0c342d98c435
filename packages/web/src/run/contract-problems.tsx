// The contract violations of a request or response, with links to the document.

import type { ContractProblem } from "@callsheet/format"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"

interface Props {
  readonly problems: readonly ContractProblem[]
  /** Set for violations in a request, which don't fail the block. */
  readonly isWarning?: boolean
}

export function ContractProblems({ problems, isWarning = false }: Props) {
  if (problems.length === 0) return null
  return (
    <ul className={isWarning ? "contract contract-warning" : "contract"} aria-label="Contract violations">
      {problems.map(({ path, message, file, line }, index) => (
        <li key={index}>
          <code>
            <ShownText text={path} />
          </code>{" "}
          <LongText text={message} />
          {file === undefined ? null : (
            <span className="contract-place">
              <ShownText text={line === undefined ? file : `${file}:${line}`} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
