// What can still be read of a workflow whose shape is broken in places, so that everything wrong with it is said at once.

import type { JsonPointer } from "../json/locate.ts"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import { MAX_FINDINGS, type ShapeFinding } from "../shape/check-shape.ts"
import { children } from "./blocks/index.ts"
import type { Block, InputDeclaration, Workflow } from "./types.ts"

/** A workflow without errors of shape. Where there were some, blocks stand in for the broken ones at the same places. */
export interface ReadableWorkflow {
  readonly workflow: Workflow
  /** The stand-ins: they have their block's id and nested blocks, and say nothing of their own. */
  readonly broken: ReadonlySet<Block>
  /** Inputs whose declaration is broken. */
  readonly brokenInputs: ReadonlySet<string>
  /** False where blocks or inputs could not be read at all: names that nothing gives may be theirs. */
  readonly isComplete: boolean
}

/** The whole of a workflow that is well-formed. */
export const wholeWorkflow = (workflow: Workflow): ReadableWorkflow => ({
  workflow,
  broken: new Set(),
  brokenInputs: new Set(),
  isComplete: true,
})

/** What is left of a workflow file without what `findings` say is wrong; undefined where it has no list of blocks. */
export function readableWorkflow(
  value: JsonValue,
  findings: readonly ShapeFinding[],
): ReadableWorkflow | undefined {
  if (!isJsonObject(value) || !isJsonArray(value["blocks"])) return undefined
  // Then not all is known that is broken.
  if (findings.length > MAX_FINDINGS) return undefined
  const rebuilt = rebuildBlocks(value["blocks"], brokenBlocks(value, findings))
  const inputs = readInputs(value["inputs"], findings)
  return {
    workflow: {
      version: 1,
      blocks: rebuilt.blocks,
      ...(value["onFailure"] === "continue" ? { onFailure: "continue" } : {}),
      ...(value["validateContracts"] === true ? { validateContracts: true } : {}),
      ...(inputs.declarations === undefined ? {} : { inputs: inputs.declarations }),
    },
    broken: rebuilt.broken,
    brokenInputs: inputs.broken,
    isComplete: rebuilt.isComplete && inputs.isComplete,
  }
}

/** The blocks with an error in what is theirs, not their nested blocks'. An unknown field alone breaks nothing. */
function brokenBlocks(root: JsonObject, findings: readonly ShapeFinding[]): ReadonlySet<JsonValue> {
  const broken = new Set<JsonValue>()
  for (const { pointer, code } of findings) {
    const owner = code === "field-unknown" ? undefined : ownerOf(root, pointer)
    if (owner !== undefined) broken.add(owner)
  }
  return broken
}

function ownerOf(root: JsonObject, pointer: JsonPointer): JsonValue | undefined {
  let owner: JsonValue | undefined
  let list: JsonValue | undefined = root
  for (let at = 0; at + 1 < pointer.length; at += 2) {
    const [field, index] = [pointer[at]!, pointer[at + 1]!]
    if (!isChildField(field) || typeof index !== "number") break
    const blocks: JsonValue | undefined = isJsonObject(list) ? list[field] : undefined
    list = isJsonArray(blocks) ? blocks[index] : undefined
    if (list === undefined) break
    owner = list
  }
  return owner
}

type ChildField = "blocks" | "then" | "else"
const isChildField = (field: string | number): field is ChildField =>
  field === "blocks" || field === "then" || field === "else"

interface Rebuilt {
  readonly blocks: readonly Block[]
  readonly broken: Set<Block>
  isComplete: boolean
}

function rebuildBlocks(source: readonly JsonValue[], isBroken: ReadonlySet<JsonValue>): Rebuilt {
  const top: Block[] = []
  const rebuilt: Rebuilt = { blocks: top, broken: new Set(), isComplete: true }
  const work = [{ from: source, to: top, isChecked: true }]
  const listFor = (from: readonly JsonValue[], isChecked: boolean): Block[] => {
    const to: Block[] = []
    work.push({ from, to, isChecked })
    return to
  }
  for (let list = work.pop(); list !== undefined; list = work.pop()) {
    const { from, to, isChecked } = list
    for (const value of from) {
      if (isBroken.has(value) || !isJsonObject(value) || !isChecked) {
        to.push(
          standIn(value, rebuilt, (blocks, field) =>
            listFor(blocks, isChecked && isCheckedField(value, field)),
          ),
        )
      } else to.push(copyBlock(value as unknown as Block, (blocks) => listFor(blocks, true)))
    }
  }
  return rebuilt
}

/** Whether the shape of a block, broken or not, says what stands in a list. Below an unknown type nobody has looked. */
function isCheckedField(block: JsonValue, field: ChildField): boolean {
  const type = isJsonObject(block) ? block["type"] : undefined
  if (type === "condition") return field !== "blocks"
  return (type === "loop" || type === "group") && field === "blocks"
}

function copyBlock(block: Block, listFor: (from: readonly JsonValue[]) => Block[]): Block {
  const lists = children(block)
  if (lists.length === 0) return block
  const copies = lists.map(({ field, blocks }) => [field, listFor(blocks as unknown as JsonValue[])])
  return { ...block, ...(Object.fromEntries(copies) as Partial<Block>) } as Block
}

/** A harmless block with the id, the iterator and the nested blocks of a broken one. */
function standIn(
  value: JsonValue,
  rebuilt: Rebuilt,
  listFor: (from: readonly JsonValue[], field: ChildField) => Block[],
): Block {
  const source = isJsonObject(value) ? value : {}
  const list = (field: ChildField): Block[] => {
    const blocks = source[field]
    return isJsonArray(blocks) ? listFor(blocks, field) : []
  }
  if (typeof source["id"] !== "string" || lacksChildren(source)) rebuilt.isComplete = false
  const id = typeof source["id"] === "string" ? source["id"] : `block ${rebuilt.broken.size} without id`
  const block: Block = hasBranches(source)
    ? { id, type: "condition", script: nothing, then: list("then"), else: list("else") }
    : isLoop(source)
      ? { id, type: "loop", mode: "until", script: nothing, ...iteratorOf(source), blocks: list("blocks") }
      : { id, type: "group", blocks: list("blocks") }
  rebuilt.broken.add(block)
  return block
}

const nothing = { name: "nothing", exportName: "nothing" }

const hasBranches = (source: JsonObject): boolean =>
  source["type"] === "condition" || isJsonArray(source["then"]) || isJsonArray(source["else"])

const isLoop = (source: JsonObject): boolean =>
  source["type"] === "loop" || typeof source["iteratorVar"] === "string"

const iteratorOf = ({ iteratorVar }: JsonObject): { readonly iteratorVar?: string } =>
  typeof iteratorVar === "string" ? { iteratorVar } : {}

/** Whether nested blocks may stand where they cannot be read. */
const lacksChildren = (source: JsonObject): boolean =>
  source["type"] === "condition"
    ? !isJsonArray(source["then"])
    : source["type"] === "loop" || source["type"] === "group"
      ? !isJsonArray(source["blocks"])
      : false

interface ReadInputs {
  readonly declarations?: Readonly<Record<string, InputDeclaration>>
  readonly broken: ReadonlySet<string>
  readonly isComplete: boolean
}

function readInputs(value: JsonValue | undefined, findings: readonly ShapeFinding[]): ReadInputs {
  if (value === undefined) return { broken: new Set(), isComplete: true }
  if (!isJsonObject(value)) return { broken: new Set(), isComplete: false }
  const broken = new Set(
    findings.flatMap(({ pointer: [field, name], code }) =>
      field === "inputs" && typeof name === "string" && code !== "field-unknown" ? [name] : [],
    ),
  )
  const declarations = Object.entries(value).map(([name, declaration]): [string, InputDeclaration] => [
    name,
    broken.has(name) ? { type: "string" } : (declaration as unknown as InputDeclaration),
  ])
  return { declarations: Object.fromEntries(declarations), broken, isComplete: true }
}
