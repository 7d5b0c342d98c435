// `callsheet init`: creates a project that validates and runs. With `--editor` or `--agents`, updates only the files for
// editors or agents.

import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { isAbsolute, join, relative, resolve } from "node:path"
import { makeFolder } from "@callsheet/engine"
import {
  attempt,
  CallsheetError,
  jsonSchemaOf,
  schemaKinds,
  stringifyJson,
  type JsonObject,
  type SchemaKind,
} from "@callsheet/format"
import { GITIGNORE_FILE, ignoringSecrets, writeFiles, type Changed, type FileEdit } from "@callsheet/project"
import type { Command, CommandCall } from "../command.ts"
import { messages, notices } from "../messages.ts"
import { findRoot, reportRecovery } from "../open-root.ts"
import { findExample } from "../find-example.ts"
import { SKILL, skillFiles } from "../init/agent-skill.ts"
import { addSchemas } from "../init/edit-settings.ts"
import { withInterrupts } from "../interrupts.ts"
import { printable } from "../text/printable.ts"
import { shellWord } from "../text/shell-word.ts"

/** Creates the files. Throws `project-exists` if `apis/` exists, and the errors of `writeFiles`. */
export const init: Command = async (call) => {
  const { words, options } = call
  const project = options.value("project")
  if (words[0] !== undefined && project !== undefined)
    throw new CallsheetError(messages.usage.twice("the directory", "remove --project"))
  const folder = words[0] ?? project
  if (options.has("editor") && options.has("agents"))
    throw new CallsheetError(messages.usage.contradiction("--editor", "--agents"))
  if (options.has("agents")) return writeSkill(call, folder)
  return options.has("editor") ? wireEditor(call, folder) : makeProject(call, folder)
}

/** Writes the skill for agents. Keeps existing files, because users may have changed them. */
async function writeSkill(call: CommandCall, folder: string | undefined): Promise<number> {
  const root = findRoot(call.cwd, folder)
  const { files, exitCode } = await write(call, root, () => ({
    title: "write the skill for agents",
    edits: skillFiles.map((file) => ({ file, edit: (text) => (text === undefined ? SKILL : undefined) })),
  }))
  const kept = skillFiles.filter((file) => !files.includes(file))
  if (files.length > 0) call.screen.err.write(`${notices.written(files)}\n`)
  if (kept.length > 0) call.screen.err.write(`${notices.kept(kept)}\n`)
  return exitCode
}

async function makeProject(call: CommandCall, folder = "."): Promise<number> {
  const root = resolve(call.cwd, folder)
  const template = readTemplate()
  refuseProject(root, folder)
  makeRoot(root, folder)
  const written = await write(call, root, (refused) => ({
    title: "create a project",
    guard: () => refuseProject(root, folder),
    folder: { name: "apis", files: template },
    edits: [{ file: GITIGNORE_FILE, edit: (text) => ignoringSecrets(text ?? "") }, ...editorFiles(refused)],
  }))
  const { err } = call.screen
  const commands = [...enter(call.cwd, root), "callsheet validate", "callsheet run hello"]
  if (commands.length === 2) commands.push("callsheet run hello --input live=true")
  const created = notices.projectCreated(written.files.length, printable(root))
  err.write(`${created}\n\n${notices.next()}\n`)
  err.write(commands.map((command) => `  ${printable(command)}\n`).join(""))
  return written.exitCode
}

async function wireEditor(call: CommandCall, folder: string | undefined): Promise<number> {
  const root = findRoot(call.cwd, folder)
  const { files, exitCode } = await write(call, root, (refused) => ({
    title: "update the editor's schemas",
    edits: editorFiles(refused),
  }))
  const text = files.length === 0 ? notices.editorReady() : notices.written(files)
  call.screen.err.write(`${text}\n`)
  return exitCode
}

/** Writes the files. If a signal arrives, ends the command after the write. */
async function write(
  call: CommandCall,
  root: string,
  plan: (refused: () => void) => Omit<Parameters<typeof writeFiles>[0], "root">,
): Promise<Changed & { readonly exitCode: number }> {
  return withInterrupts(call.exit, async ({ exitCode }) => {
    let isRefused = false
    const changed = await writeFiles({ root, ...plan(() => void (isRefused = true)) })
    reportRecovery(changed.recovery, call.screen.err)
    if (isRefused) {
      const entries = stringifyJson({ "json.schemas": settingsEntries }, { indent: 2 })
      call.screen.err.write(`${notices.settingsKept(SETTINGS_FILE)}\n\n${entries}\n\n`)
    }
    return { ...changed, exitCode: exitCode() ?? 0 }
  })
}

function refuseProject(root: string, folder: string): void {
  if (!isThere(join(root, "apis"))) return
  throw new CallsheetError(messages["project-exists"].exists(folder))
}

const isThere = (path: string): boolean =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined

function makeRoot(root: string, folder: string): void {
  try {
    makeFolder(root)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown"
    throw new CallsheetError(messages["write-failed"].directory(folder, code))
  }
}

function enter(cwd: string, root: string): readonly string[] {
  const way = relative(cwd, root)
  if (way === "") return []
  // A path that starts with a dash would be read as an option.
  return [`cd ${shellWord(isAbsolute(way) || !way.startsWith("-") ? way : `./${way}`)}`]
}

function readTemplate(): ReadonlyMap<string, string> {
  const folder = join(findExample("hello"), "apis")
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.[a-z]+$/.test(path))
    .sort()
  // On Windows, a checkout may have other line ends than the repository.
  return new Map(
    paths.map((path) => [path, readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n")]),
  )
}

const SETTINGS_FILE = ".vscode/settings.json"

// For each file, the last matching pattern decides. A "!" excludes the file. VS Code resolves patterns from the opened
// directory.
const fileMatch: { readonly [K in SchemaKind]: readonly string[] } = {
  "environment-schema": ["/apis/*/environments/schema.json"],
  "environment-values": ["/apis/*/environments/*.json", "!/apis/*/environments/schema.json"],
  workflow: ["/apis/workflow/*.json"],
  "saved-request": ["/apis/*/requests/*/*.json"],
  project: ["/callsheet.json"],
}

const schemaFile = (kind: SchemaKind): string => `.vscode/callsheet/${kind}.schema.json`

const settingsEntries: readonly JsonObject[] = schemaKinds.map((kind) => ({
  fileMatch: fileMatch[kind],
  url: `./${schemaFile(kind)}`,
}))

/** Returns the schemas and the settings that name them. Calls `refused` if the settings can't be edited. */
function editorFiles(refused: () => void): readonly FileEdit[] {
  const schemas = schemaKinds.map((kind) => ({
    file: schemaFile(kind),
    edit: () => `${stringifyJson(jsonSchemaOf(kind), { indent: 2 })}\n`,
  }))
  const settings = (text: string | undefined): string | undefined => {
    const edited = addSchemas(text, settingsEntries)
    if (edited === undefined) refused()
    return edited
  }
  return [...schemas, { file: SETTINGS_FILE, edit: settings }]
}
