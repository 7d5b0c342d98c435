// Extracts the readable part of a workflow with shape errors, so that all its other problems are reported at the same time.

import type { JsonPointer } from "../json/pointer.ts"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import { MAX_FINDINGS, type ShapeFinding } from "../shape/check-shape.ts"
import { childFields, childFieldsOf, standInFor } from "./blocks/index.ts"
import type { Block, Blocks, InputDeclaration, Workflow } from "./types.ts"

/** A workflow without shape errors. Substitute blocks replace the broken ones in the same positions. */
export interface ReadableWorkflow {
  readonly workflow: Workflow
  /** The substitute blocks: they have the original id and nested blocks, and nothing else. */
  readonly broken: ReadonlySet<Block>
  readonly brokenInputs: ReadonlySet<string>
  /** False if blocks or inputs could not be read: an unknown name may then refer to one of them. */
  readonly isComplete: boolean
}

export const wholeWorkflow = (workflow: Workflow): ReadableWorkflow => ({
  workflow,
  broken: new Set(),
  brokenInputs: new Set(),
  isComplete: true,
})

/** Returns a workflow without the parts that have findings. Undefined if it has no list of blocks. */
export function readableWorkflow(
  value: JsonValue,
  findings: readonly ShapeFinding[],
): ReadableWorkflow | undefined {
  if (!isJsonObject(value) || !isJsonArray(value["blocks"])) return undefined
  // The findings were cut off, so some broken blocks are unknown.
  if (findings.length > MAX_FINDINGS) return undefined
  const rebuilt = rebuildBlocks(value["blocks"], brokenBlocks(value, findings))
  const inputs = readInputs(value["inputs"], findings)
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
    isComplete: rebuilt.isComplete && inputs.isComplete,
  }
}

/** Returns the blocks with an error in their own fields, not in nested blocks. An unknown field does not break a block. */
function brokenBlocks(root: JsonObject, findings: readonly ShapeFinding[]): ReadonlySet<JsonValue> {
  const broken = new Set<JsonValue>()
  for (const { pointer, code } of findings) {
    const owner = code === "field-unknown" ? undefined : ownerOf(root, pointer)
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
    const blocks: JsonValue | undefined = isJsonObject(list) ? list[field] : undefined
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

function lacksBlocks(draft: JsonObject): boolean {
  const [first] = childFieldsOf(draft["type"])
  return first !== undefined && !isJsonArray(draft[first])
}

function standIn(
  value: JsonValue,
  rebuilt: Rebuilt,
  listFor: (from: JsonValue | undefined, isKnown: boolean) => Block[],
): Block {
  const draft = isJsonObject(value) ? value : {}
  const { id, type } = draft
  if (typeof id !== "string" || lacksBlocks(draft)) rebuilt.isComplete = false
  // The contents of an unknown type have not been checked.
  const known = childFieldsOf(type)
  const block = standInFor(
    draft,
    typeof id === "string" ? id : `block ${rebuilt.broken.size} without id`,
    (field) => listFor(draft[field], known.includes(field)),
  )
  rebuilt.broken.add(block)
  return block
}

function readInputs(value: JsonValue | undefined, findings: readonly ShapeFinding[]) {
  if (!isJsonObject(value)) return { broken: new Set<string>(), isComplete: value === undefined }
  const broken = new Set(
    findings.flatMap(({ pointer: [field, name], code }) =>
      field === "inputs" && typeof name === "string" && code !== "field-unknown" ? [name] : [],
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
