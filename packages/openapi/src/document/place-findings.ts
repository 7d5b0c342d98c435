// Locates findings about a document: their files, lines and columns. Limits how many are reported.

import { type Finding, getOrCreate, type Problem, problemsAtOffsets } from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import { type OpenApiDocument, openPlace } from "./document.ts"
import { pointerSteps } from "./located.ts"
import { messages } from "./messages.ts"
import { createTextReader, isYaml } from "./read-text-file.ts"

/** Collects the findings of a check. */
export interface Findings {
  readonly document: OpenApiDocument
  /** Adds a finding at a location, in the format of `Part.pointer`. */
  readonly add: (pointer: string, finding: Finding) => void
  readonly addInFile: (problem: Problem) => void
  /** Limits the searches for similar names, which are slow in a large document with many mistakes. */
  readonly suggestions: { left: number }
}

/** Runs a check and locates everything that it finds. */
export async function collectFindings(
  document: OpenApiDocument,
  check: (findings: Findings) => void | Promise<void>,
): Promise<readonly Problem[]> {
  const placed: PlacedFinding[] = []
  const inFiles = new Set<Problem>()
  await check({
    document,
    add: (pointer, finding) => placed.push({ pointer, finding }),
    addInFile: (problem) => inFiles.add(problem),
    suggestions: { left: MAX_SUGGESTIONS },
  })
  return [...inFiles, ...(await placeFindings(document, placed))]
}

const MAX_SUGGESTIONS = 20

interface PlacedFinding {
  readonly pointer: string
  readonly finding: Finding
}

/**
 * The maximum number of problems to locate per file, because each location in YAML costs a read of the file. The rest
 * are only counted.
 */
const MAX_PER_FILE = 100
/** The maximum number of warnings with the same message in a file. Generators repeat a mistake thousands of times. */
const MAX_ALIKE = 10

async function placeFindings(document: OpenApiDocument, findings: readonly PlacedFinding[]) {
  const byFile = new Map<DocumentFile, PlacedFinding[]>()
  for (const { pointer, finding } of findings) {
    const place = openPlace(document, pointer)
    if (place !== undefined)
      getOrCreate(byFile, place.file, () => []).push({ pointer: place.pointer, finding })
  }
  const problems: Problem[] = []
  for (const [file, list] of byFile)
    problems.push(...(await placeInFile(file, withoutRepetition(onePerPlace(list)))))
  return problems
}

/** Keeps the errors of each place or else its last warning, because later checks give better reasons. */
function onePerPlace(findings: readonly PlacedFinding[]): readonly PlacedFinding[] {
  const byPlace = new Map<string, PlacedFinding[]>()
  for (const placed of findings) getOrCreate(byPlace, placed.pointer, () => []).push(placed)
  return [...byPlace.values()].flatMap((group) => {
    const errors = group.filter(({ finding }) => finding.severity !== "warning")
    return errors.length > 0 ? errors : group.slice(-1)
  })
}

/** Drops the warnings that repeat others. The last one that is left tells how many. */
function withoutRepetition(findings: readonly PlacedFinding[]): readonly PlacedFinding[] {
  const alike = new Map<string, PlacedFinding[]>()
  const kept: PlacedFinding[][] = []
  for (const placed of findings) {
    const { severity, message } = placed.finding
    const known = severity === "warning" ? alike.get(message) : undefined
    if (known === undefined) {
      const group = [placed]
      kept.push(group)
      if (severity === "warning") alike.set(message, group)
    } else known.push(placed)
  }
  return kept.flatMap((group) => {
    const more = group.length - MAX_ALIKE
    return group.slice(0, MAX_ALIKE).map(({ pointer, finding }, index) => {
      const isLast = more > 0 && index === MAX_ALIKE - 1
      const message = isLast
        ? messages["document-standard"].alike(finding.message, more).message
        : finding.message
      return { pointer, finding: { ...finding, message } }
    })
  })
}

async function placeInFile({ source, root }: DocumentFile, findings: readonly PlacedFinding[]) {
  const parsed = (await createTextReader(isYaml(source)))(source)
  const placed = findings
    .toSorted(errorsFirst)
    .slice(0, MAX_PER_FILE)
    .map(({ pointer, finding }) => {
      const offset = parsed.ok ? parsed.locate(pointerSteps(root, pointer)) : 0
      return { ...finding, message: `#${pointer}: ${finding.message}`, offset }
    })
  const rest = findings.length - placed.length
  const isWorst = findings.some(({ finding }) => finding.severity !== "warning")
  const severity = isWorst ? "error" : "warning"
  const more = { ...messages["document-invalid"].more(rest), severity, offset: 0 } as const
  return problemsAtOffsets(source, rest > 0 ? [...placed, more] : placed)
}

const errorsFirst = (a: PlacedFinding, b: PlacedFinding): number =>
  Number(a.finding.severity === "warning") - Number(b.finding.severity === "warning")
