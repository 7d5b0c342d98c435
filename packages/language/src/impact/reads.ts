// Finds every place of a workflow that reads a part of a response.

import {
  type Assertion,
  assertionsOf,
  type Block,
  createLineFinder,
  hasResponse,
  type InstanceFile,
  type JsonPointer,
  type LineColumn,
  liveStringsOf,
  parseTemplateOnce,
  type ReadableWorkflow,
  type RequestBlock,
  scriptsOf,
  type SourceFile,
  stringsOf,
  type TemplatePart,
  tokensOf,
  unknownType,
  type ValueType,
  type Visit,
  walkBlocks,
  type WorkflowFile,
} from "@callsheet/format"
import { type Reading, readingAt, StaticScope } from "../types/static-scope.ts"

/** A place in a file. Finding its line takes time, so that is done on demand. */
export interface FilePlace {
  readonly source: SourceFile
  readonly at: JsonPointer | (() => LineColumn)
}

export interface ResponseRead extends FilePlace {
  /** The block whose response is read. */
  readonly of: RequestBlock
  /** The path in the response, such as `body`, `items`, `0`, `id`. */
  readonly path: readonly string[]
  /** The id of the block that reads. */
  readonly block: string
  /** The assertion whose source the path is. */
  readonly assertion?: Assertion | undefined
}

/** The scripts that a block may run: its own and those that it imports. */
export type ScriptsOf = (workflow: string) => readonly SourceFile[]

interface ReadsRequest {
  readonly file: WorkflowFile
  readonly savedRequestOf: (block: RequestBlock) => InstanceFile | undefined
  readonly scriptsOf: ScriptsOf
}

/** Yields the reads in file order. Skips blocks with errors. */
export function* readsOf(request: ReadsRequest): Generator<ResponseRead> {
  const { readable } = request.file
  if (readable === undefined) return
  const scope = tracingScope(readable)
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    if (readable.broken.has(visit.block)) continue
    yield* ownReads(request.file, visit, scope)
    yield* savedReads(request, visit, scope)
    if (scriptsOf(visit.block).length > 0) yield* scriptReads(request, visit, scope)
  }
}

function* ownReads(source: SourceFile, visit: Visit, scope: StaticScope): Generator<ResponseRead> {
  const { block, pointer } = visit
  const assertions = assertionsOf(block)
  for (const { assertion, pointer: at } of assertions) {
    const where = { source, at: [...pointer(), ...at, "source"], block: block.id, assertion }
    yield* pathReads(assertion.source, { scope, reading: readingAt(visit, at), where })
  }
  const sources = new Set(assertions.map(({ pointer: at }) => [...at, "source"].join("/")))
  for (const { text, is, pointer: at } of stringsOf(block)) {
    if (at[0] === "description" || sources.has(at.join("/"))) continue
    const where = { source, at: [...pointer(), ...at], block: block.id }
    const place = { scope, reading: readingAt(visit, at), where }
    if (is === "path") yield* pathReads(text, place)
    else yield* tokenReads(text, place)
  }
}

function* savedReads(
  { savedRequestOf }: ReadsRequest,
  visit: Visit,
  scope: StaticScope,
): Generator<ResponseRead> {
  const { block } = visit
  if (!hasResponse(block)) return
  const saved = savedRequestOf(block)
  if (saved?.request === undefined) return
  const reading = { visit, api: block.request.api }
  for (const { text, pointer: at } of liveStringsOf(saved.request))
    yield* tokenReads(text, { scope, reading, where: { source: saved, at, block: block.id } })
}

/** Matches the path in `ctx.get("…")`, with type arguments or without, and in `ctx.expect("…")`. */
const scriptPath = /\.(?:get|expect)\s*(?:<[^()]*>)?\(\s*(["'`])([^"'`\\\n]+)\1/g

function* scriptReads(
  { file, scriptsOf: filesOf }: ReadsRequest,
  visit: Visit,
  scope: StaticScope,
): Generator<ResponseRead> {
  for (const source of filesOf(file.name)) {
    const mayRun = createRunCheck(file, visit.block, source)
    for (const match of source.text.matchAll(scriptPath)) {
      const [, quote = "", text = ""] = match
      if (!mayRun(match.index)) continue
      const offset = match.index + match[0].length - text.length - quote.length
      const at = (): LineColumn => createLineFinder(source.text)(offset)
      yield* pathReads(text, { scope, reading: { visit }, where: { source, at, block: visit.block.id } })
    }
  }
}

const exported = /^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|const|let|class)\s+([\w$]+)/gm

/**
 * Returns whether a block may run the code at an offset of a script. It doesn't run other scripts of its workflow that
 * blocks call, nor other functions that blocks call in its own script.
 */
function createRunCheck({ name, readable }: WorkflowFile, block: Block, source: SourceFile) {
  const folder = `apis/workflow/scripts/${name}/`
  const called = [...walkBlocks(readable?.workflow.blocks ?? [])].flatMap((visit) => scriptsOf(visit.block))
  const fileOf = (script: string): string => `${folder}${script}.ts`
  const inFile = called.filter((script) => fileOf(script.name) === source.file)
  const own = scriptsOf(block).filter((script) => fileOf(script.name) === source.file)
  if (inFile.length > 0 && own.length === 0) return () => false
  const names = new Set(inFile.map(({ exportName }) => exportName))
  const starts = [...source.text.matchAll(exported)].map(({ index, 1: exportName = "" }) => ({
    index,
    exportName,
  }))
  return (offset: number): boolean => {
    const around = starts.findLast(({ index }) => index <= offset)?.exportName
    return around === undefined || !names.has(around) || own.some(({ exportName }) => exportName === around)
  }
}

interface ReadPlace {
  readonly scope: StaticScope
  readonly reading: Reading
  readonly where: Pick<ResponseRead, "source" | "at" | "block" | "assertion">
}

function* pathReads(text: string, place: ReadPlace): Generator<ResponseRead> {
  const template = parseTemplateOnce(text)
  if (!template.ok) return
  yield* readOf(template.parts, place)
  yield* tokenReads(text, place)
}

function* tokenReads(text: string, place: ReadPlace): Generator<ResponseRead> {
  if (!text.includes("{{")) return
  const template = parseTemplateOnce(text)
  if (!template.ok) return
  const { assertion: _, ...where } = place.where
  for (const { inner } of tokensOf(template.parts)) yield* readOf(inner, { ...place, where })
}

function* readOf(
  parts: readonly TemplatePart[],
  { scope, reading, where }: ReadPlace,
): Generator<ResponseRead> {
  const trace = traces.get(scope.resolve(parts, reading).type)
  if (trace !== undefined) yield { ...where, ...trace }
}

type Trace = Pick<ResponseRead, "of" | "path">

/** The parts of responses that types stand for. */
const traces = new WeakMap<ValueType, Trace>()

/** Returns a scope in which the type of a value tells which part of which response the value is. */
const tracingScope = (readable: ReadableWorkflow): StaticScope =>
  new StaticScope({
    readable,
    variables: new Map(),
    responseOf: (block) => ({ type: tracedType({ of: block, path: [] }) }),
  })

function tracedType({ of, path }: Trace): ValueType {
  const type: ValueType = {
    ...unknownType,
    step: (segment) => ({ leads: "to", type: tracedType({ of, path: [...path, segment] }) }),
  }
  traces.set(type, { of, path })
  return type
}
