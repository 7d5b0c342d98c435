// Edits JSON text in one step. All other bytes stay the same. Pure.

import {
  deleteJsonAt,
  insertJsonItem,
  isJsonObject,
  moveJsonItems,
  parseEdited,
  renameJsonKey,
  setJsonAt,
  valueAt,
  type EditedJson,
  type JsonPointer,
  type JsonValue,
  type Shape,
} from "@callsheet/format"

/** Pointers are relative to the value that the form edits. Invalid JSON doesn't change. */
export class TextEdit {
  #text: string
  readonly #base: JsonPointer
  readonly #shape: Shape | undefined

  /** `shape` is the shape of the file. It determines the position of new keys. */
  constructor(text: string, base: JsonPointer, shape?: Shape) {
    this.#text = text
    this.#base = base
    this.#shape = shape
  }

  get text(): string {
    return this.#text
  }

  set(pointer: JsonPointer, value: JsonValue): this {
    return this.#take(setJsonAt(this.#text, this.#at(pointer), value, this.#shape))
  }

  /** Removes a value and the objects that are then empty, up to the object at `upTo`, such as `overrides`. */
  unset(pointer: JsonPointer, upTo?: JsonPointer): this {
    this.#take(deleteJsonAt(this.#text, this.#at(pointer)))
    if (upTo === undefined) return this
    const emptied = this.#emptied(pointer, upTo.length)
    return emptied === undefined ? this : this.#take(deleteJsonAt(this.#text, this.#at(emptied)))
  }

  renameKey(pointer: JsonPointer, name: string): this {
    return this.#take(renameJsonKey(this.#text, this.#at(pointer), name))
  }

  insert(array: JsonPointer, index: number, value: JsonValue): this {
    return this.#take(insertJsonItem(this.#text, this.#at(array), index, value))
  }

  move(array: JsonPointer, from: number, to: number): this {
    const list = this.#at(array)
    return this.#take(moveJsonItems(this.#text, { array: list, index: from, count: 1 }, list, to))
  }

  read(pointer: JsonPointer): JsonValue | undefined {
    const parsed = parseEdited(this.#text.replace(/^\ufeff/, ""))
    return parsed.ok ? valueAt(parsed.value, this.#at(pointer)) : undefined
  }

  /** Returns the outermost object on the path that would be empty after the removal. */
  #emptied(pointer: JsonPointer, from: number): JsonPointer | undefined {
    let emptied: JsonPointer | undefined
    for (let length = pointer.length - 1; length >= from; length--) {
      const way = pointer.slice(0, length)
      const value = this.read(way)
      const isEmpty = isJsonObject(value) && Object.keys(value).length === (emptied === undefined ? 0 : 1)
      if (!isEmpty) break
      emptied = way
    }
    return emptied
  }

  #at(pointer: JsonPointer): JsonPointer {
    return [...this.#base, ...pointer]
  }

  #take(edited: EditedJson): this {
    if (edited.ok) this.#text = edited.text
    return this
  }
}
