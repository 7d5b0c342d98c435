// Reads the directory of a Bruno or OpenCollection collection as one item with all others in it.

import {
  CallsheetError,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
  type SourceFile,
} from "@callsheet/format"
import { parseYaml } from "@callsheet/openapi"
import { messages, reasons } from "../messages.ts"
import type { Collection } from "../model.ts"
import { environmentOf, itemOf, parseBru } from "./bru.ts"
import { readOpenCollection } from "./bruno.ts"
import { list, member, object, text } from "./json.ts"
import { stemOf } from "./url.ts"

const { "import-source": problem } = messages

export interface SourceDirectory {
  /** The path as given. */
  readonly file: string
  /** Its files, by paths that start with this path. */
  readonly files: readonly SourceFile[]
  /** The files that can't be read. */
  readonly unread: readonly { readonly file: string; readonly reason: "outside" | "private" | "unreadable" }[]
}

/** Reads a directory. Throws `import-source` if it isn't a collection or one of its files is broken. */
export async function readBrunoDirectory(directory: SourceDirectory): Promise<Collection> {
  const { file, files, unread } = directory
  const byPath = new Map(files.map((source) => [source.file.slice(file.length + 1), source]))
  const isYaml = byPath.has("opencollection.yml")
  const settings = byPath.get("bruno.json")
  if (!isYaml && settings === undefined) throw new CallsheetError(problem.directory(file))
  const { root, ignored, unused } = isYaml
    ? { root: undefined, ignored: new Set<string>(), unused: [] }
    : settingsIn(settings)
  const tree: Directory = { name: "", folders: new Map(), items: [], value: undefined }
  const environments: JsonValue[] = []
  for (const [path, source] of byPath) {
    const isIgnored = path.split("/").some((_, at, names) => ignored.has(names.slice(0, at + 1).join("/")))
    if (isIgnored || !(isYaml ? /\.ya?ml$/ : /\.bru$/).test(path)) continue
    const names = path.split("/")
    if (names.length === 2 && names[0] === "environments")
      environments.push(
        isYaml ? await readYaml(source) : environmentOf(parseBru(source), stemOf(source.file)),
      )
    else place(tree, names, isYaml ? await readYaml(source) : itemOf(parseBru(source), isFolder(names)))
  }
  const value = bundle(tree)
  const config = object(value, "config") ?? {}
  const collection = readOpenCollection(
    {
      ...value,
      info: root ?? member(value, "info") ?? {},
      config: { ...config, environments: [...environments, ...list(config, "environments")] },
    },
    file,
  )
  const lost = unread.map((one) => ({
    where: file,
    what: `file ${one.file.slice(file.length + 1)}`,
    reason: reasons[one.reason](),
  }))
  const dropped = unused.map((what) => ({ where: `${file}/bruno.json`, what, reason: reasons.setting() }))
  return { ...collection, losses: [...lost, ...dropped, ...collection.losses] }
}

const isFolder = (names: readonly string[]): boolean =>
  names.at(-1) === "folder.bru" || (names.length === 1 && names[0] === "collection.bru")

function settingsIn(source: SourceFile | undefined) {
  const parsed = parseJson(source?.text ?? "", { allowDuplicateKeys: true })
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new CallsheetError(problem.unknown(source?.file ?? ""))
  const { value } = parsed
  const ignored = list(value, "ignore").filter((one) => typeof one === "string")
  const proxy = object(value, "proxy")
  const hasProxy =
    text(proxy, "enabled") === "true" ||
    (text(proxy, "disabled") === "false" && text(proxy, "inherit") === "false")
  const certificates = list(object(value, "clientCertificates"), "certs")
  const unused = [...(hasProxy ? ["proxy"] : []), ...(certificates.length > 0 ? ["client certificates"] : [])]
  return {
    root: { name: text(value, "name") ?? "collection" },
    ignored: new Set(["node_modules", ...ignored]),
    unused,
  }
}

async function readYaml(source: SourceFile): Promise<JsonValue> {
  const parsed = await parseYaml(source)
  if (parsed.ok) return parsed.value
  throw new CallsheetError(parsed.problems[0] ?? problem.unknown(source.file), { problems: parsed.problems })
}

interface Directory {
  readonly name: string
  /** The content of `folder.bru`, `folder.yml` or the root's file. */
  value: JsonValue | undefined
  readonly items: JsonValue[]
  readonly folders: Map<string, Directory>
}

function place(root: Directory, names: readonly string[], value: JsonValue): void {
  let directory = root
  for (const name of names.slice(0, -1)) {
    const inner = directory.folders.get(name) ?? { name, folders: new Map(), items: [], value: undefined }
    directory.folders.set(name, inner)
    directory = inner
  }
  const file = names.at(-1) ?? ""
  const isOwn = names.length === 1 ? /^(?:collection\.bru|opencollection\.yml)$/ : /^folder\.(?:bru|yml)$/
  if (isOwn.test(file)) directory.value = value
  // Other files, such as CI workflows, have no type.
  else if (file.endsWith(".bru") || text(object(value, "info"), "type") !== undefined)
    directory.items.push(withName(value, stemOf(file)))
}

/** An item without a name is named after its file. */
const withName = (value: JsonValue, name: string): JsonValue =>
  isJsonObject(value) ? { ...value, info: { name, ...object(value, "info") } } : value

/** Turns a directory into one item. Its folders come first, as in Bruno. */
function bundle({ name, value, items, folders }: Directory): JsonObject {
  const own = isJsonObject(value) ? value : {}
  const inner = [...folders.values()].map(bundle).filter((folder) => list(folder, "items").length > 0)
  const ordered = inner.filter((folder) => !(seqOf(folder) > 0))
  for (const folder of inner.filter((one) => seqOf(one) > 0).sort((a, b) => seqOf(a) - seqOf(b)))
    ordered.splice(seqOf(folder) - 1, 0, folder)
  const requests = items.toSorted((a, b) => (seqOf(a) || 1) - (seqOf(b) || 1))
  return { ...own, info: { name, ...object(own, "info"), type: "folder" }, items: [...ordered, ...requests] }
}

const seqOf = (value: JsonValue): number => Math.trunc(Number(text(object(value, "info"), "seq") ?? 0)) || 0
