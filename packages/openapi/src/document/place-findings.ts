// Findings at parts of a document -> problems with file, line and column. Files are read once more for their positions.

import { problemsAtOffsets, type Finding, type JsonPointer, type Problem } from "@callsheet/format"
import { type OpenApiDocument, openFile } from "./document.ts"
import { pointerSteps } from "./located.ts"
import { getOrCreate } from "./memo.ts"
import { readPartName } from "./part-names.ts"
import { createTextReader, isYaml } from "./read-text-file.ts"

export interface PlacedFinding {
  /** Of what is wrong, as `Located` has it. */
  readonly pointer: string
  readonly finding: Finding
}

/** More of one file are only counted: to find a place in a YAML file takes time in proportion to the file. */
const MAX_PER_FILE = 100

/** Gives findings their positions. */
export async function placeFindings(
  document: OpenApiDocument,
  findings: readonly PlacedFinding[],
): Promise<readonly Problem[]> {
  const byFile = new Map<string, PlacedFinding[]>()
  for (const found of findings) {
    const file = readPartName(found.pointer).file ?? document.source.file
    getOrCreate(byFile, file, () => []).push(found)
  }
  const problems: Problem[] = []
  for (const [file, list] of byFile) problems.push(...(await placeInFile(document, file, list)))
  return problems
}

async function placeInFile(
  document: OpenApiDocument,
  file: string,
  findings: readonly PlacedFinding[],
): Promise<readonly Problem[]> {
  const opened = openFile(document, file)
  if (!opened.ok) return []
  const { source, root } = opened.file
  const parsed = (await createTextReader(isYaml(source)))(source)
  const locate = parsed.ok ? parsed.locate : (_: JsonPointer) => 0
  const told = [...findings].sort(errorsFirst).slice(0, MAX_PER_FILE)
  const placed = told.map(({ pointer, finding }) => {
    const inFile = readPartName(pointer).pointer
    return {
      ...finding,
      message: `#${inFile}: ${finding.message}`,
      offset: locate(pointerSteps(root, inFile)),
    }
  })
  const rest = findings.length - told.length
  const more = {
    code: "document-invalid",
    message: `and ${rest} more problems of this kind`,
    offset: 0,
  } as const
  return problemsAtOffsets(source, rest > 0 ? [...placed, more] : placed)
}

const errorsFirst = (a: PlacedFinding, b: PlacedFinding): number =>
  Number(a.finding.severity === "warning") - Number(b.finding.severity === "warning")
