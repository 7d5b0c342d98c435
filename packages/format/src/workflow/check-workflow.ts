// Parses and checks a workflow file. If its shape has errors, the readable part is still checked.

import { type JsonPointer, valueAt } from "../json/pointer.ts"
import type { Damage } from "../json/recover-json.ts"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownOf } from "../json/value.ts"
import { messages } from "../messages.ts"
import { byPosition, type Finding, hasErrors } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import { MAX_FINDINGS, type ShapeFinding } from "../shape/check-shape.ts"
import type { SourceFile } from "../source.ts"
import { childFields, childFieldsOf, hasResponse, iterates, standInFor, stringsOf } from "./blocks/index.ts"
import { type LiveString, valueStrings } from "./blocks/definition.ts"
import { checkId } from "./names.ts"
import { formatPlace, parsePath } from "./path.ts"
import { parseTemplate, tokensOf } from "./template.ts"
import type { Block, Blocks, InputDeclaration, Workflow } from "./types.ts"
import { type LoopChain, type Visit, walkBlocks } from "./walk.ts"
import { workflowShape } from "./workflow-shape.ts"

/**
 * Reads and checks a workflow file without the rest of the project. `plan` checks references to other files. `workflow`
 * is absent if there are errors, and `readable` if the file has no list of blocks.
 */
export function checkWorkflow(source: SourceFile) {
  const { json, recovered, value: workflow, findings, problems, problemAt } = checkFile(source, workflowShape)
  const readable =
    workflow === undefined
      ? readableWorkflow(json, findings, recovered?.damage)
      : { workflow, broken: new Set<Block>(), brokenInputs: new Set<string>(), isComplete: true }
  let count = 0
  const placeOf: PlaceOf = (pointer, at) => {
    const { file, line } = problemAt(pointer, at, messages["version-invalid"].missing())
    return `${file}:${line}`
  }
  for (const { pointer, at, finding } of readable === undefined
    ? []
    : findingsOf(readable, { json, placeOf })) {
    if (++count > MAX_FINDINGS) {
      problems.push(problemAt([], "value", messages["field-value"].tooMany(problems.length)))
      break
    }
    problems.push(problemAt(pointer(), at, finding))
  }
  return {
    workflow: hasErrors(problems) ? undefined : workflow,
    readable,
    problems: byPosition(problems),
  }
}

/** Findings whose pointers are computed on demand. A generator, so that a caller can stop early. */
type Findings = Generator<{ pointer: () => JsonPointer; at: "key" | "value"; finding: Finding }>

/** Returns the file and line of a part, for messages about another part. */
type PlaceOf = (pointer: JsonPointer, at: "key" | "value") => string

interface FileParts {
  readonly json: JsonValue | undefined
  readonly placeOf: PlaceOf
}

function* findingsOf(
  { workflow, broken, brokenInputs }: ReadableWorkflow,
  { json: file, placeOf }: FileParts,
): Findings {
  yield* checkIds(workflow, placeOf)
  if (isJsonObject(file)) yield* checkInputs(file["inputs"], brokenInputs)
  for (const visit of walkBlocks(workflow.blocks)) if (!broken.has(visit.block)) yield* checkStrings(visit)
}

function* checkIds({ blocks, inputs = {} }: Workflow, placeOf: PlaceOf): Findings {
  const taken = new Map<string, { readonly by: Owner; readonly place: () => string }>()
  for (const { block, pointer } of walkBlocks(blocks))
    if (iterates(block) && block.iteratorVar !== undefined)
      taken.set(block.iteratorVar, {
        by: "an iterator",
        place: () => placeOf([...pointer(), "iteratorVar"], "value"),
      })
  for (const name of Object.keys(inputs))
    taken.set(name, { by: "an input", place: () => placeOf(["inputs", name], "key") })
  const seen = new Map<string, () => JsonPointer>()
  for (const { block, loops, pointer } of walkBlocks(blocks)) {
    const earlier = seen.get(block.id)
    const other =
      earlier === undefined
        ? taken.get(block.id)
        : { by: "a block" as const, place: () => placeOf([...earlier(), "id"], "value") }
    const finding =
      checkBlockId(block.id, loops) ?? (other && duplicate.taken(block.id, other.by, other.place()))
    if (finding !== undefined) yield { pointer: () => [...pointer(), "id"], at: "value", finding }
    if (earlier === undefined) seen.set(block.id, pointer)
    // Inside the loop, the iterator would hide an input with the same name.
    const iterator = iterates(block) ? block.iteratorVar : undefined
    if (iterator !== undefined && Object.hasOwn(inputs, iterator)) {
      const finding = duplicate.iterator(iterator, placeOf(["inputs", iterator], "key"))
      yield { pointer: () => [...pointer(), "iteratorVar"], at: "value", finding }
    }
  }
}

const duplicate = messages["id-duplicate"]
type Owner = Parameters<typeof duplicate.taken>[1]

function checkBlockId(id: string, loops: LoopChain | undefined): Finding | undefined {
  const template = parseTemplate(id)
  if (!template.ok) return malformed.id(id, template.message, template.hint)
  if (!template.hasTokens) return checkId(id)
  if (loops === undefined) return malformed.idOutsideLoop(id)
  const names = new Set(["$index"])
  for (let chain: LoopChain | undefined = loops; chain !== undefined; chain = chain.outer) {
    if (chain.loop.iteratorVar !== undefined) names.add(chain.loop.iteratorVar)
  }
  for (const token of tokensOf(template.parts)) {
    const [inner] = token.inner
    const path = typeof inner === "string" && token.inner.length === 1 ? parsePath(inner) : undefined
    if (path?.ok === true && names.has(path.segments[0])) continue
    return malformed.idOfNoLoop(id, [...names])
  }
  // Replaces each placeholder with a letter, so that an id that is only a placeholder isn't reported as empty or as
  // starting with a wrong character.
  return checkId(template.parts.map((part) => (typeof part === "string" ? part : "x")).join(""))
}

// Inputs can't contain placeholders, because they must be known before a run.
function* checkInputs(inputs: JsonValue | undefined, broken: ReadonlySet<string>): Findings {
  for (const [name, declaration] of isJsonObject(inputs) ? Object.entries(inputs) : []) {
    if (broken.has(name)) continue
    for (const { pointer, text } of valueStrings(declaration, ["inputs", name])) {
      const template = parseTemplate(text)
      if (template.ok && !template.hasTokens) continue
      yield { pointer: () => pointer, at: "value", finding: malformed.input(formatPlace(pointer)) }
    }
  }
}

function* checkStrings({ block, pointer }: Visit): Findings {
  for (const live of stringsOf(block)) {
    const place = (): JsonPointer => [...pointer(), ...live.pointer]
    const finding = checkLiveString(live, place)
    if (finding !== undefined) yield { pointer: place, at: "value", finding }
  }
  if (!hasResponse(block)) return
  for (const key of Object.keys(block.request.overrides?.body ?? {})) {
    const path = parsePath(key)
    const pointerPath = path.ok ? pathOfPointer(key) : undefined
    if (path.ok && pointerPath === undefined) continue
    const { malformedBodyPath, pointerKey } = messages["field-value"]
    yield {
      pointer: () => [...pointer(), "request", "overrides", "body", key],
      at: "key",
      finding: path.ok ? pointerKey(key, pointerPath ?? "") : malformedBodyPath(key, path.message),
    }
  }
}

/** Returns the path that a JSON pointer (`/lines/0/sku`) or a JSONPath (`$.sku`) means. Undefined for other keys. */
const pathOfPointer = (key: string): string | undefined =>
  /^\/[\w-]/.test(key) ? key.slice(1).replaceAll("/", ".") : /^\$\.[\w-]/.test(key) ? key.slice(2) : undefined

const malformed = messages["token-malformed"]

/** Checks a string. A finding identifies the string by `pointer`. */
export function checkLiveString({ text, is }: LiveString, pointer: () => JsonPointer): Finding | undefined {
  const field = (): string => formatPlace(pointer())
  const template = parseTemplate(text)
  if (!template.ok) return malformed.template(field(), template.message, template.hint)
  if (is === "path" && !template.hasTokens) {
    const path = parsePath(text)
    if (!path.ok) return messages["field-value"].malformedPath(field(), text, path.message)
  }
  for (const token of tokensOf(template.parts)) {
    const [inner] = token.inner
    if (typeof inner !== "string" || token.inner.length > 1) continue
    const path = parsePath(inner)
    if (!path.ok) return malformed.path(field(), inner, path.message)
  }
  // In a price, "$" may stand before a placeholder, but hardly before a variable.
  const [, variable] = /^\$\{\{\s*(env[.[][^{}]+?)\s*\}\}$/.exec(text) ?? []
  return variable === undefined ? undefined : malformed.dollar(field(), variable)
}

/** A workflow without syntax and shape errors. A substitute block replaces each broken one in the same position. */
export interface ReadableWorkflow {
  readonly workflow: Workflow
  /** The substitute blocks, which have only the original id and nested blocks. */
  readonly broken: ReadonlySet<Block>
  readonly brokenInputs: ReadonlySet<string>
  /** False if blocks or inputs couldn't be read. An unknown name may then refer to one of them. */
  readonly isComplete: boolean
}

/** Returns a workflow without the parts that have findings. Undefined if it has no list of blocks. */
function readableWorkflow(
  value: JsonValue | undefined,
  findings: readonly ShapeFinding[],
  damage: readonly Damage[] = [],
): ReadableWorkflow | undefined {
  if (!isJsonObject(value) || !isJsonArray(value["blocks"])) return undefined
  // The list of findings is truncated, so some broken blocks are unknown.
  if (findings.length > MAX_FINDINGS) return undefined
  const broken: readonly BrokenPart[] = [
    ...findings.filter(({ code }) => code !== "field-unknown"),
    ...damage.filter(({ pointer }) => pointer.length > 1),
  ]
  const rebuilt = rebuildBlocks(value["blocks"], brokenBlocks(value, broken))
  const inputs = readInputs(value["inputs"], broken)
  return {
    workflow: {
      version: 1,
      blocks: rebuilt.blocks,
      onFailure: value["onFailure"] === "continue" ? "continue" : undefined,
      validateContracts: value["validateContracts"] === true ? true : undefined,
      inputs: inputs.declarations,
    },
    broken: rebuilt.broken,
    brokenInputs: inputs.broken,
    isComplete: rebuilt.isComplete && inputs.isComplete && !damage.some((part) => hidesNames(value, part)),
  }
}

/** A part with an error. An unknown field does not break its part. */
type BrokenPart = Pick<ShapeFinding, "pointer">

/** Returns whether blocks, inputs or iterators may be missing because of a syntax error. */
function hidesNames(root: JsonObject, { pointer, isLost }: Damage): boolean {
  const [first, name] = pointer
  if (first === undefined) return true
  if (first === "inputs") return name === undefined || isLost
  const [last = "", list = ""] = [pointer.at(-1), pointer.at(-2)]
  if (nesting.has(last) || (isLost && typeof last === "number" && nesting.has(list))) return true
  const block = valueAt(root, pointer.slice(0, -1))
  return (
    isLost && isJsonObject(block) && Object.hasOwn(block, "blocks") && !Object.hasOwn(block, "iteratorVar")
  )
}

/** Returns the blocks with an error in their own fields, not in nested blocks. */
function brokenBlocks(root: JsonObject, parts: readonly BrokenPart[]): ReadonlySet<JsonValue> {
  const broken = new Set<JsonValue>()
  for (const { pointer } of parts) {
    const owner = ownerOf(root, pointer)
    if (owner !== undefined) broken.add(owner)
  }
  return broken
}

const nesting: ReadonlySet<string | number> = new Set(childFields)

function ownerOf(root: JsonObject, pointer: JsonPointer): JsonValue | undefined {
  let owner: JsonValue | undefined
  let list: JsonValue | undefined = root
  for (let at = 0; at + 1 < pointer.length; at += 2) {
    const [field, index] = [pointer[at], pointer[at + 1]]
    if (field === undefined || !nesting.has(field) || typeof index !== "number") break
    const blocks: JsonValue | undefined = isJsonObject(list) ? ownOf(list, field) : undefined
    list = isJsonArray(blocks) ? blocks[index] : undefined
    if (list === undefined) break
    owner = list
  }
  return owner
}

interface Rebuilt {
  readonly blocks: readonly Block[]
  readonly broken: Set<Block>
  isComplete: boolean
}

function rebuildBlocks(source: readonly JsonValue[], isBroken: ReadonlySet<JsonValue>): Rebuilt {
  const top: Block[] = []
  const rebuilt: Rebuilt = { blocks: top, broken: new Set(), isComplete: true }
  const work = [{ from: source, to: top, isChecked: true }]
  const listFor = (from: JsonValue | undefined, isChecked: boolean): Block[] => {
    const to: Block[] = []
    if (isJsonArray(from)) work.push({ from, to, isChecked })
    return to
  }
  const isSound = (value: JsonValue): value is JsonObject & Block =>
    isJsonObject(value) && !isBroken.has(value)
  for (let list = work.pop(); list !== undefined; list = work.pop()) {
    const { from, to, isChecked } = list
    for (const value of from) {
      if (isChecked && isSound(value)) to.push(withLists(value, (blocks) => listFor(blocks, true)))
      else to.push(standIn(value, rebuilt, (blocks, isKnown) => listFor(blocks, isChecked && isKnown)))
    }
  }
  return rebuilt
}

function withLists(block: JsonObject & Block, listFor: (from: JsonValue | undefined) => Blocks): Block {
  const fields = childFieldsOf(block.type).filter((field) => Object.hasOwn(block, field))
  if (fields.length === 0) return block
  const source: JsonObject = block
  return { ...block, ...Object.fromEntries(fields.map((field) => [field, listFor(source[field])])) }
}

function standIn(
  value: JsonValue,
  rebuilt: Rebuilt,
  listFor: (from: JsonValue | undefined, isKnown: boolean) => Block[],
): Block {
  const draft = isJsonObject(value) ? value : {}
  const { id, type } = draft
  // The contents of a block with an unknown type haven't been checked.
  const known = childFieldsOf(type)
  const [first] = known
  const hasBlocks = first === undefined || isJsonArray(draft[first])
  if (typeof id !== "string" || !hasBlocks) rebuilt.isComplete = false
  const block = standInFor(
    draft,
    typeof id === "string" ? id : `block ${rebuilt.broken.size} without id`,
    (field) => listFor(draft[field], known.includes(field)),
  )
  rebuilt.broken.add(block)
  return block
}

function readInputs(value: JsonValue | undefined, parts: readonly BrokenPart[]) {
  if (!isJsonObject(value)) return { broken: new Set<string>(), isComplete: value === undefined }
  const broken = new Set(
    parts.flatMap(({ pointer: [field, name] }) =>
      field === "inputs" && typeof name === "string" ? [name] : [],
    ),
  )
  const isSound = (name: string, declaration: JsonValue): declaration is JsonObject & InputDeclaration =>
    isJsonObject(declaration) && !broken.has(name)
  const declarations = Object.entries(value).map(([name, declaration]): [string, InputDeclaration] => [
    name,
    isSound(name, declaration) ? declaration : { type: "string" },
  ])
  return { declarations: Object.fromEntries(declarations), broken, isComplete: true }
}
