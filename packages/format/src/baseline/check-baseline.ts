// Parses and checks `callsheet.baseline.json`, without the rest of the project.

import { messages } from "../messages.ts"
import { byPosition, CallsheetError, hasErrors, type Problem } from "../problems.ts"
import type { BaselineFile } from "../project.ts"
import { checkFile } from "../shape/check-file.ts"
import type { SourceFile } from "../source.ts"
import { baselineShape, type BaselineEntry, type KnownFinding } from "./baseline-shape.ts"
import { violationKey } from "./violation.ts"

export const BASELINE_FILE = "callsheet.baseline.json"

interface CheckedBaseline {
  /** The entries in the order of the file. Absent if `problems` contains errors. */
  readonly entries?: readonly BaselineEntry[] | undefined
  readonly findings?: readonly KnownFinding[] | undefined
  readonly $schema?: string | undefined
  readonly problems: readonly Problem[]
}

export interface SoundBaseline {
  readonly entries: readonly BaselineEntry[]
  /** The known findings of probes. Undefined if the file has no list of them. */
  readonly findings?: readonly KnownFinding[] | undefined
  readonly $schema?: string | undefined
}

/** Reads and checks the baseline. `validate` checks that the APIs and operations it names exist. */
export function checkBaseline(source: SourceFile): CheckedBaseline {
  const { value, problems, problemAt } = checkFile(source, baselineShape)
  const first = new Map<string, number>()
  for (const [index, entry] of (value?.violations ?? []).entries()) {
    const at = ["violations", index]
    if (entry.expires !== undefined && !isDay(entry.expires))
      problems.push(problemAt([...at, "expires"], "value", messages["field-value"].expires()))
    if ((entry.reason ?? "").trim() === "")
      problems.push(
        problemAt(
          entry.reason === undefined ? at : [...at, "reason"],
          "value",
          messages["baseline-reason"].missing(entry.operation, entry.path),
        ),
      )
    const key = violationKey(entry, entry)
    const known = first.get(key)
    if (known === undefined) first.set(key, index)
    else {
      const { line = 1 } = problemAt(["violations", known], "value", messages["id-duplicate"].violation(1))
      problems.push(problemAt(at, "value", messages["id-duplicate"].violation(line)))
    }
  }
  for (const [index, { operation, parameter, reason }] of (value?.findings ?? []).entries())
    if ((reason ?? "").trim() === "")
      problems.push(
        problemAt(
          ["findings", index, ...(reason === undefined ? [] : ["reason"])],
          "value",
          messages["baseline-reason"].ofFinding(operation, parameter),
        ),
      )
  if (hasErrors(problems)) return { problems: byPosition(problems) }
  const { violations: entries = [], findings, $schema } = value ?? {}
  return { entries, findings, $schema, problems: byPosition(problems) }
}

/** Returns the contents of the file. Throws its errors. */
export function requireBaseline(file: BaselineFile): SoundBaseline {
  const checked: CheckedBaseline =
    file.problem === undefined ? checkBaseline(file) : { problems: [file.problem] }
  const { entries, findings, $schema } = checked
  if (entries !== undefined) return { entries, findings, $schema }
  const errors = checked.problems.filter(({ severity }) => severity === "error")
  const [first] = errors
  if (first === undefined) throw new Error("a broken baseline has a problem")
  throw new CallsheetError(first, { problems: errors })
}

/** Returns whether a date is in the calendar. The pattern accepts February 30. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the day of a time in milliseconds since 1970, in UTC: `2027-01-31`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Returns whether an entry no longer holds. It holds through its last day. */
export const isExpired = ({ expires }: Pick<BaselineEntry, "expires">, today: string): boolean =>
  expires !== undefined && expires < today
