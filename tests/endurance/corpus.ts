// The valid files that inputs are generated from: of every kind, from the examples, the tests and the corpus next to
// this file.

import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"

const kinds = ["workflow", "request", "schema", "values", "secrets", "openapi.json", "openapi.yaml"] as const
export type Kind = (typeof kinds)[number]

export interface CorpusFile {
  readonly kind: Kind
  /** The directory with `apis/`, relative to the repository. */
  readonly home: string
  /** Relative to it, with `/`. */
  readonly path: string
  readonly text: string
}

/** Every project in `examples/` and `tests/`, sorted. The last one was written to contain every field. */
export function readCorpus(root: string): readonly CorpusFile[] {
  const homes = ["examples", "tests"].flatMap((folder) => findHomes(root, folder)).sort()
  const own = homes.filter((home) => home.endsWith("/endurance/corpus"))
  const files = [...homes.filter((home) => !own.includes(home)), ...own].flatMap((home) =>
    readHome(root, home),
  )
  return [...files, ...files.flatMap(otherLayouts), ...ownSecretsFiles]
}

/** Names of the script files in a project's workflows, by workflow. */
export function readScriptNames(root: string, home: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const path of filesBelow(root, home)) {
    const [, workflow, script] = /^apis\/workflow\/scripts\/([^/]+)\/(.+)\.ts$/.exec(path) ?? []
    if (workflow === undefined || script === undefined) continue
    names.set(workflow, [...(names.get(workflow) ?? []), script])
  }
  return names
}

function findHomes(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === "apis")
    .map(({ parentPath }) => relative(root, parentPath).split(sep).join("/"))
    .filter((home) => !home.includes("node_modules"))
}

function filesBelow(root: string, home: string): readonly string[] {
  return readdirSync(join(root, home, "apis"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(join(root, home), join(parentPath, name)).split(sep).join("/"))
    .sort()
}

function readHome(root: string, home: string): readonly CorpusFile[] {
  return filesBelow(root, home).flatMap((path) => {
    const kind = kindOf(path)
    if (kind === undefined) return []
    return [{ kind, home, path, text: readFileSync(join(root, home, path), "utf8") }]
  })
}

function kindOf(path: string): Kind | undefined {
  if (/^apis\/workflow\/[^/]+\.json$/.test(path)) return "workflow"
  if (/^apis\/[^/]+\/requests\/[^/]+\/[^/]+\.json$/.test(path)) return "request"
  if (basename(path) === "openapi.json") return "openapi.json"
  if (/^openapi\.ya?ml$/.test(basename(path))) return "openapi.yaml"
  if (!/^apis\/[^/]+\/environments\//.test(path)) return undefined
  if (path.endsWith(".secrets.env")) return "secrets"
  if (!path.endsWith(".json")) return undefined
  return basename(path) === "schema.json" ? "schema" : "values"
}

/** The same file on one line, with tabs, and with Windows line endings. */
function otherLayouts(file: CorpusFile): readonly CorpusFile[] {
  if (!file.home.endsWith("/endurance/corpus")) return []
  const crlf = { ...file, text: file.text.replaceAll("\n", "\r\n") }
  if (file.kind === "openapi.yaml" || file.kind === "secrets") return [crlf]
  const value: unknown = JSON.parse(file.text)
  return [
    crlf,
    { ...file, text: JSON.stringify(value) },
    { ...file, text: `\ufeff${JSON.stringify(value, null, "\t")}\n` },
  ]
}

// Secrets files, which can't be committed because git ignores them.
const ownSecretsFiles = [
  "apiKey=plain\n",
  "# The key.\nexport apiKey = 'single # quoted'   # behind\n\npin=4711\n",
  'apiKey="-----BEGIN KEY-----\nbm90IGE=\n-----END KEY-----\n"\r\npin: 5\r\napiKey=`again \' "`\r\n',
  "apiKey=C:\\new\\table\npin=\n#pin=6\nbaseUrl=http://override\ntimeout=10\ndryRun=true",
].map((text): CorpusFile => ({
  kind: "secrets",
  home: "tests/endurance/corpus",
  path: "apis/store/environments/local.secrets.env",
  text,
}))
