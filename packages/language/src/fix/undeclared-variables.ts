// Finds the places in a file that read a variable which its API doesn't declare.

import {
  createJsonLocator,
  createStringOffsets,
  isVariableName,
  parseTemplateOnce,
  stringEnd,
  tokensOf,
  type Project,
  type TemplatePart,
} from "@callsheet/format"
import { projectStrings, type ProjectString } from "../references/variable-strings.ts"
import type { Variable } from "../references/variable-uses.ts"

export interface UndeclaredVariable extends Variable {
  /** The offsets of the placeholder in the file, or of the string that is a path. */
  readonly from: number
  readonly to: number
}

export function* undeclaredVariables(project: Project, file: string): Generator<UndeclaredVariable> {
  let locate: ReturnType<typeof createJsonLocator> | undefined
  // Only a saved request is read by other files.
  const own = [...project.workflows].filter(([, workflow]) => workflow.file === file)
  const read = own.length === 0 ? project : { ...project, workflows: new Map(own) }
  for (const string of projectStrings(read)) {
    if (string.source.file !== file) continue
    const { text } = string.source
    locate ??= createJsonLocator(text)
    const literal = locate(string.pointer(), "value")
    for (const { parts, place } of pathsIn(string)) {
      const variable = undeclared(project, string, parts)
      if (variable === undefined) continue
      const inText = createStringOffsets(text, literal)
      const [from, to] = place === undefined ? [literal, stringEnd(text, literal)] : place.map(inText)
      if (from !== undefined && to !== undefined) yield { ...variable, from, to }
    }
  }
}

interface PathIn {
  readonly parts: readonly TemplatePart[]
  /** The offsets of the placeholder in the string. Absent if the string is the path. */
  readonly place?: readonly [number, number]
}

function pathsIn({ live: { text, is } }: ProjectString): readonly PathIn[] {
  const template = parseTemplateOnce(text)
  if (!template.ok) return []
  const tokens = tokensOf(template.parts)
    .filter(({ inner: [first] }) => typeof first !== "string" || !first.startsWith("$"))
    .map(({ inner, offset, end }): PathIn => ({ parts: inner, place: [offset, end] }))
  return is === "path" ? [...tokens, { parts: template.parts }] : tokens
}

function undeclared(
  { apis }: Project,
  { readers }: ProjectString,
  parts: readonly TemplatePart[],
): Variable | undefined {
  // A saved request has a first reader outside any workflow, which counts only if no workflow sends it.
  const meant = readers.length === 1 ? readers : readers.slice(1)
  for (const { read } of meant) {
    const reading = read(parts)
    if (reading?.isSure !== true || !isVariableName(reading.name)) continue
    const declared = apis.get(reading.api)?.environments.declared
    if (declared?.has(reading.name) === false) return { api: reading.api, name: reading.name }
  }
  return undefined
}
