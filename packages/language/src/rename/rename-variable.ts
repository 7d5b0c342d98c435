// Renames a variable in every placeholder and path of a project. Lists the places that the user has to check.

import {
  changeText,
  createJsonLocator,
  createProblemMaker,
  createStringOffsets,
  getOrCreate,
  parseTemplateOnce,
  type Finding,
  type JsonPointer,
  type Problem,
  type Project,
  type SourceFile,
  type TemplatePart,
} from "@callsheet/format"
import {
  projectStrings,
  usesIn,
  variableUses,
  type ProjectString,
  type Reader,
} from "../references/variable-strings.ts"
import type { Variable, VariableUse } from "../references/variable-uses.ts"
import { messages } from "../messages.ts"

/**
 * Renames the variable. Writes `env.<api>.<name>` if something else, such as an input, has the new name. Warns about
 * unchanged places that may read the variable.
 */
export function renameVariable(project: Project, variable: Variable, to: string) {
  const splices = new Map<SourceFile, StringSplice[]>()
  const warnings: Problem[] = []
  const problems: Problem[] = []
  for (const string of projectStrings(project)) {
    const { uses, isUncertain, isMixed } = usesIn(string, variable)
    if (isMixed) problems.push(mixed(string, variable))
    else if (isUncertain) warnings.push(uncertain(string, variable))
    for (const use of uses) {
      const splice = spliceFor(string, use, { ...variable, name: to })
      if (splice === undefined) problems.push(captured(string, to))
      else getOrCreate(splices, string.source, () => []).push(splice)
    }
  }
  const texts = [...splices].map(([{ file, text }, list]) => ({
    file,
    before: text,
    after: spliceStrings(text, list),
  }))
  return { texts, warnings, problems }
}

export const variablePlaces = (project: Project, variable: Variable): readonly Problem[] =>
  [...variableUses(project, variable)].map(({ string, isSure }) =>
    isSure
      ? problemAt(string, messages["token-unresolved"].reads(variable.name))
      : uncertain(string, variable),
  )

function spliceFor(
  { pointer, readers }: ProjectString,
  { span, by }: VariableUse,
  { api, name }: Variable,
): StringSplice | undefined {
  const plain = { pointer: pointer(), from: span.from, to: span.to, by: name }
  if (by === "env" || readers.every((reader) => means(reader, name, { api, name }))) return plain
  const path = `env.${api}.${name}`
  if (!readers.every((reader) => means(reader, path, { api, name }))) return undefined
  return { pointer: pointer(), from: span.outerFrom, to: span.outerTo, by: path }
}

function means({ read }: Reader, path: string, { api, name }: Variable): boolean {
  const reading = read(partsOf(path))
  return reading?.isSure === true && reading.api === api && reading.name === name
}

function partsOf(path: string): readonly TemplatePart[] {
  const template = parseTemplateOnce(path)
  return template.ok ? template.parts : []
}

const problemAt = ({ source, pointer }: ProjectString, finding: Finding): Problem =>
  createProblemMaker(source)(pointer(), "value", finding)

const uncertain = (string: ProjectString, { name }: Variable): Problem =>
  problemAt(string, messages["token-unresolved"].mayRead(name))

const captured = (string: ProjectString, to: string): Problem =>
  problemAt(string, messages["id-duplicate"].captured(to))

function mixed(string: ProjectString, { name }: Variable): Problem {
  const workflows = [...new Set(string.readers.flatMap(({ workflow }) => workflow ?? []))]
  return problemAt(string, messages["id-duplicate"].mixed(name, workflows.slice(0, 5)))
}

interface StringSplice {
  readonly pointer: JsonPointer
  /** The offset in the parsed string, without quotes and escapes. */
  readonly from: number
  readonly to: number
  /** The replacement. Never contains characters that JSON escapes. */
  readonly by: string
}

function spliceStrings(text: string, splices: readonly StringSplice[]): string {
  const locate = createJsonLocator(text)
  const literals = new Map<number, StringSplice[]>()
  for (const splice of splices) getOrCreate(literals, locate(splice.pointer, "value"), () => []).push(splice)
  return changeText(
    text,
    [...literals].flatMap(([literal, list]) => changesIn(text, literal, list)),
  )
}

function changesIn(text: string, literal: number, splices: readonly StringSplice[]) {
  const offsetOf = createStringOffsets(text, literal)
  return splices
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, by }) => ({ from: offsetOf(from), to: offsetOf(to), by }))
}
