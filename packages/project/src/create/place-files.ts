// Adds the files of an import to a project: all or none. Existing files are kept unless the caller forces it.

import { createHash } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import {
  CallsheetError,
  isEqual,
  isJsonArray,
  isJsonObject,
  parseJson,
  parseSecretsFile,
  problemsAtOffsets,
  stringifyJson,
  toProblem,
  type JsonObject,
  type JsonValue,
  type PlannedFile,
  type Problem,
  member,
} from "@callsheet/format"
import { GITIGNORE_FILE, ignoringSecrets } from "../environment/ignore-secrets.ts"
import { JsonText, SecretsText } from "../environment/edited-text.ts"
import { messages } from "../messages.ts"
import { openProject } from "../read/read-project.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import type { ChangeStep } from "../write/ready-step.ts"
import {
  ensureFolders,
  foldersOf,
  locateFile,
  nodeDisk,
  readTarget,
  type WriteScope,
} from "../write/write-scope.ts"

interface PlaceRequest {
  readonly root: string
  readonly title: string
  readonly files: readonly PlannedFile[]
  /** Overwrites files with other content. Otherwise, they are reported and nothing is written. */
  readonly force: boolean
  /** Returns the files that would be written, and writes none. */
  readonly isDryRun: boolean
}

interface Placed extends Changed {
  /** The files whose other content is overwritten, with the SHA-256 of that content. Set for a dry run. */
  readonly replaced?: readonly { readonly file: string; readonly hash: string }[]
}

/** Places the files. Throws `file-exists` with a problem for each file with other content. */
export async function placeFiles(request: PlaceRequest, options: WriteOptions = {}): Promise<Placed> {
  const { root, title, files, isDryRun } = request
  if (isDryRun) {
    const scope = existsSync(root) ? { project: openProject(root), disk: nodeDisk, made: [] } : undefined
    const steps = planSteps(scope, request)
    const whole = new Set(files.flatMap(({ file, is }) => (is === "text" || is === "bytes" ? [file] : [])))
    const replaced = steps.flatMap(({ file, before }) =>
      before !== undefined && whole.has(file)
        ? [{ file, hash: createHash("sha256").update(before).digest("hex") }]
        : [],
    )
    return { files: steps.map(({ file }) => file), replaced }
  }
  const folders = [...new Set(["", ...files.flatMap(({ file }) => foldersOf(file))])]
  return changeProject(
    {
      root,
      folders,
      makeChanges: (scope) => {
        const steps = planSteps(scope, request)
        for (const { file } of steps) if (file.includes("/")) ensureFolders(scope, file)
        return { change: { title, steps }, result: {} }
      },
    },
    options,
  )
}

function planSteps(scope: WriteScope | undefined, { files, force }: PlaceRequest) {
  const steps: Extract<ChangeStep, { readonly do: "replace" }>[] = []
  const problems: Problem[] = []
  const readBefore = (file: string): Uint8Array | undefined => {
    const isThere = scope !== undefined && existsSync(join(scope.project.root, dirname(file)))
    return isThere ? readTarget(scope, locateFile(scope, file)) : undefined
  }
  const add = (file: string, before: Uint8Array | undefined, bytes: Uint8Array, isSecret = false): void => {
    if (before !== undefined && Buffer.compare(before, bytes) === 0) return
    steps.push({ do: "replace", file, bytes, before, isSecret })
  }
  if (files.some(({ is }) => is === "secrets")) {
    const before = readBefore(GITIGNORE_FILE)
    add(GITIGNORE_FILE, before, encode(ignoringSecrets(decode(GITIGNORE_FILE, before) ?? "")))
  }
  const wanted = files.filter((one) => one.is !== "first" || !hasNamesake(scope, one.file))
  for (const planned of wanted) {
    const { file } = planned
    const before = readBefore(file)
    try {
      const bytes = contentOf(planned, before, force)
      const mayReplace = force || (planned.is !== "text" && planned.is !== "bytes")
      const isOther = before !== undefined && Buffer.compare(before, bytes) !== 0
      if (isOther && !mayReplace) problems.push(toProblem(messages["file-exists"].otherContent(file)))
      else add(file, before, bytes, planned.is === "secrets")
    } catch (error) {
      if (!(error instanceof CallsheetError)) throw error
      problems.push(...(error.problems.length > 0 ? error.problems : [problemOf(error)]))
    }
  }
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
  return steps
}

/** The message of an error isn't among the members that a copy keeps. */
const problemOf = ({ code, message, hint }: CallsheetError): Problem => toProblem({ code, message, hint })

/** Returns whether the directory of a file has one of the same name, in any case and with any ending. */
function hasNamesake(scope: WriteScope | undefined, file: string): boolean {
  if (scope === undefined) return false
  const stemOf = (path: string): string =>
    basename(path)
      .replace(/\.[^.]*$/, "")
      .toLowerCase()
  const folder = join(scope.project.root, dirname(file))
  return existsSync(folder) && readdirSync(folder).some((name) => stemOf(name) === stemOf(file))
}

function contentOf(planned: PlannedFile, before: Uint8Array | undefined, force = false): Uint8Array {
  switch (planned.is) {
    case "bytes":
      return planned.bytes
    case "text":
    case "first":
      return encode(planned.text)
    case "declarations":
      return encode(withDeclarations(planned.file, decode(planned.file, before), planned.variables))
    case "secrets":
      return encode(withSecrets(planned.file, decode(planned.file, before) ?? "", planned.values))
    case "source":
      return encode(withSource(planned, decode(planned.file, before)))
    case "suites":
      return encode(withSuites(planned, decode(planned.file, before), force))
  }
}

/** Returns the text that a planned file has in an empty project. */
export const textOfPlanned = (planned: PlannedFile): string =>
  new TextDecoder().decode(contentOf(planned, undefined))

/** Adds suites and helpers to `callsheet.json`. A suite with other content is like a file with other content. */
function withSuites(
  { file, suites, helpers }: PlannedFile & { readonly is: "suites" },
  text: string | undefined,
  force: boolean,
): string {
  const edited = new JsonText(text ?? EMPTY_SETTINGS)
  const settings = parseSound(file, edited.text)
  const known = member(settings, "suites")
  const listed = member(settings, "helpers")
  const before = isJsonArray(listed) ? listed : []
  const added = helpers.filter((name) => !before.includes(name))
  if (added.length > 0) edited.set(["helpers"], [...before, ...added])
  if (!isJsonObject(known)) edited.set(["suites"], suites)
  else
    for (const [name, suite] of Object.entries(suites)) {
      const own = member(known, name)
      if (own !== undefined && isEqual(own, suite)) continue
      if (own !== undefined && !force) throw new CallsheetError(messages["file-exists"].otherSuite(name))
      edited.set(["suites", name], suite)
    }
  return edited.text
}

/** Sets the address of an API's document in `callsheet.json`. */
function withSource(
  { file, api, address }: PlannedFile & { readonly is: "source" },
  text: string | undefined,
): string {
  const edited = new JsonText(text ?? EMPTY_SETTINGS)
  const settings = parseSound(file, edited.text)
  const sources = member(settings, "sources")
  if (isJsonObject(sources)) edited.set(["sources", api], address)
  else edited.set(["sources"], { [api]: address })
  return edited.text
}

const EMPTY_SETTINGS = `${stringifyJson({ version: 1 }, { indent: 2 })}\n`

/** Parses a file to edit. Throws its problems. */
function parseSound(file: string, text: string): JsonObject {
  const parsed = parseJson(text.replace(/^\ufeff/, ""))
  if (parsed.ok && isJsonObject(parsed.value)) return parsed.value
  const problems = parsed.ok ? [] : problemsAtOffsets({ file, text }, parsed.findings)
  throw new CallsheetError(problems[0] ?? messages["file-exists"].otherContent(file), { problems })
}

/** Adds the declarations that are missing. */
function withDeclarations(
  file: string,
  text: string | undefined,
  variables: Readonly<Record<string, JsonValue>>,
): string {
  if (text === undefined) return `${stringifyJson({ version: 1, variables }, { indent: 2 })}\n`
  const declared = member(parseSound(file, text), "variables")
  if (!isJsonObject(declared)) throw new CallsheetError(messages["file-exists"].otherContent(file))
  const edited = new JsonText(text)
  for (const [name, declaration] of Object.entries(variables))
    if (!Object.hasOwn(declared, name)) edited.set(["variables", name], declaration)
  return edited.text
}

/** Adds the secrets that are missing. */
function withSecrets(file: string, text: string, values: Readonly<Record<string, string>>): string {
  const { entries, findings } = parseSecretsFile(text.replace(/^\ufeff/, ""))
  const broken = problemsAtOffsets({ file, text }, findings).filter(({ severity }) => severity === "error")
  if (broken[0] !== undefined) throw new CallsheetError(broken[0], { problems: broken })
  const known = new Set(entries.map(({ name }) => name))
  const edited = new SecretsText(text)
  const problems: Problem[] = []
  for (const [name, value] of Object.entries(values)) {
    const refusal = known.has(name) ? undefined : edited.set(name, value)
    if (refusal !== undefined) problems.push(toProblem(messages["secret-unquotable"].given(name, refusal)))
  }
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
  return edited.text
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function decode(file: string, bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes === undefined ? undefined : decoder.decode(bytes)
  } catch {
    throw new CallsheetError(messages["file-encoding"].notUtf8(file))
  }
}
