// `callsheet init`: creates a project that validates and runs. With an option, adds only files for editors or agents, or
// the inbox.

import { isAbsolute, relative, resolve } from "node:path"
import { makeFolder } from "@callsheet/engine"
import { CallsheetError, INBOX, ownOf, stringifyJson } from "@callsheet/format"
import {
  addApi,
  createProject,
  SETTINGS_FILE,
  writeEditorFiles,
  writeFiles,
  type EditorFilesWritten,
} from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { messages, notices } from "../messages.ts"
import { findRoot, reportRecovery } from "../open-root.ts"
import { readTemplate } from "../find-example.ts"
import { SKILL, skillFiles } from "../init/agent-skill.ts"
import { withInterrupts } from "../interrupts.ts"
import { nameCommand } from "../text/name-command.ts"
import { printable } from "../text/printable.ts"
import { shellWord } from "../text/shell-word.ts"

/** Creates the files. Throws `project-exists` if `apis/` exists, and the errors of `writeFiles`. */
export const init: Command = async (call) => {
  const { words, options } = call
  const project = options.value("project")
  if (words[0] !== undefined && project !== undefined)
    throw new CallsheetError(messages.usage.twice("the directory", "remove --project"))
  const folder = words[0] ?? project
  const [part, other] = Object.keys(parts).filter((name) => options.has(name))
  if (part !== undefined && other !== undefined)
    throw new CallsheetError(messages.usage.contradiction(`--${part}`, `--${other}`))
  return (ownOf(parts, part ?? "") ?? makeProject)(call, folder)
}

/** Adds the API that receives callbacks. Throws `file-exists` if the project has an API of that name. */
async function addInbox(call: CommandCall, folder: string | undefined): Promise<number> {
  const root = findRoot(call.cwd, folder)
  const { inboxFiles } = await import("@callsheet/mock")
  const { files, exitCode } = await write(call, () => addApi({ root, api: INBOX, files: inboxFiles }))
  call.screen.err.write(`${notices.written(files)}\n`)
  return exitCode
}

/** Writes the skill for agents. Keeps existing files, because users may have changed them. */
async function writeSkill(call: CommandCall, folder: string | undefined): Promise<number> {
  const root = findRoot(call.cwd, folder)
  const { files, exitCode } = await write(call, () =>
    writeFiles({
      root,
      title: "write the skill for agents",
      edits: skillFiles.map((file) => ({ file, edit: (text) => (text === undefined ? SKILL : undefined) })),
    }),
  )
  const kept = skillFiles.filter((file) => !files.includes(file))
  if (files.length > 0) call.screen.err.write(`${notices.written(files)}\n`)
  if (kept.length > 0) call.screen.err.write(`${notices.kept(kept)}\n`)
  return exitCode
}

async function makeProject(call: CommandCall, folder = "."): Promise<number> {
  const root = resolve(call.cwd, folder)
  const template = readTemplate()
  makeRoot(root, folder)
  const written = await write(call, () => createProject({ root, name: folder, template }))
  const { err } = call.screen
  const entering = enter(call.cwd, root)
  const next = [
    "validate",
    "run hello",
    ...(entering.length === 0 ? ["run hello --input live=true"] : []),
    "app",
  ]
  const name = nameCommand(call.environment)
  const commands = [...entering, ...next.map((words) => `${name} ${words}`)]
  const created = notices.projectCreated(written.files.length, printable(root))
  err.write(`${created}\n\n${notices.next()}\n`)
  err.write(commands.map((command) => `  ${printable(command)}\n`).join(""))
  return written.exitCode
}

async function wireEditor(call: CommandCall, folder: string | undefined): Promise<number> {
  const root = findRoot(call.cwd, folder)
  const { files, exitCode } = await write(call, () => writeEditorFiles(root))
  const text = files.length === 0 ? notices.editorReady() : notices.written(files)
  call.screen.err.write(`${text}\n`)
  return exitCode
}

/** Writes the files. If a signal arrives, ends the command after the write. */
async function write(
  call: CommandCall,
  action: () => Promise<EditorFilesWritten>,
): Promise<EditorFilesWritten & { readonly exitCode: number }> {
  return withInterrupts(call.exit, async ({ exitCode }) => {
    const changed = await action()
    reportRecovery(changed.recovery, call.screen.err)
    if (changed.missingSettings !== undefined) {
      const entries = stringifyJson({ "json.schemas": changed.missingSettings }, { indent: 2 })
      call.screen.err.write(`${notices.settingsKept(SETTINGS_FILE)}\n\n${entries}\n\n`)
    }
    return { ...changed, exitCode: exitCode() ?? 0 }
  })
}

/** What `init` adds to an existing project, by option. */
const parts: Readonly<Record<string, (call: CommandCall, folder: string | undefined) => Promise<number>>> = {
  editor: wireEditor,
  agents: writeSkill,
  inbox: addInbox,
}

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
