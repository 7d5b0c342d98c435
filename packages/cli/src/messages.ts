// The messages of the CLI: problems by code, and notices.

import { defineMessages, quote } from "@callsheet/format"
import { plural } from "./text/measures.ts"

/** Returns the default hint for misuse. */
export const seeHelp = (command: string): string =>
  `see callsheet ${command === "" ? "" : `${command} `}--help`

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full (ENOSPC)",
  ENOTDIR: "a part of its path is a file, not a directory",
  EEXIST: "a part of its path is a file, not a directory",
  EISDIR: "expected a file but found a directory",
  ENAMETOOLONG: "its name is too long",
}

export const messages = defineMessages({
  usage: {
    noCommand: () => "no command given",
    unknownCommand: (name: string) => `unknown command ${quote(name)}`,
    commandMissing: (group: string, commands: readonly string[]) =>
      `${quote(group)} needs one of these commands: ${commands.join(", ")}`,
    unknownOption: (option: string) => `unknown option ${quote(option)}`,
    valueUnexpected: (option: string) => `${option} takes no value`,
    valueMissing: (option: string, value: string, isLast: boolean) => ({
      message: `${option} needs a value: ${option} ${value}`,
      hint: isLast ? undefined : `write ${option}=… if the value starts with dashes`,
    }),
    twice: (what: string, hint?: string) => ({ message: `${what} is given twice`, hint }),
    argumentMissing: (argument: string) => `<${argument}> is missing`,
    tooManyArguments: (command: string, count: number) =>
      `too many arguments: ${command} takes ${count === 0 ? "none" : count === 1 ? "one" : count}`,
    argumentValue: (argument: string, choices: readonly string[]) =>
      `<${argument}> must be one of: ${choices.join(", ")}`,
    contradiction: (option: string, other: string) => `${option} and ${other} contradict each other`,
    form: (what: string, form: string, hint: string) => ({
      message: `${what} must have the form ${form}`,
      hint,
    }),
    wholeNumber: (option: string, min: number, max: number | undefined, hint: string) => ({
      message: `${option} must be a whole number ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}`,
      hint,
    }),
    unknownName: (
      kind: "reporter" | "format" | "schema",
      name: string,
      known: readonly string[],
      suggestion: string | undefined,
    ) => ({
      message: `unknown ${kind} ${quote(name)}`,
      hint: suggestion ?? `choose one of ${known.join(", ")}`,
    }),
    noWorkflow: () => ({
      message: "no workflow given",
      hint: "name a workflow, or run all with --all; callsheet list workflows shows their names",
    }),
    allWithNames: () => ({
      message: "--all runs every workflow and takes no names",
      hint: seeHelp("run"),
    }),
    namesOrAll: () => "run() takes either workflows or all: true",
    percentage: () => ({
      message: "--coverage-min must be a percentage from 0 to 100",
      hint: seeHelp("run"),
    }),
    inspectPort: () => ({
      message: "--inspect-scripts takes a port from 0 to 65535, or no value",
      hint: "it listens only on 127.0.0.1; 0 chooses a free port",
    }),
    noScriptsToInspect: () => ({
      severity: "warning",
      message: "--inspect-scripts: the workflow has no scripts, so nothing waits for a debugger",
    }),
    environmentsForAll: (first: string, second: string) => ({
      message: `two environments for all APIs: --env ${first} and --env ${second}`,
      hint: "name the API: --env <api>=<environment>",
    }),
    manyFromInput: (names: readonly string[], hint?: string) => ({
      message: `standard input can give only one value, not ${names.join(" and ")}`,
      hint,
    }),
    reportersOnScreen: (first: string, second: string) => ({
      message: `two reporters write to standard output: ${first} and ${second}`,
      hint: `give one a file: --reporter ${second}=<file>`,
    }),
    reportersOnFile: (file: string) => ({
      message: `two reporters write to the file ${quote(file)}`,
      hint: "give each its own file",
    }),
    reporterFile: (reporter: string) => ({
      message: `--reporter ${reporter}= must name a file`,
      hint: seeHelp("run"),
    }),
    onFailure: (suggestion: string | undefined) => ({
      message: "--on-failure must be halt or continue",
      hint: suggestion ?? seeHelp("run"),
    }),
    size: () => ({
      message: "--max-response-size must be a number of bytes, or a number with KiB or MiB",
      hint: "for example 50MiB",
    }),
    visibleSecret: (word: string) => ({
      severity: "warning",
      message: `${word}=…: other users can see a secret on the command line`,
      hint: `${word}=- reads it from standard input`,
    }),
    terminalInput: (what: string) => ({
      message: `${what}: standard input is a terminal, which would show the value`,
      hint: 'pipe the value: printf %s "$VALUE" | callsheet …',
    }),
    largeInput: (what: string) => `${what}: standard input is larger than 1 MiB`,
    words: (words: readonly string[]) => ({
      message: "only operations can be searched by words",
      hint: `callsheet list operations ${words.join(" ")}`,
    }),
    noScripts: (workflow: string) => ({
      message: `the workflow ${quote(workflow)} has no scripts`,
      hint: `scripts are the files apis/workflow/scripts/${workflow}/<name>.ts`,
    }),
    schemaApi: () => ({
      message: "--api requires environment-values",
      hint: "callsheet schema environment-values --api <api>",
    }),
    schemaErrors: (file: string) => `${file} has errors`,
    printLink: () => ({
      message: "--print-link asks an app that is already running",
      hint: "remove --port and --host",
    }),
    port: (text: string) => ({
      message: `${quote(text)} is not a port`,
      hint: "a port is a number from 0 to 65535",
    }),
    directoryUnusable: (directory: string, errno: string) => ({
      message: `${directory} ${errno === "ENOTDIR" ? "is not a directory" : `cannot be read (${errno})`}`,
      hint: "name a new directory",
    }),
    directoryInUse: (directory: string) => ({
      message: `${directory} is not empty`,
      hint: "name a new or empty directory",
    }),
  },
  "file-encoding": {
    input: (what: string) => `${what}: standard input is not UTF-8`,
  },
  "project-missing": {
    above: () => ({
      message: "there is no apis/ directory here or in a parent directory",
      hint: "change to a project's directory, or name it with --project <directory>",
    }),
    inside: (directory: string) => `there is no apis/ directory in ${quote(directory)}`,
  },
  "project-exists": {
    exists: (directory: string) => ({
      message: `${quote(directory)} already contains apis/`,
      hint: "name a new directory; to update only the editor's files, run callsheet init --editor",
    }),
  },
  "write-failed": {
    directory: (directory: string, errno: string) =>
      `cannot create the directory ${quote(directory)} (${errno})`,
  },
  "workflow-unknown": {
    none: () => ({
      message: "the project has no workflows",
      hint: "workflows are the files apis/workflow/<name>.json",
    }),
  },
  "variable-missing": {
    noValue: (name: string, environment: string, hint: string | undefined) => ({
      message: `${quote(name)} has no value in the environment ${quote(environment)}`,
      hint,
    }),
    noOwnValue: (name: string, environment: string, suggestion: string | undefined) => ({
      message: `the files of the environment ${quote(environment)} do not set ${quote(name)}`,
      hint: suggestion,
    }),
  },
  "compiler-missing": {
    missing: () => ({
      message: "TypeScript is not installed in the project",
      hint: "run npm install --save-dev typescript",
    }),
  },
  "compiler-failed": {
    failed: (config: string) => ({
      message: "the TypeScript compiler of the project failed to run",
      hint: `run npx tsc -p ${config} to see why`,
    }),
  },
  "types-in-the-way": {
    foreign: (directory: string) => ({
      message: `${directory} was not created by callsheet`,
      hint: "callsheet types writes there: uninstall the package, or remove the directory or link",
    }),
  },
  "app-missing": {
    notRunning: () => ({
      message: "no app is running for this project",
      hint: "start it with callsheet app",
    }),
  },
  "report-failed": {
    unwritable: (file: string, errno: string | undefined) =>
      `the report ${file} cannot be written${errno === undefined ? "" : `: ${reasons[errno] ?? errno}`}`,
    unreadable: (file: string) =>
      `the report ${file} cannot be read again, so it was not searched for secrets`,
    notBuffered: (what: string) => ({
      message: `${what} could not be buffered, so its start was not searched for secrets found later`,
      hint: "check that the directory for temporary files is writable and has space",
    }),
  },
  "secret-leaked": {
    leaked: (facts: {
      readonly where: string
      readonly secret: string
      readonly isCaptured: boolean
      readonly isRemoved?: boolean | undefined
    }) => ({
      message: `${facts.where} contains the value of the secret ${facts.secret}${
        facts.isRemoved === undefined ? "" : `; the file ${facts.isRemoved ? "was" : "could not be"} removed`
      }`,
      hint: facts.isCaptured
        ? "callsheet cannot mask what it writes before it knows that a value is secret: mark the value in the document (writeOnly, format: password), or call ctx.secret before it is shown"
        : "this is a bug in callsheet: please report it, without the value; change the secret if others could read it",
    }),
    inEvents: (secrets: readonly string[]) => ({
      message: `the events or the report contain the value of ${secrets.join(", ")}`,
      hint: "callsheet cannot mask events from before it knew that a value is secret; anything else is a bug in callsheet: please report it, without the value",
    }),
    notSearched: (secret: string) => ({
      severity: "warning",
      message: `callsheet did not search for the secret ${secret}: its value is a short number, a name in the project or a word that reports contain anyway`,
      hint: "choose a value that nobody can guess",
    }),
  },
})

/** Notices of the CLI about its own work. */
export const notices = {
  interrupted: () => "interrupted",
  interruptedUnchanged: () => "interrupted: nothing was changed",
  bug: () => "a bug in callsheet",
  reportBug: (debug: boolean) =>
    `please report it${debug ? "" : ", with the output of the same command under --debug"}`,
  recovered: (title: string) => `finished a change that an earlier command left incomplete: ${title}`,
  nothingToList: () => "nothing to list",
  nothingToChange: () => "nothing to change",
  noEnvironments: () => "no environments",
  noVariables: () => "no variables",
  hiddenValue: (name: string, isSecret: boolean) =>
    `${name} ${isSecret ? "is a secret" : "contains a password"}; --reveal shows it`,
  whyNoValue: (file: string | undefined) =>
    file === undefined ? "no file sets it" : `${file} sets no value for it`,
  created: (environment: string, api: string) => `new environment ${environment} of ${api}`,
  set: (name: string, file: string) => `${name} set in ${file}`,
  unset: (name: string, file: string) => `${name} removed from ${file}`,
  moved: (name: string, file: string) => `${name} moved out of version control, to ${file}`,
  uncovered: (name: string, file: string) => `${name} removed from ${file}, where it hid the new value`,
  emptyInput: (name: string) => `standard input was empty: ${name} is now the empty text`,
  extends: (environment: string, parent: string | null) =>
    parent === null
      ? `${environment} no longer extends another environment`
      : `${environment} now extends ${parent}`,
  secretsIgnored: () => "added secrets files to .gitignore",
  renamed: (environment: string, to: string) => `renamed ${environment} to ${to}`,
  deleted: (file: string) => `deleted ${file}`,
  projectCreated: (files: number, directory: string) => `created a project of ${files} files in ${directory}`,
  next: () => "next:",
  editorReady: () => "the editor's files are up to date",
  written: (files: readonly string[]) => `wrote ${files.join(", ")}`,
  settingsKept: (file: string) =>
    `callsheet cannot read ${file} as JSON and did not change it; add this yourself:`,
  workflowUnreadable: (workflow: string) =>
    `${workflow} cannot be read; run callsheet validate ${workflow} to see why`,
  typesWritten: (workflows: number, files: number) =>
    `script types of ${plural(workflows, "workflow")}: ${files === 0 ? "up to date" : `wrote ${plural(files, "file")}`}`,
  link: (canPrintAnother: boolean) =>
    `the link works once, for five minutes${canPrintAnother ? "; callsheet app --print-link prints another" : ""}`,
  stopApp: () => "press Ctrl-C to stop the app",
  remote: () => "other machines can reach this app, and anyone on the network can read what its page shows",
  waitingForDebugger: (host: string) =>
    `scripts wait for a debugger to attach to ${host}; they run one at a time and without a time limit`,
  reporterFailed: (reporter: string) => `the reporter ${reporter} failed and was stopped:`,
  manyWarnings: (warnings: number, max: number) =>
    `${plural(warnings, "warning")}; ${max === 0 ? "--strict allows none" : `--max-warnings allows ${max}`}`,
  lowCoverage: (exercised: number, documented: number, percent: number, min: number) =>
    `coverage: ${exercised} of ${documented} operations were run, ${percent} %; --coverage-min requires ${min} %`,
} as const
