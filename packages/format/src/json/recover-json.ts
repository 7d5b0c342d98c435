// Reads what can be trusted of broken JSON: everything outside the values that a syntax error may have changed.

import { getOrCreate } from "../memo.ts"
import {
  ARRAY,
  DAMAGED,
  END,
  field,
  FLAGS,
  type JsonTree,
  KEY_FROM,
  KIND,
  keyOfRow,
  LOST,
  MISSING,
  OBJECT,
  PARENT,
  pointerToRow,
  readJsonTree,
  START,
} from "./json-tree.ts"
import { parseJson } from "./parse-json.ts"
import type { JsonPointer } from "./pointer.ts"
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  ownOf,
  setOwn,
} from "./value.ts"

export interface RecoveredJson {
  /**
   * The value. Members whose value is unknown are left out, and items are `null`. For checks only: a run, an edit or a
   * message never uses it.
   */
  readonly value: JsonObject
  /** The places whose own members or items are not all known, and those of unknown values. In no order. */
  readonly damage: readonly Damage[]
  /** Returns whether a finding can't be a consequence of the syntax error. */
  readonly isTrusted: (finding: { readonly pointer: JsonPointer; readonly at: "key" | "value" }) => boolean
}

export interface Damage {
  readonly pointer: JsonPointer
  /** True if nothing at or below the place is known for certain. */
  readonly isLost: boolean
}

/** With more damage, nothing of a file can be trusted. */
const MAX_DAMAGE = 1_000

/** Reads an object that `parseJson` refused. Returns undefined if nothing of it can be trusted. */
export function recoverJson(text: string): RecoveredJson | undefined {
  const tree = readJsonTree(text)
  if (tree.count === 0 || field(tree, 0, KIND) !== OBJECT || isFlagged(tree, 0, LOST)) return undefined
  const { root, lost, damaged, damage } = new Recovery(tree).read()
  if (damage.length > MAX_DAMAGE) return undefined
  const isTrusted: RecoveredJson["isTrusted"] = ({ pointer, at }) => {
    let here: JsonValue | undefined = root
    for (const step of pointer) {
      if (!isContainer(here)) return true
      if (lost.get(here)?.has(step) === true) return false
      here = ownOf(here as Readonly<Record<string | number, JsonValue>>, step)
    }
    return at === "key" || !isContainer(here) || !damaged.has(here)
  }
  return { value: root, damage, isTrusted }
}

type JsonContainer = JsonObject | JsonArray

const isContainer = (value: JsonValue | undefined): value is JsonContainer =>
  isJsonObject(value) || isJsonArray(value)

const isFlagged = (tree: JsonTree, row: number, flag: number): boolean =>
  (field(tree, row, FLAGS) & flag) !== 0

class Recovery {
  readonly #tree: JsonTree
  readonly #containers = new Map<number, JsonContainer>()
  readonly #damaged = new Set<JsonContainer>()
  readonly #lost = new Map<JsonContainer, Set<string | number>>()
  readonly #damage: Damage[] = []

  constructor(tree: JsonTree) {
    this.#tree = tree
  }

  read() {
    const root: JsonObject = {}
    this.#enter(0, root)
    for (let row = 1; row < this.#tree.count; row++) this.#read(row)
    return { root, damaged: this.#damaged, lost: this.#lost, damage: this.#damage }
  }

  #read(row: number): void {
    const outer = this.#containers.get(field(this.#tree, row, PARENT))
    const isItem = isJsonArray(outer)
    // A value without a key, or inside one: nobody can say what it belongs to.
    if (outer === undefined || (!isItem && field(this.#tree, row, KEY_FROM) === -1)) return
    if (isItem) return this.#item(row, outer)
    const key = keyOfRow(this.#tree, row)
    const value = this.#valueOf(row)
    // The key may be half-written, too.
    const isMissing = field(this.#tree, row, KIND) === MISSING
    const isRepeated = !isMissing && (Object.hasOwn(outer, key) || this.#isLost(outer, key))
    if (isMissing) this.#add(row, true)
    else if (isRepeated || value === undefined || isFlagged(this.#tree, row, LOST))
      this.#lose(row, outer, key)
    if (isRepeated) delete (outer as Record<string, JsonValue>)[key]
    // A member that is left out isn't missing.
    if (isRepeated || value === undefined) this.#damaged.add(outer)
    else {
      setOwn(outer as Record<string, JsonValue>, key, value)
      this.#enter(row, value)
    }
  }

  #item(row: number, outer: JsonArray): void {
    const value = this.#valueOf(row)
    if (value === undefined || isFlagged(this.#tree, row, LOST)) this.#lose(row, outer, outer.length)
    ;(outer as JsonValue[]).push(value ?? null)
    this.#enter(row, value ?? null)
  }

  #enter(row: number, value: JsonValue): void {
    if (!isContainer(value)) return
    this.#containers.set(row, value)
    if (!isFlagged(this.#tree, row, DAMAGED)) return
    this.#damaged.add(value)
    this.#add(row, false)
  }

  #valueOf(row: number): JsonValue | undefined {
    const kind = field(this.#tree, row, KIND)
    if (kind === OBJECT) return {}
    if (kind === ARRAY) return []
    if (isFlagged(this.#tree, row, LOST)) return undefined
    const text = this.#tree.text.slice(field(this.#tree, row, START), field(this.#tree, row, END))
    const parsed = parseJson(text)
    return parsed.ok ? parsed.value : undefined
  }

  #lose(row: number, outer: JsonContainer, key: string | number): void {
    getOrCreate(this.#lost, outer, () => new Set<string | number>()).add(key)
    this.#add(row, true)
  }

  #isLost(outer: JsonContainer, key: string): boolean {
    return this.#lost.get(outer)?.has(key) === true
  }

  #add(row: number, isLost: boolean): void {
    if (this.#damage.length <= MAX_DAMAGE)
      this.#damage.push({ pointer: pointerToRow(this.#tree, row), isLost })
  }
}
