// The messages about reading and writing project files, by code, and the notes of a change set.

import {
  defineMessages,
  formatBytes,
  formatMessages,
  hints,
  PROJECT_FILE,
  quote,
  quoteList,
  suggest,
  suggestOrList,
  type Finding,
  type ScalarType,
} from "@callsheet/format"

/**
 * The journal of an unfinished change, next to `apis/`. Like the changed files, it must survive a power failure, so it
 * isn't in a temporary directory.
 */
export const JOURNAL_FILE = ".callsheet-journal.json"

/** Adds the file's name to the message of a finding without a position. */
export const inFile = <Code extends string>(finding: Finding<Code>, file: string): Finding<Code> => ({
  ...finding,
  message: `${quote(file)}: ${finding.message}`,
})

const twins = (name: string, other: string) => ({
  message: `${quote(name)} and ${quote(other)} differ only in case or in the encoding of an accent`,
  hint: hints.twin,
})

const freeName = {
  invalid: (name: string, what: string, reason: string) => ({
    message: `${quote(name)} is not a valid name for ${what}: ${reason}`,
    hint: "rename it",
  }),
  twins,
}

const otherContent = (file: string) => ({
  message: `${quote(file)} already exists with other content`,
  hint: "nothing was changed; --force overwrites it",
})

const otherSuite = (name: string) => ({
  message: `${quote(PROJECT_FILE)} already has the suite ${quote(name)} with other entries`,
  hint: "nothing was changed; --force overwrites it",
})

const fileExists = (file: string) => ({
  message: `${quote(file)} already exists`,
  hint: "choose another name, or move that file first",
})

const places = {
  workflow: "workflows only from apis/workflow/<name>.json",
  request: "saved requests only from requests/<resource>/<name>.json",
  environment: "environments only from environments/<name>.json, and secrets only from <name>.secrets.env",
  document: "OpenAPI documents only from apis/<api>/openapi.json, openapi.yaml or openapi.yml",
} as const

const endingOf = (name: string): string => name.slice(name.lastIndexOf(".")).toLowerCase()

/** The hint of a failed write that didn't change any file. */
export const NOTHING_CHANGED = "nothing was changed"

export const messages = defineMessages(() => ({
  "project-missing": {
    missing: (root: string) => `the project directory ${quote(root)} does not exist`,
  },
  "project-exists": {
    exists: (directory: string) => ({
      message: `${quote(directory)} already contains apis/`,
      hint: "name a new directory; to update only the editor's files, run callsheet init --editor",
    }),
  },
  "api-name": {
    invalid: (name: string) => ({
      message: `${quote(name)} is not a valid name for an API`,
      hint: 'use lowercase letters, digits, "_" and "-"; start with a letter or digit, and avoid names of Windows devices',
    }),
  },
  "workflow-unknown": {
    // `given` may be the path of a workflow file.
    unknown: (given: string, known: readonly string[], name = given) => ({
      message: `the project has no workflow ${quote(given)}`,
      hint:
        known.length === 0
          ? "the project has no workflows; a workflow is a file apis/workflow/<name>.json"
          : suggestOrList(name, known, "the project"),
    }),
    isSuite: (name: string) => ({
      message: `${quote(name)} is a suite, not a workflow`,
      hint: `run it as a suite: callsheet run --suite ${name}`,
    }),
    otherFile: (given: string, stray: Finding | undefined) => ({
      message: `${quote(given)} is not a workflow: ${stray?.message ?? `callsheet reads ${places.workflow}`}`,
      hint: stray?.hint,
    }),
  },
  "workflow-name": {
    invalid: (name: string) => ({
      message: `${quote(name)} is not a valid name for a workflow`,
      hint: hints.name,
    }),
    twins: (name: string, other: string) => ({
      message: `the workflows ${quote(name)} and ${quote(other)} differ only in case`,
      hint: hints.twin,
    }),
  },
  "instance-name": freeName,
  "script-name": freeName,
  "file-twin": { twins },
  "document-ambiguous": {
    two: (name: string, other: string) => ({
      message: `the API has two OpenAPI documents, ${quote(name)} and ${quote(other)}`,
      hint: "remove one of them",
    }),
  },
  "file-unreadable": {
    noDocuments: (path: string) => ({
      message: `the directory of documents ${quote(path)} doesn't exist`,
      hint: "write its path from the project's root, with /: ../contracts",
    }),
    file: (reason: string) => `can't read the file: ${reason}`,
    directory: (reason: string) => `can't read the directory: ${reason}`,
    wrongKind: (kind: "folder" | "other") =>
      `expected a file but found ${kind === "folder" ? "a directory" : "a pipe, socket or device"}`,
    brokenLink: () => "the symbolic link is broken",
    tooLarge: (bytes: number, limit: number) =>
      `the file has ${bytes} bytes; the limit is ${formatBytes(limit)}`,
    largeDocument: (bytes: number, limit: number) => ({
      message: `the document has ${formatBytes(bytes)}; the limit is ${formatBytes(limit)}`,
      hint: 'set "maxDocumentSize" in callsheet.json, for example to "512MiB"',
    }),
    busy: () => "another program is writing this file",
  },
  "file-encoding": {
    notUtf8: (file: string) => ({ message: `${quote(file)} is not UTF-8`, hint: hints.utf8 }),
  },
  "link-outside": {
    noRepository: (path: string) => ({
      message: `${quote(path)} is outside the project, and the project is in no git repository`,
      hint: "a directory outside the project must be in the same repository",
    }),
    beyond: (path: string) => ({
      message: `${quote(path)} is outside the repository of the project`,
      hint: "keep a copy of the documents in the repository",
    }),
    reference: () => ({
      message: 'references must stay inside the project and the directories in "documents" of callsheet.json',
      hint: "keep a copy of the file in the project, or name its directory in callsheet.json",
    }),
    link: () => ({
      message: "the path goes through a symbolic link that points outside the project",
      hint: "callsheet follows links only inside the project directory",
    }),
    repository: () => ({
      message: "the path goes through a symbolic link into .git",
      hint: "callsheet changes no files of Git",
    }),
    path: () => ({
      message: "the path leads outside the project",
      hint: "use a path inside the project directory",
    }),
    script: () => ({
      message: "the symbolic link points outside the directory of the workflow's scripts",
      hint: "put the function in a file in that directory, and import shared code from there",
    }),
  },
  "path-refused": {
    onDisk: (path: string, reason: string) => ({
      message: `a project file can't name ${quote(path)} to write to: ${reason}`,
      hint: "name another file; only the command line can name this one",
    }),
    foreign: (path: string) => ({
      message: `a project file can't name ${quote(path)} to write to: it exists, and callsheet didn't write it`,
      hint: "name another file, or move this one away; only the command line can overwrite it",
    }),
  },
  "file-stray": {
    scripts: (workflow: string, suggestion: string) => ({
      severity: "warning",
      message: `nothing uses these scripts because the workflow ${quote(workflow)} does not exist`,
      hint: suggestion,
    }),
    folder: (name: string, suggestion: string) => ({
      severity: "warning",
      message: `callsheet does not read the directory ${quote(name)}`,
      hint: suggestion,
    }),
    misnamedDocument: (target: string) => ({
      severity: "warning",
      message: `callsheet reads ${places.document}`,
      hint: `rename it to ${target}`,
    }),
    misplaced: (kind: keyof typeof places, name: string, target: string) => ({
      severity: "warning",
      message: `callsheet reads ${places[kind]}`,
      hint: `${endingOf(name) === endingOf(target) ? "move it" : "write its content"} to ${target}`,
    }),
  },
  "watch-limit": {
    reached: () => ({
      severity: "warning",
      message: "the system's limit on file watches is reached, so callsheet checks for changes once a second",
      hint: "on Linux, raise fs.inotify.max_user_watches or fs.inotify.max_user_instances",
    }),
  },
  "env-name": {
    twin: (name: string, twin: string) => ({
      message: `the name ${quote(name)} differs only in case from the existing environment ${quote(twin)}`,
      hint: `did you mean ${quote(twin)}?`,
    }),
  },
  "env-exists": {
    exists: (api: string, name: string) => `the API ${quote(api)} already has an environment ${quote(name)}`,
    file: fileExists,
  },
  "env-in-use": {
    extended: (name: string, children: readonly string[]) => ({
      message: `can't delete the environment ${quote(name)}: ${quoteList(children, "and")} ${children.length === 1 ? "extends" : "extend"} it`,
      hint: `first change what ${children.length === 1 ? "it extends" : "they extend"}: callsheet env write with --extends or --no-extends`,
    }),
    unreadable: (name: string, change: "delete" | "rename", others: readonly string[]) =>
      `can't ${change} the environment ${quote(name)}: ${quoteList(others, "or")} might extend it, and ${
        others.length === 1 ? `the file of ${quoteList(others, "and")}` : "their files"
      } can't be read`,
  },
  "variable-undeclared": {
    undeclared: (api: string, name: string, known: Iterable<string>) => {
      const hint = suggest(name, known) ?? `declare it in apis/${api}/environments/schema.json first`
      return formatMessages["variable-undeclared"].override(api, name, hint)
    },
  },
  "variable-type": {
    empty: (name: string, type: ScalarType) => ({
      message: formatMessages["variable-type"].given("an empty string", name, type).message,
      hint: `to remove the value, use --unset ${name}`,
    }),
    retyped: (name: string, type: ScalarType) => ({
      message: `${quote(name)} can't be declared as a ${type}: its value is not a ${type}`,
      hint: `change the value first: ${hints.scalar[type]}`,
    }),
    default: (name: string, type: ScalarType) => ({
      message: `${quote(name)} can't be declared as a ${type}: its default is not a ${type}`,
      hint: "change or remove the default",
    }),
  },
  "variable-reserved": {
    reserved: (name: string) => ({
      message: formatMessages["variable-reserved"].reserved(name).message,
      hint:
        name === "extends"
          ? "use --extends <environment> or --no-extends"
          : "edit it in the app or in the file",
    }),
  },
  "variable-exists": {
    sameName: (name: string) => `the variable is already named ${quote(name)}`,
    declared: (api: string, name: string) =>
      `the API ${quote(api)} already declares a variable ${quote(name)}`,
    value: (name: string) => ({
      message: `the file already has a value for ${quote(name)}, which is not declared`,
      hint: "remove the value first",
    }),
  },
  "secret-values": {
    undecided: (name: string, environments: readonly string[]) => ({
      message: `the secrets files of ${quoteList(environments, "and")} have values for ${quote(name)}; choose whether to keep them there or move them to the value files`,
      hint: "value files are under version control: everyone who can read the repository can read them",
    }),
  },
  "secret-unquotable": {
    given: (name: string, reason: string) => ({
      message: `can't write the value of ${quote(name)} to a secrets file: ${reason}`,
      hint: "set it with an environment variable or --var instead",
    }),
    moved: (name: string, reason: string) => ({
      message: `can't move the value of ${quote(name)} to a secrets file: ${reason}`,
      hint: "change the value first",
    }),
  },
  "dotenv-syntax": {
    openQuote: (name: string) => ({
      message: `can't remove ${quote(name)} from the secrets file: an unclosed quote would then extend over other lines`,
      hint: "close that quote first: callsheet validate reports its line",
    }),
  },
  usage: {
    unset: (name: string) => ({
      message: `--unset ${name}: the environment's own files do not set ${quote(name)}`,
      hint: "if the value is from a parent or a default, remove it there",
    }),
    repeated: (name: string) => `${quote(name)} is given more than once`,
  },
  "file-changed": {
    changed: () => "another program changed the file after it was read; nothing was written",
    rows: () =>
      "another program changed the file while its rows were running; the remaining rows did not run",
  },
  "file-exists": { exists: fileExists, otherContent, otherSuite },
  "field-value": {
    journal: () => "a journal can't name this file; expected a project file that callsheet edits",
  },
  "write-failed": {
    failed: (file: string, reason: string, hint: string) => ({
      message: `can't write ${quote(file)}: ${reason}`,
      hint,
    }),
    lock: (reason: string) => ({
      message: `can't lock the project: ${reason}`,
      hint: "lock files are in the system's temporary directory; set TMPDIR to use another one",
    }),
    lockDirectory: (directory: string) => ({
      message: `the directory ${directory} must belong to you and must not be writable by other users`,
      hint: "remove it, or set TMPDIR to use another temporary directory",
    }),
    journal: () => ({
      message: `can't read ${quote(JOURNAL_FILE)}, which records an interrupted change`,
      hint: "another version of callsheet may have written it; if not, remove it",
    }),
    unfinished: (title: string, file: string, reason: string) => ({
      message: `can't finish an interrupted change (${title}): ${quote(file)}: ${reason}`,
      hint: `fix that and try again, or remove ${JOURNAL_FILE} to keep the files as they are`,
    }),
    conflict: () => ({
      severity: "warning",
      message:
        "callsheet finished an interrupted change but skipped this file, because the file changed in the meantime",
      hint: "check that its content is what you want",
    }),
  },
  locked: {
    unreadable: (path: string, reason: string) => ({
      message: `can't read the project's lock file: ${reason}`,
      hint: `if no other callsheet process is running, remove ${path}`,
    }),
    locked: (path: string, owner: { readonly pid: number; readonly host: string } | undefined) => ({
      message: `another callsheet process is changing the project${owner === undefined ? "" : `: process ${owner.pid} on ${owner.host}`}`,
      hint: `try again when it is done; if it is not running, remove ${path}`,
    }),
  },
}))

/** Hints for a failed write that has already changed something. */
export const writeHints = {
  ignored: (file: string) => `${NOTHING_CHANGED} except ${file}, which now ignores secrets files`,
  halfDone: (files: readonly string[], hasJournal: boolean) => {
    const reached =
      files.length === 0 ? "no file has changed yet" : `${quoteList(files, "and")} may have changed`
    return hasJournal
      ? `the change could not be undone: ${reached}; the next callsheet command finishes or undoes it`
      : `the change could not be undone: ${reached}, and a power failure may undo it`
  },
}

/** Notes on a change of declarations. The app and the command show them before the change. */
export const notes = {
  visibleDefault: (name: string) =>
    `The default of ${quote(name)} is in schema.json, where everyone who can read the repository sees it.`,
  duplicate: (file: string, name: string) =>
    `callsheet removes the value of ${quote(name)} from ${file} and keeps the value in the secrets file.`,
  shown: (name: string, files: readonly string[]) =>
    `The values of ${quote(name)} move to value files, which everyone who can read the repository can read (${files.join(", ")}).`,
  kept: (name: string, environments: readonly string[]) =>
    `The values of ${quote(name)} stay in the secrets files of ${environments.join(", ")}, and override value files.`,
  unmasked: (name: string) => `callsheet no longer masks ${quote(name)} in reports and in the app.`,
  processVariable: (before: { readonly variable: string; readonly option: string }, after: typeof before) =>
    `If the environment variable ${before.variable} or --var ${before.option} sets the value, for example in CI, use ${after.variable} or --var ${after.option} from now on.`,
  lost: (name: string, purpose: string) =>
    `The variable ${quote(name)} sets the ${purpose}. Without it, callsheet uses the value from the OpenAPI document or its own default.`,
  won: (name: string, purpose: string) =>
    `Because of its name ${quote(name)}, this variable now sets the ${purpose}.`,
}
