// Shows files before and after a change. Hides the values of variables that are or become secret.

import {
  changeText,
  isJsonObject,
  jsonRangeAt,
  parseJson,
  parseSecretsFile,
  valueAt,
  type JsonPointer,
  type Project,
} from "@callsheet/format"
import type { TextEdit } from "@callsheet/project"
import type { ChangePreview, ChangedFile } from "../calls/index.ts"
import { maskJsonText } from "../secrets/mask-json-text.ts"
import { noSecrets, type Masker } from "../secrets/secrets-masker.ts"

interface Hidden {
  readonly masker: Masker
  readonly hides: ReadonlySet<string>
}

/** The limits of a preview, in characters before masking. Nobody reads more, and the page could run out of memory. */
const previewBounds = { perFile: 512 * 1024, inAll: 2 * 1024 * 1024, files: 200, names: 200 } as const

export function showEdits(
  edits: readonly TextEdit[],
  hidden: Hidden,
): Pick<ChangePreview, "files" | "fileCount" | "omitted"> {
  const files: ChangedFile[] = []
  const omitted: string[] = []
  let room: number = previewBounds.inAll
  for (const edit of edits) {
    const size = (edit.before?.length ?? 0) + edit.after.length
    if (size <= Math.min(room, previewBounds.perFile) && files.length < previewBounds.files) {
      room -= size
      files.push(showEdit(edit, hidden))
    } else if (omitted.length < previewBounds.names) omitted.push(edit.file)
  }
  return { files, fileCount: edits.length, omitted }
}

function showEdit(edit: TextEdit, hidden: Hidden): ChangedFile {
  const show = (text: string) => showText(edit, text, hidden)
  return { path: edit.file, before: edit.before === null ? null : show(edit.before), after: show(edit.after) }
}

function showText({ file, isSecret }: TextEdit, text: string, { masker, hides }: Hidden): string {
  if (isSecret) return namesOf(text)
  if (file.endsWith(".ts")) return masker.text(text)
  const shown = file.includes("/environments/") ? withoutValues(text, hides) : text
  return masker === noSecrets ? shown : maskJsonText(shown, masker)
}

/** Shows only the names in a secrets file. Even comments may contain values. */
const namesOf = (text: string): string =>
  parseSecretsFile(text)
    .entries.map(({ name }) => `${name}=***\n`)
    .join("")

const MASK = '"***"'

/** Masks the values and defaults of secrets by their position, whatever they contain. */
function withoutValues(text: string, hides: ReadonlySet<string>): string {
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return text
  const root = parsed.value
  const pointers = [...hides].flatMap((name): readonly JsonPointer[] => [
    [name],
    ["variables", name, "default"],
  ])
  const ranges = pointers
    .filter((pointer) => (valueAt(root, pointer) ?? null) !== null)
    .flatMap((pointer) => jsonRangeAt(text, pointer) ?? [])
  return changeText(
    text,
    ranges.map((range) => ({ ...range, by: MASK })),
  )
}

/** Returns the names of secrets, whose values a preview hides wherever a file of environments has them. */
export const secretNames = ({ apis }: Project): ReadonlySet<string> =>
  new Set(
    [...apis.values()].flatMap(({ environments }) =>
      [...environments.variables].flatMap(([name, { secret }]) => (secret === true ? [name] : [])),
    ),
  )
