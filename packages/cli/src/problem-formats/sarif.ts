// Formats problems as SARIF 2.1.0 (OASIS). Uses the parts that GitHub code scanning and editors read.

import { createHash } from "node:crypto"
import { failureCodes, problemCodes, type Problem, type ProblemCode } from "@callsheet/format"
import { version } from "../version.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import type { FormatProblems } from "./text.ts"
import { createRepositoryPath } from "./repository-path.ts"

const sourceRoot = "%SRCROOT%"

export const formatSarif: FormatProblems = function* ({ problems }, context) {
  const pathOf = createRepositoryPath(context)
  const fingerprintOf = createFingerprints()
  yield `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{`
  yield `"tool":${JSON.stringify({ driver: driver() })},\n"columnKind":"utf16CodeUnits",\n`
  yield `"originalUriBaseIds":${JSON.stringify({ [sourceRoot]: { description: { text: "The root of the repository." } } })},\n`
  yield `"results":[`
  for (const [at, problem] of problems.entries()) {
    const result = resultOf(problem, pathOf, fingerprintOf)
    yield `${at === 0 ? "\n" : ",\n"}${breakCommandsInJson(JSON.stringify(result))}`
  }
  yield problems.length === 0 ? "]}]}\n" : "\n]}]}\n"
}

// Some codes of run failures are also found before a run.
const summaries = { ...problemCodes, ...failureCodes }
const codes = Object.keys(summaries) as readonly ProblemCode[]
const indexes: ReadonlyMap<ProblemCode, number> = new Map(codes.map((code, index) => [code, index]))

/** Lists every rule, even without problems: readers compare the rules of different versions. */
const driver = (): object => ({
  name: "callsheet",
  version,
  rules: codes.map((code) => {
    const text = summaries[code]
    return {
      id: code,
      shortDescription: { text },
      fullDescription: { text },
      help: { text: `${text} The pages of errors in callsheet's docs/reference say more about "${code}".` },
      defaultConfiguration: { level: "error" },
    }
  }),
})

function resultOf(
  problem: Problem,
  pathOf: (file: string) => string,
  fingerprintOf: (problem: Problem) => string,
): object {
  const { file, line = 1, column = 1, code, severity, message, hint } = problem
  const artifactLocation = () => ({ uri: uriOf(pathOf(file ?? "")), uriBaseId: sourceRoot })
  const region = { startLine: line, startColumn: column }
  return {
    ruleId: code,
    ruleIndex: indexes.get(code),
    level: severity,
    message: { text: hint === undefined ? message : `${message}\nHint: ${hint}` },
    ...(file === undefined
      ? {}
      : { locations: [{ physicalLocation: { artifactLocation: artifactLocation(), region } }] }),
    // Code scanning reads only a fingerprint with this name.
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(problem) },
  }
}

/** Returns a relative URI. U+FFFD replaces an unpaired surrogate, which a URI can't contain. */
const uriOf = (path: string): string =>
  path
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map((name) => encodeURIComponent(name))
    .join("/")

/**
 * Hashes code, file and message. Leaves out numbers, which may be lines, and the line's text, which may be a short
 * secret.
 */
function createFingerprints(): (problem: Problem) => string {
  const seen = new Map<string, number>()
  return ({ code, file = "", message }) => {
    const text = JSON.stringify([code, file, message.replaceAll(/[0-9]+/g, "0")])
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return `${hash}:${count}`
  }
}
