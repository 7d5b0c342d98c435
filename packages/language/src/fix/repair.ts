// What a repair is: an edit of one place of a JSON file, and its reason.

import {
  type JsonPointer,
  type JsonValue,
  type TextChange,
  changeText,
  stringEnd,
  setJsonAt,
  deleteJsonAt,
  createJsonLocator,
  createLineFinder,
  createStringOffsets,
  getOrCreate,
  type EditedJson,
  type ObjectShape,
  type SourceFile,
} from "@callsheet/format"

/** `pointer` refers to the text before all repairs. */
type RepairEdit = { readonly pointer: JsonPointer } & (
  | { readonly is: "rename"; readonly to: string }
  /** Sets a value, which may be new. */
  | { readonly is: "set"; readonly value: JsonValue }
  | { readonly is: "delete" }
  /** Replaces a part of a string. */
  | { readonly is: "replace"; readonly offset: number; readonly from: string; readonly to: string }
)

export type RenamingEdit = Extract<RepairEdit, { readonly is: "rename" | "replace" }>

export interface Repair {
  readonly source: SourceFile
  readonly edit: RepairEdit
  readonly message: string
}

export interface RepairedFile {
  readonly file: string
  readonly before: string
  readonly after: string
  /** The lines are those of the text before the repairs. */
  readonly repairs: readonly { readonly line: number; readonly message: string }[]
}

/**
 * Applies repairs. Of several that change one place or give a member the same key, the first wins. Keeps every other
 * byte of the files.
 */
export function applyRepairs(
  repairs: Iterable<Repair>,
  shapeOf: (file: string) => ObjectShape | undefined,
): readonly RepairedFile[] {
  const byFile = new Map<string, Repair[]>()
  const taken = new Set<string>()
  for (const repair of repairs) {
    const { edit, source } = repair
    const keyOf = (place: JsonPointer): string => JSON.stringify([source.file, ...place])
    const places = placesOf(edit).map(keyOf)
    const isTaken = [keyOf(edit.pointer), ...places].some((place) => taken.has(place))
    if (isOfAssertion(edit.pointer) || isTaken) continue
    for (const place of places) taken.add(place)
    getOrCreate(byFile, source.file, () => []).push(repair)
  }
  return [...byFile.values()].flatMap((all) => {
    const [{ source } = {}] = all
    if (source === undefined) return []
    const { file, text } = source
    const [locate, placeOf] = [createJsonLocator(text), createLineFinder(text)]
    const lines = all.map(({ edit, message }) => ({
      line: placeOf(locate(edit.pointer, "key")).line,
      message,
    }))
    const after = editedText(text, all, shapeOf(file))
    return [{ file, before: text, after, repairs: lines.toSorted((a, b) => a.line - b.line) }]
  })
}

/** Returns the places that an edit changes: the old and the new one of a renamed member. */
function placesOf(edit: RepairEdit): readonly JsonPointer[] {
  const { pointer } = edit
  if (edit.is === "replace") return [[...pointer, edit.offset]]
  return edit.is === "rename" ? [pointer, [...pointer.slice(0, -1), edit.to]] : [pointer]
}

/** An assertion is what a person decided to test, so no repair may change it. */
export const isOfAssertion = (pointer: JsonPointer): boolean =>
  pointer.some(
    (step, at) =>
      step === "assertions" && typeof pointer[at - 1] === "number" && pointer[at - 2] === "blocks",
  )

/** Edits the deepest places first, so that the pointers of the others stay valid. */
function editedText(text: string, repairs: readonly Repair[], shape: ObjectShape | undefined): string {
  const deepestFirst = repairs.toSorted(
    ({ edit: a }, { edit: b }) =>
      b.pointer.length - a.pointer.length || order[a.is] - order[b.is] || offsetOf(b) - offsetOf(a),
  )
  return deepestFirst.reduce((before, { edit }) => takeText(editText(before, edit, shape)), text)
}

function takeText(edited: EditedJson): string {
  // Unreachable: the file was already read.
  if (!edited.ok) throw new Error("cannot repair a file that does not parse")
  return edited.text
}

/** A new member comes last, because it may be set where another is renamed away. */
const order = { replace: 0, rename: 1, delete: 2, set: 3 } as const

/** Of several names in one string, the last is replaced first. */
const offsetOf = (edit: RepairEdit): number => (edit.is === "replace" ? edit.offset : 0)

function editText(text: string, edit: RepairEdit, shape: ObjectShape | undefined): EditedJson {
  switch (edit.is) {
    case "rename":
    case "replace":
      return { ok: true, text: changeText(text, [changeOf(text, edit, createJsonLocator(text))]) }
    case "delete":
      return deleteJsonAt(text, edit.pointer)
    case "set":
      return setJsonAt(text, edit.pointer, edit.value, shape)
  }
}

/** Returns the change of a file's text that gives a key or a part of a string another name. */
export function changeOf(
  text: string,
  edit: RenamingEdit,
  locate: ReturnType<typeof createJsonLocator>,
): TextChange {
  if (edit.is === "rename") {
    const from = locate(edit.pointer, "key")
    return { from, to: stringEnd(text, from), by: JSON.stringify(edit.to) }
  }
  const inText = createStringOffsets(text, locate(edit.pointer, "value"))
  const [from, to] = [inText(edit.offset), inText(edit.offset + edit.from.length)]
  return { from, to, by: JSON.stringify(edit.to).slice(1, -1) }
}
