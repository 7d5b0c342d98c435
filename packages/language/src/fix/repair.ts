// What a repair is: an edit of one place of a JSON file, and its reason.

import {
  type JsonPointer,
  type JsonValue,
  renameJsonKey,
  setJsonAt,
  deleteJsonAt,
  createJsonLocator,
  createLineFinder,
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
)

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

/** Applies repairs. Of several at one place, the first wins. Keeps every other byte of the files. */
export function applyRepairs(
  repairs: Iterable<Repair>,
  shapeOf: (file: string) => ObjectShape | undefined,
): readonly RepairedFile[] {
  const byFile = new Map<SourceFile, Map<string, Repair>>()
  for (const repair of repairs) {
    if (isOfAssertion(repair.edit.pointer)) continue
    const places = getOrCreate(byFile, repair.source, () => new Map<string, Repair>())
    getOrCreate(places, JSON.stringify(repair.edit.pointer), () => repair)
  }
  return [...byFile].map(([source, places]) => {
    const { file, text } = source
    const all = [...places.values()]
    const [locate, placeOf] = [createJsonLocator(text), createLineFinder(text)]
    const lines = all.map(({ edit, message }) => ({
      line: placeOf(locate(edit.pointer, "key")).line,
      message,
    }))
    return {
      file,
      before: text,
      after: editedText(text, all, shapeOf(file)),
      repairs: lines.toSorted((a, b) => a.line - b.line),
    }
  })
}

/** An assertion is what a person decided to test, so no repair may change it. */
const isOfAssertion = (pointer: JsonPointer): boolean =>
  pointer.some(
    (step, at) =>
      step === "assertions" && typeof pointer[at - 1] === "number" && pointer[at - 2] === "blocks",
  )

/** Edits the deepest places first, so that the pointers of the others stay valid. */
function editedText(text: string, repairs: readonly Repair[], shape: ObjectShape | undefined): string {
  const deepestFirst = repairs.toSorted(
    ({ edit: a }, { edit: b }) => b.pointer.length - a.pointer.length || order[a.is] - order[b.is],
  )
  return deepestFirst.reduce((before, { edit }) => {
    const edited = editText(before, edit, shape)
    // Unreachable: the file was already read.
    if (!edited.ok) throw new Error("cannot repair a file that does not parse")
    return edited.text
  }, text)
}

/** A new member comes last, because it may be set where another is renamed away. */
const order = { rename: 0, delete: 1, set: 2 } as const

function editText(text: string, edit: RepairEdit, shape: ObjectShape | undefined): EditedJson {
  switch (edit.is) {
    case "rename":
      return renameJsonKey(text, edit.pointer, edit.to)
    case "delete":
      return deleteJsonAt(text, edit.pointer)
    case "set":
      return setJsonAt(text, edit.pointer, edit.value, shape)
  }
}
