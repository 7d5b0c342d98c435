// Renames a variable in every placeholder and path of a project. Lists the places that the user has to check.

import {
  changeText,
  createJsonLocator,
  createProblemMaker,
  createStringOffsets,
  getOrCreate,
  parseTemplateOnce,
  hasResponse,
  hasTokens,
  liveStringsOf,
  stringsOf,
  walkBlocks,
  type Finding,
  type JsonPointer,
  type Problem,
  type Project,
  type SourceFile,
  type TemplatePart,
  type InstanceFile,
  type LiveString,
  type ReadableWorkflow,
  type RequestBlock,
  type Visit,
} from "@callsheet/format"
import { findUses, type Variable, type VariableUse } from "../references/variable-uses.ts"
import { messages } from "../messages.ts"
import { unknownResponse } from "../types/response-type.ts"
import { maySend } from "../references/block-uses.ts"
import { StaticScope, type Reading, type VariableReading } from "../types/static-scope.ts"

/**
 * Renames the variable. Writes `env.<api>.<name>` if something else, such as an input, has the new name. Warns about
 * unchanged places that may read the variable.
 */
export function renameVariable(project: Project, variable: Variable, to: string) {
  const splices = new Map<SourceFile, StringSplice[]>()
  const warnings: Problem[] = []
  const problems: Problem[] = []
  for (const string of projectStrings(project)) {
    const { uses, isUncertain, isMixed } = usesOf(string, variable)
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

/** Yields the strings that read the variable. `isSure` is false if a string may read something else. */
export function* variableUses(project: Project, variable: Variable) {
  for (const string of projectStrings(project)) {
    const { uses, isUncertain, isMixed } = usesOf(string, variable)
    const isSure = uses.length > 0 || isMixed
    if (isSure || isUncertain) yield { string, isSure }
  }
}

/** Returns the uses in a string. `isMixed` is true if the name refers to the variable only for some readers. */
function usesOf({ live, readers }: ProjectString, variable: Variable) {
  const found = readers.map(({ read }) => findUses(live, variable, read))
  const isUncertain = found.some((each) => each.isUncertain)
  // Prefer the readers in workflows. Without any, use the reader outside workflows.
  const meant = found.length === 1 ? found : found.slice(1)
  const [alone, uses] = [found[0]?.uses ?? [], meant[0]?.uses ?? []]
  const isMixed = new Set(meant.map((each) => places(each.uses))).size > 1
  const isElsewhere = !isMixed && places(alone) !== places(uses)
  return { uses: isMixed ? [] : uses, isUncertain: isUncertain || isElsewhere, isMixed }
}

const places = (uses: readonly VariableUse[]): string => uses.map(({ span }) => span.from).join(",")

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

/** A block that reads a string, and a function that resolves paths for it. */
interface Reader {
  readonly read: (parts: readonly TemplatePart[]) => VariableReading | undefined
  /** The workflow that sends a saved request. Absent if the request is sent on its own. */
  readonly workflow?: string
}

interface ProjectString {
  readonly source: SourceFile
  /** The id of the block. Absent in a saved request. */
  readonly block?: string
  readonly pointer: () => JsonPointer
  readonly live: Pick<LiveString, "text" | "is">
  /** The readers of the string. A saved request has a reader outside any workflow, then each block that may send it. */
  readonly readers: readonly Reader[]
}

/**
 * Yields every string in workflows and saved requests that may contain placeholders, in file order. Skips parts with
 * shape errors.
 */
function* projectStrings(project: Project): Generator<ProjectString> {
  const senders = new Senders()
  for (const file of project.workflows.values()) {
    if (file.readable === undefined) continue
    const scope = scopeOf(file.readable)
    for (const visit of walkBlocks(file.readable.workflow.blocks)) {
      if (file.readable.broken.has(visit.block)) continue
      if (hasResponse(visit.block)) senders.add({ block: visit.block, visit, scope, workflow: file.name })
      yield* blockStrings(file, visit, scope)
    }
  }
  for (const api of project.apis.values()) {
    for (const file of api.instances.values()) yield* savedStrings(file, api.name, senders)
  }
}

interface Sender {
  readonly block: RequestBlock
  readonly visit: Visit
  readonly scope: StaticScope
  readonly workflow: string
}

class Senders {
  readonly #named = new Map<string, Sender[]>()
  readonly #open = new Map<string, Sender[]>()

  add(sender: Sender): void {
    const { api, instance } = sender.block.request
    if (instance === undefined) return
    const isOpen = hasTokens(instance)
    getOrCreate(isOpen ? this.#open : this.#named, isOpen ? api : `${api}/${instance}`, () => []).push(sender)
  }

  of(api: string, file: InstanceFile): readonly Sender[] {
    const all = [...(this.#named.get(`${api}/${file.name}`) ?? []), ...(this.#open.get(api) ?? [])]
    return all.filter(({ block }) => maySend(block, file))
  }
}

const scopeOf = (readable: ReadableWorkflow): StaticScope =>
  new StaticScope({ readable, variables: new Map(), responseOf: () => unknownResponse })

function* blockStrings(source: SourceFile, visit: Visit, scope: StaticScope): Generator<ProjectString> {
  const { block } = visit
  const readerAt = ([field]: JsonPointer): Reader => {
    const reading: Reading =
      // Placeholders in a description resolve like those in `request`, although a run doesn't expand them.
      (field === "request" || field === "description") && hasResponse(block)
        ? { visit, api: block.request.api }
        : { visit, isAfterNested: field === "until" }
    return { read: (parts) => scope.variableOf(parts, reading) }
  }
  for (const live of stringsOf(block)) {
    if (live.is !== "path" && !hasTokens(live.text)) continue
    yield {
      source,
      block: block.id,
      live,
      pointer: () => [...visit.pointer(), ...live.pointer],
      readers: [readerAt(live.pointer)],
    }
  }
}

function* savedStrings(file: InstanceFile, api: string, senders: Senders): Generator<ProjectString> {
  if (file.request === undefined) return
  const strings = liveStringsOf(file.request).filter(({ text }) => hasTokens(text))
  if (strings.length === 0) return
  const nobody = { visit: { block: alone, loops: undefined, pointer: () => [] }, api }
  const readers: readonly Reader[] = [
    { read: (parts) => aloneScope.variableOf(parts, nobody) },
    ...senders.of(api, file).map(({ visit, scope, workflow }): Reader => ({
      workflow,
      read: (parts) => scope.variableOf(parts, { visit, api }),
    })),
  ]
  for (const live of strings) yield { source: file, live, pointer: () => live.pointer, readers }
}

/** Stands for a saved request that is sent on its own, without inputs, iterators or other blocks. */
const alone: RequestBlock = { id: "alone", type: "request", request: { api: "alone", instance: "alone" } }
const aloneScope = scopeOf({
  workflow: { version: 1, blocks: [] },
  broken: new Set(),
  brokenInputs: new Set(),
  isComplete: true,
})
