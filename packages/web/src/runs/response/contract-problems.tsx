// What a contract says of a response or of an item: its verdict as a word, and its violations.

import type { ContractProblem, ContractView } from "@callsheet/format"
import { LongText, ShownText } from "../../ui/shown-text.tsx"

export const verdicts = {
  passed: ["matches", "outcome-passed"],
  failed: ["violates", "outcome-failed"],
  known: ["known violations", "outcome-unchecked"],
  unchecked: ["not checked", "outcome-unchecked"],
  unavailable: ["not documented", "outcome-unchecked"],
} as const satisfies Readonly<Record<ContractView["status"], readonly [string, string]>>

interface ContractProps {
  readonly problems: readonly ContractProblem[]
  /** Set for violations in a request, which don't fail the block. */
  readonly isWarning?: boolean
  /** Set for violations that the baseline lists, which don't fail the block either. */
  readonly isKnown?: boolean
}

export function ContractProblems({ problems, isWarning = false, isKnown = false }: ContractProps) {
  if (problems.length === 0) return null
  return (
    <ul
      className={isWarning || isKnown ? "contract contract-warning" : "contract"}
      aria-label={isKnown ? "Known violations" : "Contract violations"}
    >
      {isKnown ? <li className="faint">Known violations, listed in the baseline:</li> : null}
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
