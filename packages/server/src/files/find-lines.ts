// Answers `files.find`: finds lines of project files. Never finds a secret.

import {
  createLineFinder,
  isJsonObject,
  jsonPointersAt,
  parseEdited,
  rawBlocks,
  type JsonPointer,
} from "@callsheet/format"
import { listScriptNames } from "@callsheet/project"
import type { FileName, FoundLine, Output } from "../calls/index.ts"
import { turn } from "../project/revisions.ts"
import { hidesSecret, placeOf, type FileContext } from "./file-context.ts"
import { textAt } from "./read-and-save.ts"

const MAX_LINES = 100
const MAX_LENGTH = 300

export async function findLines(context: FileContext, query: string): Promise<Output<"files.find">> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const lines: FoundLine[] = []
  if (words.length === 0) return { lines }
  const { masker } = await context.overview()
  const isMatch = (line: string): boolean => words.every((word) => line.toLowerCase().includes(word))
  for (const file of await searchedFiles(context)) {
    const text = textAt(context.root, placeOf(file))
    if (text === undefined || !words.every((word) => text.toLowerCase().includes(word))) continue
    if (await hidesSecret(context, file, text)) continue
    // A match of a masked secret would confirm a guess.
    const found = matchesIn(text, (line) => isMatch(line) && isMatch(masker.text(line)))
    const blocks = file.kind === "workflow" ? blocksAt(text, found) : []
    const placeOfOffset = createLineFinder(text)
    for (const [index, { at, line }] of found.entries()) {
      lines.push({
        file,
        ...placeOfOffset(at),
        text: masker.text(line).slice(0, MAX_LENGTH),
        block: blocks[index],
      })
      if (lines.length === MAX_LINES) return { lines }
    }
    await turn()
  }
  return { lines }
}

async function searchedFiles({ root, overview }: FileContext): Promise<readonly FileName[]> {
  const { project } = await overview()
  const workflows = [...project.workflows.keys()]
  return [
    ...(project.settingsFile === undefined ? [] : [{ kind: "project" as const }]),
    ...workflows.map((workflow): FileName => ({ kind: "workflow", workflow })),
    ...[...project.apis].flatMap(([api, { instances, environments }]) => [
      ...[...instances.values()].map(({ resource, name }): FileName => ({
        kind: "request",
        api,
        resource,
        request: name,
      })),
      { kind: "schema" as const, api },
      ...[...environments.environments.keys()].map((environment): FileName => ({
        kind: "environment",
        api,
        environment,
      })),
    ]),
    ...workflows.flatMap((workflow) =>
      listScriptNames(root, workflow).map((script): FileName => ({ kind: "script", workflow, script })),
    ),
  ]
}

interface Match {
  /** The offset of the first character that isn't a blank. */
  readonly at: number
  readonly line: string
}

function matchesIn(text: string, isMatch: (line: string) => boolean): readonly Match[] {
  const found: Match[] = []
  let start = 0
  for (const whole of text.split("\n")) {
    const line = whole.trim()
    if (isMatch(line)) found.push({ at: start + whole.indexOf(line), line })
    if (found.length === MAX_LINES) break
    start += whole.length + 1
  }
  return found
}

/** Returns the id of the innermost block around each match. */
function blocksAt(text: string, matches: readonly Match[]): readonly (string | undefined)[] {
  const parsed = parseEdited(text)
  if (!parsed.ok || matches.length === 0) return []
  const pointers = jsonPointersAt(
    text,
    matches.map(({ at }) => at),
  )
  const ids = new Map<string, string>()
  for (const { block, pointer } of rawBlocks(parsed.value))
    if (isJsonObject(block) && typeof block["id"] === "string") ids.set(pointer().join("/"), block["id"])
  const idAround = (pointer: JsonPointer): string | undefined => {
    for (let length = pointer.length; length > 0; length--) {
      const id = ids.get(pointer.slice(0, length).join("/"))
      if (id !== undefined) return id
    }
    return undefined
  }
  return pointers.map(idAround)
}
