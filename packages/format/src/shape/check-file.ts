// Parses a JSON file of the project and checks its shape.

import { parseJson, type SyntaxFinding } from "../json/parse-json.ts"
import { type RecoveredJson, recoverJson } from "../json/recover-json.ts"
import { messages } from "../messages.ts"
import type { Problem } from "../problems.ts"
import { createProblemMaker, problemsAtOffsets, type SourceFile } from "../source.ts"
import { checkShape, readShape, type ShapeFinding } from "./check-shape.ts"
import { foreignFormat } from "./foreign-file.ts"
import type { Shape } from "./shape.ts"

/**
 * Parses and checks a file. `value` is absent unless the JSON and its shape are right. `json` is what can be read:
 * `recovered` says which parts of it are unknown because of a syntax error. Callers may add to `problems`.
 */
export function checkFile<T>(source: SourceFile, shape: Shape<T>) {
  const problemAt = createProblemMaker(source)
  const parsed = parseJson(source.text)
  const recovered = parsed.ok ? undefined : recover(source, parsed.findings)
  const json = parsed.ok ? parsed.value : recovered?.value
  const { findings, value } = parsed.ok ? readShape(shape, parsed.value) : readBroken(shape, recovered)
  const foreign = findings.length === 0 || json === undefined ? undefined : foreignFormat(json)
  const ofShape =
    foreign === undefined
      ? findings.map((finding) => problemAt(finding.pointer, finding.at, finding))
      : parsed.ok
        ? [problemAt([], "value", messages["field-type"].foreign(foreign, source.file))]
        : []
  const ofSyntax = parsed.ok ? [] : problemsAtOffsets(source, parsed.findings)
  const problems: Problem[] = [...ofSyntax, ...ofShape]
  return { json, recovered, value, findings, problems, problemAt }
}

/** Reads the parts of a broken file that can be trusted. In an unfinished merge, nobody knows which part is meant. */
function recover({ text }: SourceFile, findings: readonly SyntaxFinding[]): RecoveredJson | undefined {
  return findings.some(({ code }) => code === "file-conflict") ? undefined : recoverJson(text)
}

function readBroken<T>(shape: Shape<T>, recovered: RecoveredJson | undefined) {
  const all: readonly ShapeFinding[] = recovered === undefined ? [] : checkShape(shape, recovered.value)
  const findings = all.filter((finding) => recovered?.isTrusted(finding))
  const value: T | undefined = undefined
  return { findings, value }
}
