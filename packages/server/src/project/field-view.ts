// Shows a document's type as a tree of limited size. Schemas may be recursive.

import type { ValueType } from "@callsheet/format"
import { typeWords } from "@callsheet/language"
import type { FieldView, NamedField } from "../calls/index.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

export type ViewMasker = Pick<Masker, "text" | "value">

/** The number of fields that all trees of an answer may still have. Counts down. */
export interface Room {
  left: number
}

const MAX_DEPTH = 12
const MAX_VALUES = 200
const LONGEST_TEXT = 2_000

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Draft = Mutable<FieldView>

interface Work {
  readonly type: ValueType
  readonly draft: Draft
  readonly depth: number
  /** The enclosing types. A recursive type is shown once. */
  readonly around: ReadonlySet<ValueType>
}

/** Builds the tree breadth first, so that only deep fields are left out. */
export function fieldView(type: ValueType, shown: ViewMasker, room: Room): FieldView {
  const root = draftOf(type, shown)
  const queue: Work[] = [{ type, draft: root, depth: 0, around: new Set() }]
  for (const work of queue) queue.push(...openUp(work, shown, room))
  return root
}

function openUp({ type, draft, depth, around }: Work, shown: ViewMasker, room: Room): readonly Work[] {
  const names = type.kinds?.has("object") === false ? [] : type.names()
  const isList = type.kinds?.has("array") === true
  if (names.length === 0 && !isList) return []
  if (depth === MAX_DEPTH || around.has(type) || room.left <= 0) {
    draft.isCut = true
    return []
  }
  const inner = { depth: depth + 1, around: new Set([...around, type]) }
  const work: Work[] = []
  if (isList) {
    const items = stepType(type, "0")
    if (items !== undefined) {
      draft.items = draftOf(items, shown)
      room.left--
      work.push({ type: items, draft: draft.items, ...inner })
    }
  }
  const required = new Set(type.required())
  const fields: Mutable<NamedField>[] = []
  for (const name of names) {
    const field = stepType(type, name)
    if (field === undefined) continue
    if (room.left-- <= 0) {
      draft.isCut = true
      break
    }
    const view = {
      name: shown.text(name),
      ...draftOf(field, shown),
      required: required.has(name) || undefined,
    }
    fields.push(view)
    work.push({ type: field, draft: view, ...inner })
  }
  if (fields.length > 0) draft.fields = fields
  return work
}

function stepType(type: ValueType, segment: string): ValueType | undefined {
  const step = type.step(segment)
  return step.leads === "to" ? step.type : undefined
}

function draftOf(type: ValueType, shown: ViewMasker): Draft {
  const { description, format } = type.notes?.() ?? {}
  return {
    words: shown.text(typeWords(type)),
    kinds: type.kinds && [...type.kinds],
    description: description && shown.text(cut(description)),
    values: type.values?.slice(0, MAX_VALUES).map(shown.value),
    isPassword: format === "password" || undefined,
  }
}

/** Cuts a string, but never between the halves of a surrogate pair. */
export const cut = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}…` : text
