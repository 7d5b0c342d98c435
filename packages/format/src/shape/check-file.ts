// Parses a JSON file of the project and checks its shape.

import { parseJson } from "../json/parse-json.ts"
import { messages } from "../messages.ts"
import type { Problem } from "../problems.ts"
import { createProblemMaker, problemsAtOffsets, type SourceFile } from "../source.ts"
import { readShape } from "./check-shape.ts"
import { foreignFormat } from "./foreign-file.ts"
import type { Shape } from "./shape.ts"

/**
 * Parses and checks a file. `json` is absent for invalid JSON, `value` for a wrong shape. Callers may add to
 * `problems`.
 */
export function checkFile<T>(source: SourceFile, shape: Shape<T>) {
  const problemAt = createProblemMaker(source)
  const parsed = parseJson(source.text)
  const json = parsed.ok ? parsed.value : undefined
  const { findings, value } = json === undefined ? { findings: [] } : readShape(shape, json)
  const foreign = findings.length === 0 || json === undefined ? undefined : foreignFormat(json)
  const problems: Problem[] = parsed.ok
    ? foreign !== undefined
      ? [problemAt([], "value", messages["field-type"].foreign(foreign, source.file))]
      : findings.map((finding) => problemAt(finding.pointer, finding.at, finding))
    : [...problemsAtOffsets(source, parsed.findings)]
  return { json, value, findings, problems, problemAt }
}
