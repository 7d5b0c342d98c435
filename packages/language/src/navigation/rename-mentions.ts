// Renames things where nothing but their mentions has to change: in scripts, suites, data files and saved requests.

import { changeText, getOrCreate, type TextChange } from "@callsheet/format"
import type { PlacedMention, ProjectTexts } from "./project-mentions.ts"

export interface RenamedText {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** Replaces mentions by a new name. Skips mentions that can't contain the name, and returns the others' texts. */
export function renameMentions(
  { textOf }: Pick<ProjectTexts, "textOf">,
  mentions: readonly PlacedMention[],
  to: string,
): readonly RenamedText[] {
  const changes = new Map<string, TextChange[]>()
  const texts = new Map<string, string>()
  for (const mention of mentions) {
    const { file } = mention
    const text = getOrCreate(texts, file, () => textOf(file) ?? "")
    const change = changeFor(text, mention, to)
    if (change !== undefined) getOrCreate(changes, file, () => []).push(change)
  }
  return [...changes].map(([file, list]) => {
    const before = texts.get(file) ?? ""
    return { file, before, after: changeText(before, distinct(list)) }
  })
}

/** Several mentions may share a place, such as a column that two workflows read. */
const distinct = (changes: readonly TextChange[]): readonly TextChange[] => [
  ...new Map(changes.map((change) => [change.from, change])).values(),
]

function changeFor(text: string, mention: PlacedMention, to: string): TextChange | undefined {
  const { file, from, to: end } = mention
  if (file.endsWith(".json") || /\.(?:jsonl|ndjson)$/i.test(file))
    return { from, to: end, by: JSON.stringify(to).slice(1, -1) }
  if (/["'`\\,\r\n${}]/.test(to)) return undefined
  if (mention.isMember !== true || /^[A-Za-z_$][\w$]*$/.test(to)) return { from, to: end, by: to }
  // `.name` becomes `["new-name"]`.
  const dot = text.lastIndexOf(".", from)
  const isOptional = text[dot - 1] === "?"
  return { from: isOptional ? dot + 1 : dot, to: end, by: `["${to}"]` }
}
