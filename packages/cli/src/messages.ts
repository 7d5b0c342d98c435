// The messages of the CLI: problems by code, and notices.

import { defineMessages, quote, systemReason, type AnswersPart, type NoiseReason } from "@callsheet/format"
import type { SecretsByCause } from "@callsheet/interop"
import { plural } from "./text/measures.ts"

/** Returns the usual hint for misuse. */
export const seeHelp = (command: string): string =>
  `see callsheet ${command === "" ? "" : `${command} `}--help`

interface ProbeCounts {
  readonly requests: number
  readonly operations: number
  readonly findings: number
  /** The findings that the baseline lists. */
  readonly known: number
}

const MAX_NAMES = 10

export const abbreviate = (names: readonly string[]): string =>
  [
    ...names.slice(0, MAX_NAMES),
    ...(names.length > MAX_NAMES ? [`… ${names.length - MAX_NAMES} more`] : []),
  ].join(", ")

/** Why there is no commit to compare with. */
const baseReasons = {
  "no-git": { message: "git isn't installed", hint: "install git" },
  "no-repository": {
    message: "the project isn't in a git repository",
    hint: "run git init, and commit the files",
  },
  "no-answer": { message: "git didn't answer", hint: "run git status in this directory" },
  unknown: {
    message: "no commit has this name",
    hint: "name a branch, tag or commit that git log knows; in CI, fetch it first",
  },
  "no-base": { message: "it has no ancestor in common with HEAD", hint: "name a commit of this history" },
  shallow: {
    message: "this clone is shallow and has no ancestor in common with HEAD",
    hint: "fetch more history with git fetch --unshallow; with actions/checkout, set fetch-depth: 0",
  },
}
type BaseReason = keyof typeof baseReasons

export const messages = defineMessages(() => ({
  "snapshot-unused": {
    noEntry: (name: string) => ({
      severity: "warning",
      message: `no workflow and no entry of a suite is named ${quote(name)}, so nothing uses this snapshot`,
      hint: "delete the file",
    }),
    noBlock: (id: string, workflows: readonly string[]) => ({
      severity: "warning",
      message: `${abbreviate(workflows)} has no request block ${quote(id)}, so nothing uses this snapshot`,
      hint: "delete the file, or rename it if the block has another id now",
    }),
  },
  "confirm-required": {
    probes: (environments: readonly string[]) => ({
      message: `callsheet probe never sends to production: ${abbreviate(environments)}`,
      hint: "choose another environment with --env",
    }),
  },
  usage: {
    probeApi: () => ({ message: "--api is missing", hint: seeHelp("probe") }),
    noDocument: (api: string) => ({
      message: `${api} has no OpenAPI document to mock`,
      hint: "without a document, callsheet mock needs --from <record>",
    }),
    noDocuments: () => "no API of this project has an OpenAPI document to mock",
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
    withoutRun: (option: string) => `${option} needs --run`,
    twice: (what: string, hint?: string) => ({ message: `${what} is given twice`, hint }),
    argumentMissing: (argument: string) => `<${argument}> is missing`,
    tooManyArguments: (command: string, count: number) =>
      `too many arguments: ${command} takes ${count === 0 ? "none" : count === 1 ? "one" : count}`,
    argumentValue: (argument: string, choices: readonly string[]) =>
      `<${argument}> must be one of: ${choices.join(", ")}`,
    oneProject: (option: string) => ({
      message: `${option} works with one project, but --project is a pattern`,
      hint: "name one project's directory",
    }),
    noPattern: (command: string) => ({
      message: `${command} doesn't take a pattern in --project`,
      hint: "name one project's directory; run, validate, list and impact take patterns",
    }),
    contradiction: (option: string, other: string) => `${option} can't be used with ${other}`,
    form: (what: string, form: string, hint: string) => ({
      message: `${what} must have the form ${form}`,
      hint,
    }),
    wholeNumber: (option: string, min: number, max: number | undefined, hint: string) => ({
      message: `${option} must be a whole number ${max === undefined ? `greater than or equal to ${min}` : `from ${min} to ${max}`}`,
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
    noDirectory: (errno: string | undefined) => ({
      message:
        errno === "ENOENT"
          ? "the current directory does not exist"
          : `can't read the current directory: ${systemReason(errno)}`,
      hint: "it may have been deleted while this terminal was open: change to another directory",
    }),
    noWorkflow: () => ({
      message: "no workflow given",
      hint: "name a workflow, or run all with --all; callsheet list workflows shows their names",
    }),
    allWithNames: () => ({
      message: "--all runs every workflow, so it can't be used with workflow names",
      hint: seeHelp("run"),
    }),
    dataWorkflows: (count: number) => ({
      message: `--data runs exactly one workflow, not ${count}`,
      hint: "name the workflow that the rows are for",
    }),
    untilWorkflows: (count: number) => ({
      message: `--until runs exactly one workflow, not ${count}`,
      hint: "name the workflow that contains the block",
    }),
    needsJson: (what: "tests" | "--lines") => ({
      message: `${what} needs --json`,
      hint: what === "tests" ? "callsheet list tests --json" : "callsheet list operations --json --lines",
    }),
    forceInCi: (option: string) => ({
      message: `${option} changes files of the project, which needs --force in CI`,
      hint: "run it on your machine and commit the result, or add --force",
    }),
    forceAlone: () => ({
      message: "--force needs --update-baseline or --snapshots",
      hint: seeHelp("run"),
    }),
    noLastSession: () => ({
      message: "--last-failed: callsheet has no record of an earlier run of this project",
      hint: "run workflows without --last-failed first; the record is in the user's state directory",
    }),
    nothingFailed: (failed: readonly string[]) =>
      failed.length === 0
        ? {
            message: "--last-failed has nothing to run: nothing failed in the last run",
            hint: "run without --last-failed to run workflows again",
          }
        : {
            message: "--last-failed has nothing to run: none of these workflows failed in the last run",
            hint: `these failed: ${abbreviate(failed)}`,
          },
    lastFailedRows: () => ({
      message: "--last-failed can't be used with --data",
      hint: "callsheet doesn't record which rows failed; run all rows, or a file with only some of them",
    }),
    needsFix: (option: string) => `${option} needs --fix`,
    noBase: (option: string, reference: string, reason: BaseReason) => ({
      message: `${option} ${quote(reference)}: ${baseReasons[reason].message}`,
      hint: baseReasons[reason].hint,
    }),
    againstFileApi: (apis: readonly string[]) => ({
      message: "--against-file needs --api with the name of an API of this project",
      hint: apis.length === 0 ? "callsheet list apis shows them" : `the APIs are ${abbreviate(apis)}`,
    }),
    againstFile: (file: string, reason: string) => `can't read ${quote(file)}: ${reason}`,
    listWithoutSince: () => ({
      message: "--list needs --changed-since",
      hint: "callsheet list workflows lists all workflows",
    }),
    snapshotsInCi: (mode: string) => ({
      message: `--snapshots ${mode} stores responses, which CI should only check`,
      hint: "use --snapshots check, or add --force if this run should really store them",
    }),
    shard: () => ({
      message: "--shard must be <index>/<count>, with an index from 1 to the count",
      hint: "for example, --shard 2/4 runs the second of four parts",
    }),
    timingsWithoutShard: () => ({
      message: "--timings needs --shard",
      hint: "it balances the parts of a session: --shard 1/4 --timings last.callsheet",
    }),
    lastFailedWatch: () => ({
      message: "--last-failed can't be used with --watch",
      hint: "in --watch, press f to run what failed",
    }),
    watchTerminal: () => ({
      message: "--watch needs a terminal for input and output",
      hint: "run it without a pipe or redirection, with --reporter ndjson, or without --watch",
    }),
    mcpMissing: (version: string) => ({
      message: "callsheet mcp needs the package callsheet-mcp",
      hint: `run npm install --save-dev callsheet-mcp@${version}`,
    }),
    lspMissing: (version: string) => ({
      message: "callsheet lsp needs the package callsheet-lsp",
      hint: `run npm install --save-dev callsheet-lsp@${version}`,
    }),
    toolInput: (place: string, message: string) => `${place === "" ? "the arguments" : place}: ${message}`,
    toolFile: () => ({
      message: "tools can't read a file at this path",
      hint: "paths start at the project's root, such as apis/workflow/<name>.json; list_project returns them",
    }),
    toolSecrets: () => ({
      message: "tools can't read secrets files",
      hint: "read the environment's value file: it lists the names of secrets",
    }),
    toolText: () => ({ message: "`text` needs `path`", hint: "name the file that the text is for" }),
    toolSubject: () => "set exactly one of `workflow` and `suite`",
    toolWorkflow: () => ({
      message: "no workflow can have this name",
      hint: "list_project returns the names of workflows",
    }),
    toolEditable: () => ({
      message: "tools change only workflows and saved requests",
      hint: "ask a person to change environments, scripts or callsheet.json",
    }),
    toolEdits: () => ({
      message: "set exactly one of `edits` and `text`",
      hint: "`edits` changes an existing file; `text` is the content of a new one",
    }),
    toolEditPlace: (at: number, path: string) => ({
      message: `edits[${at}]: nothing can be edited at ${quote(path)}`,
      hint: "use a JSON pointer into the file as the earlier edits leave it; add creates a value, replace and remove need one",
    }),
    toolWeakens: (checks: readonly string[]) => ({
      message: `the proposal weakens checks that the contract supports: ${checks.join("; ")}`,
      hint: "fix the cause instead, or tell the user and apply with acknowledgeWeakening: true",
    }),
    namesOrAll: () => 'run() expects exactly one of "workflows", "all: true" and "suite"',
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
      message: `--env ${first} and --env ${second} both apply to all APIs`,
      hint: "to set the environment of one API, use --env <api>=<environment>",
    }),
    manyFromInput: (names: readonly string[], hint?: string) => ({
      message: `standard input can set only one value, not ${names.join(" and ")}`,
      hint,
    }),
    reportersOnScreen: (first: string, second: string) => ({
      message: `two reporters write to standard output: ${first} and ${second}`,
      hint: `give one a file: --reporter ${second}=<file>`,
    }),
    reportersOnFile: (file: string) => ({
      message: `two reporters write to the file ${quote(file)}`,
      hint: "give each reporter its own file",
    }),
    reporterFile: (reporter: string) => ({
      message: `--reporter ${reporter}= must name a file`,
      hint: seeHelp("run"),
    }),
    address: (option: string) => ({
      message: `${option} must be an http or https URL without a name, a password or a query`,
      hint: `such as ${option} https://tunnel.example.com`,
    }),
    collector: () => ({
      message: "--reporter otlp needs the http or https URL of a collector, without a name or password",
      hint: "such as --reporter otlp=http://localhost:4318",
    }),
    collectorUntraced: () => ({
      message: "--reporter otlp sends traces, so it needs --trace",
      hint: "add --trace",
    }),
    recordUntraced: () => ({
      message: "--reporter otlp needs the ids of a traced run, which no record has",
      hint: "record a run with --trace",
    }),
    reporterDirectory: (reporter: string) => ({
      message: `--reporter ${reporter} writes a directory, not to standard output`,
      hint: `name the directory: --reporter ${reporter}=${reporter}-results`,
    }),
    recordFile: () => ({ message: "--record must name a file", hint: seeHelp("run") }),
    notPretty: (option: string) => ({
      message: `${option} works only with the reporter pretty`,
      hint: "the json report always contains every exchange",
    }),
    verboseDefaults: (option: string) => ({
      message: `${option} works only with the reporter pretty, but "defaults.reporters" in callsheet.json names others`,
      hint: `add --reporter pretty, or leave out ${option}: the json report always contains every exchange`,
    }),
    choice: (option: string, choices: readonly string[], suggestion: string | undefined) => ({
      message: `${option} must be ${choices.join(" or ")}`,
      hint: suggestion ?? seeHelp("run"),
    }),
    exportFormat: (formats: readonly string[], suggestion: string | undefined) => ({
      message: `--to must be one of: ${formats.join(", ")}`,
      hint: suggestion ?? seeHelp("export"),
    }),
    size: (option: string) => ({
      message: `${option} must be a number of bytes, or a number followed by KiB or MiB`,
      hint: "for example, 50MiB",
    }),
    visibleSecret: (word: string) => ({
      severity: "warning",
      message: `${word}=…: other users of this machine can see secrets on the command line`,
      hint: `use ${word}=- to read it from standard input`,
    }),
    terminalInput: (what: string) => ({
      message: `${what}: standard input is a terminal, which would show the value`,
      hint: 'pipe the value: printf %s "$VALUE" | callsheet …',
    }),
    filesDirectory: (given: string) => `--files: ${quote(given)} is not a directory`,
    largeInput: (what: string, mebibytes = 1) => `${what}: standard input is larger than ${mebibytes} MiB`,
    words: (words: readonly string[]) => ({
      message: "only operations can be searched by keyword",
      hint: `try: callsheet list operations ${words.join(" ")}`,
    }),
    noScripts: (workflow: string) => ({
      message: `the workflow ${quote(workflow)} has no scripts`,
      hint: `scripts are the files apis/workflow/scripts/${workflow}/<name>.ts`,
    }),
    schemaApi: () => ({
      message: '--api works only with the schema "environment-values"',
      hint: "try: callsheet schema environment-values --api <api>",
    }),
    schemaErrors: (file: string) => ({
      message: `${file} has errors`,
      hint: "run callsheet validate to see them",
    }),
    printLink: () => ({
      message: "--print-link can't be combined with --port or --host",
      hint: "remove them: --print-link prints a link to the app that is already running",
    }),
    port: (text: string) => ({
      message: `${quote(text)} is not a valid port`,
      hint: "a port is a number from 0 to 65535",
    }),
    directoryUnusable: (directory: string, errno: string) => ({
      message: `${directory} ${errno === "ENOTDIR" ? "is not a directory" : `can't be read: ${systemReason(errno)}`}`,
      hint: "name a new directory",
    }),
    temporaryUnusable: (directory: string, errno: string) => ({
      message: `the temporary directory ${directory} can't be written to: ${systemReason(errno)}`,
      hint: "name a new directory, or set TMPDIR to another one",
    }),
    codeGenerationOff: () => ({
      message:
        "the servers of the sample compile JSON Schemas, which --disallow-code-generation-from-strings forbids",
      hint: "run callsheet demo without this option of Node",
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
      message: "could not find an apis/ directory here or in any parent directory",
      hint: "run the command in a project's directory, use --project <directory>, or create a project: callsheet init",
    }),
    matching: (pattern: string) => ({
      message: `no directory that matches ${quote(pattern)} has an apis/ directory`,
      hint: "quote the pattern, and check it from the working directory; * matches one directory, ** any number",
    }),
    inside: (directory: string) => ({
      message: `could not find an apis/ directory in ${quote(directory)}`,
      hint: "name a project's directory, or create a project: callsheet init <directory>",
    }),
  },
  "file-exists": {
    exported: (file: string) => ({
      message: `${quote(file)} already exists`,
      hint: "overwrite it with --force",
    }),
    exportDirectory: (directory: string) => ({
      message: `${quote(directory)} is a directory; --output takes the name of a file`,
      hint: `for example, --output ${directory.replace(/[/\\]+$/, "")}/<file>`,
    }),
  },
  "write-failed": {
    directory: (directory: string, errno: string) =>
      `can't create the directory ${quote(directory)} (${errno})`,
  },
  "run-unknown": {
    noneYet: () => ({ message: "nothing has run yet", hint: "call run first" }),
    failures: (count: number) => `the last run has ${plural(count, "failure")}`,
  },
  "plan-unknown": {
    proposal: () => ({
      message: "this proposal does not exist or was already applied",
      hint: "call propose_change again",
    }),
  },
  "workflow-unknown": {
    notRecorded: (file: string, name: string, known: readonly string[]) => ({
      message: `the record ${quote(file)} contains no run of ${quote(name)}`,
      hint: `it contains runs of: ${abbreviate(known)}`,
    }),
    none: () => ({
      message: "the project has no workflows",
      hint: "workflows are the files apis/workflow/<name>.json",
    }),
    gone: (name: string, suite: string | undefined) => ({
      severity: "warning",
      message: `${quote(name)} failed in the last run, but ${suite === undefined ? "the project" : `the suite ${quote(suite)}`} no longer has it`,
    }),
    onlyHelpers: () => ({
      message: 'every workflow is one of the "helpers" in callsheet.json, which run only if they are named',
      hint: "name a workflow to run",
    }),
    noMatch: (text: string) => ({
      message: `no workflow has a name that contains ${quote(text)}`,
      hint: "callsheet list workflows shows the names",
    }),
  },
  "variable-missing": {
    noValue: (name: string, environment: string, hint: string | undefined) => ({
      message: `${quote(name)} has no value in the environment ${quote(environment)}`,
      hint,
    }),
    noOwnValue: (name: string, environment: string, suggestion: string | undefined) => ({
      message: `the files of the environment ${quote(environment)} don't set ${quote(name)}`,
      hint: suggestion,
    }),
  },
  "script-type": {
    returns: (kind: "assert" | "script", exportName: string, type: string) => ({
      message: `${quote(exportName)} returns ${type}, which callsheet doesn't read; expected void or Promise<void>`,
      hint: {
        assert: "to fail the block, use ctx.expect(…), ctx.assert(condition, message) or throw",
        script: "to fail the block, throw an error; to return a value, use a transform block",
      }[kind],
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
      message: "the project's TypeScript compiler failed to run",
      hint: `run npx tsc -p ${config} to see why`,
    }),
  },
  "types-in-the-way": {
    foreign: (directory: string) => ({
      message: `callsheet did not create ${directory}`,
      hint: "callsheet types generates its files there: uninstall the package, or remove the directory or link",
    }),
  },
  "app-missing": {
    notRunning: () => ({
      message: "no app is running for this project",
      hint: "run callsheet app to start it",
    }),
  },
  "collector-failed": {
    refused: (address: string, reason: string) => ({
      message: `could not send the traces to ${address}: ${reason}`,
      hint: "the run's result doesn't depend on it",
    }),
    headers: (address: string, variable: string) => ({
      message: `sent no traces to ${address}, because ${variable} is not a list of headers`,
      hint: "write name=value,name=value, with values in percent-encoding",
    }),
    withheld: (address: string, reason: string, variable: string) => ({
      message: `could not send the traces to ${address}: ${reason}`,
      hint: `to send ${variable} to an address in callsheet.json, set OTEL_EXPORTER_OTLP_ENDPOINT to it`,
    }),
    late: (address: string, limitMs: number) => ({
      message: `could not send all traces to ${address} within ${limitMs} ms`,
      hint: "the run's result doesn't depend on it",
    }),
  },
  "report-failed": {
    standardOutput: (errno: string | undefined) => ({
      message: `can't write to standard output: ${systemReason(errno)}`,
      hint: "the output is incomplete",
    }),
    unwritable: (what: "report" | "record", file: string, errno: string | undefined) =>
      `can't write the ${what} ${quote(file)}: ${systemReason(errno)}`,
    notFile: (file: string) => `can't write the record ${quote(file)}: it is not a regular file`,
    recordLocked: (file: string) => ({
      message: `another callsheet process is writing the record ${quote(file)}`,
      hint: "write to another file, or wait until that run is over",
    }),
    unreadable: (file: string) =>
      `can't reread the report ${quote(file)}, so callsheet did not search it for secrets`,
    notBuffered: (what: string) => ({
      message: `callsheet could not buffer ${what}, so part of it was not searched for secrets`,
      hint: "check that the temporary directory is writable and has free space",
    }),
  },
  "replay-script": {
    reaches: (what: string) => ({
      message: `the script uses ${quote(what)}, which a replay can't repeat`,
      hint: "move this to a request block, or replay other workflows",
    }),
  },
  "replay-different": {
    request: (differences: number) =>
      `the request differs from the recorded one in ${plural(differences, "part")}`,
  },
  "replay-missing": {
    request: (id: string, iterations: readonly number[]) => ({
      message: `the record contains no response for ${quote(id)}${iterations.length === 0 ? "" : ` in iteration ${iterations.join(" › ")}`}`,
      hint: "run the workflow again with --record",
    }),
  },
  "record-invalid": {
    noAnswers: (shown: string, api?: string) =>
      `the record ${shown} contains no answered requests to ${api ?? "an API of this project"}`,
    severalProjects: (file: string, names: readonly string[]) => ({
      message: `the record ${quote(file)} is of several projects: ${abbreviate(names)}`,
      hint: "a replay needs the record of one project: record one with --project <directory>",
    }),
    otherProjects: (file: string, names: readonly string[]) => ({
      message: `the record ${quote(file)} has no runs of the compared projects; it has those of ${abbreviate(names)}`,
      hint: "use --project and the working directory of the recorded run",
    }),
    notRecord: (file: string) => ({
      message: `${quote(file)} is not a record of callsheet run --record`,
      hint: "record a run: callsheet run <workflow> --record run.callsheet",
    }),
    unreadable: (file: string, errno: string) =>
      `can't read the record ${quote(file)}: ${systemReason(errno)}`,
    newer: (file: string, format: string, callsheet: string) => ({
      message: `the record ${quote(file)} has the format ${format}; this version of callsheet reads 1.x`,
      hint: `use the version that wrote it: ${callsheet}`,
    }),
    cut: (file: string, runs: number) => ({
      message: `the record ${quote(file)} is incomplete: it ends after ${plural(runs, "run")}`,
      hint: "the session was interrupted, or the disk was full",
    }),
    twice: (first: string, second: string) => `${quote(first)} and ${quote(second)} are the same record`,
    shardTwice: (index: number, first: string, second: string) =>
      `${quote(first)} and ${quote(second)} are both shard ${index}`,
    event: (reason: string) => ({
      message: `callsheet did not write this line of the record: ${reason}`,
      hint: "the record was changed or damaged; what precedes the line was read",
    }),
    emptyDirectory: (directory: string) => ({
      message: `the directory ${quote(directory)} contains no records`,
      hint: "name a record, or a directory that contains only records",
    }),
    shardMissing: (missing: readonly number[], count: number, isDirectory: boolean) => ({
      message: `these shards are missing: ${missing.slice(0, 20).join(", ")}${missing.length > 20 ? " …" : ""} (of ${count})`,
      hint: isDirectory
        ? "put the records of all shards in one directory, and name the directory"
        : "add their records, or merge the others with --partial",
    }),
    otherFiles: (first: string, second: string) => ({
      message: `${quote(first)} and ${quote(second)} were recorded from different revisions of the project`,
      hint: "merge only records of the same revision",
    }),
    otherSession: (first: string, second: string) =>
      `${quote(first)} and ${quote(second)} are not shards of the same session`,
    otherPlan: (first: string, second: string) => ({
      message: `the shards ${quote(first)} and ${quote(second)} were balanced by different timings, so a workflow may have run in none of them`,
      hint: "run all shards again with the same --timings, or all without it",
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
        ? "callsheet wrote this value before the run captured it as a secret: mark it as writeOnly or format: password in the OpenAPI document, or pass it to ctx.secret first"
        : "this is a bug in callsheet: please report it without the value, and rotate the secret if others could see it",
    }),
    inEvents: (secrets: readonly string[]) => ({
      message: `the events or the report contain the values of these secrets: ${secrets.join(", ")}`,
      hint: "callsheet can't mask an event that it sent before the value became secret; if that is not the cause, please report this bug without the value",
    }),
    notSearched: (secret: string) => ({
      severity: "warning",
      message: `callsheet did not search the output for the secret ${secret}: its value is too common (a short number, a name in the project, or a word that reports use)`,
      hint: "use a value that is harder to guess",
    }),
  },
}))

const noiseWords: { readonly [R in NoiseReason]: string } = {
  readOnly: "readOnly values",
  format: "ids and times",
  baseline: "differences in the baseline",
  body: "headers computed from the body",
  connection: "headers of the connection",
  duration: "durations",
}

/** Notices about the work of a command. */
export const notices = {
  compared: (differences: number, blocks: number) =>
    `${differences === 0 ? "no differences" : plural(differences, "difference")} (${plural(blocks, "block")} compared)`,
  noise: (counts: readonly (readonly [NoiseReason, number])[]) =>
    `noise: ${counts.map(([reason, count]) => `${noiseWords[reason]} (${count})`).join(", ")}; --json lists it`,
  moreDifferences: (count: number) => `… ${plural(count, "more difference")}; --json lists them`,
  moreBlocks: (count: number) => `… ${plural(count, "more block")} with differences; --json lists them`,
  noBaseline: () => "to detect more noise, record the left side again and pass it as --baseline",
  noContract: () =>
    "no contract describes these responses, so callsheet detects noise only by --baseline and the formats of values",
  toolFailed: () => "a bug in callsheet: the tool failed; please report it",
  invalidMessage: () => "callsheet ignored an invalid message",
  requestCause: () => "the request violates the contract, so fix the request first",
  contractCause: () => "the response doesn't match the document: either the API or the document is wrong",
  statusCause: (status: number) =>
    `the server answered ${status}: ${
      status >= 500
        ? "look for the error in its log"
        : status === 401 || status === 403
          ? "check the credentials in the environment's variables"
          : status === 404
            ? "check the path parameters, and whether an earlier block created the resource"
            : "the body of the response often says what is wrong with the request"
    }`,
  notReplayed: (names: readonly string[]) =>
    `not replayed, because the record doesn't contain them: ${abbreviate(names)}`,
  interrupted: () => "interrupted",
  interruptedUnchanged: () => "interrupted: nothing was changed",
  bug: () => "this is a bug in callsheet",
  reportBug: (debug: boolean) =>
    `please report it${debug ? "" : ", and include the output of the same command with --debug"}`,
  recovered: (title: string) => `finished an interrupted change: ${title}`,
  imported: (requests: number, operations: number, saved: number, workflows: number) =>
    `imported ${plural(requests, "request")}: ${operations} as operations, ${saved} as saved requests, in ${plural(workflows, "workflow")}`,
  importedApi: (api: string, operations: number, environments: number, isDryRun: boolean) =>
    `${isDryRun ? "would add" : "added"} the API ${api} with ${plural(operations, "operation")} and ${plural(environments, "environment")}`,
  importedSuites: (suites: readonly string[], maxBlocks: number) =>
    `workflows of more than ${maxBlocks} blocks are split at their folders; run them in order with ${suites.map((name) => `callsheet run --suite ${name}`).join(", ")}`,
  importedSecrets: (secrets: readonly SecretsByCause[]) => {
    const lines = secrets.map(({ cause, variables }) => `  ${cause}: ${variables.join(", ")}`)
    return ["values in secrets files, which Git ignores:", ...lines].join("\n")
  },
  importedNothing: (source: string, requests: number) =>
    `no requests to import: ${
      requests === 0
        ? `the source (${source}) has none`
        : `callsheet can't send ${requests === 1 ? "the only one" : `any of the ${requests}`} of the source (${source})`
    }`,
  generated: (workflows: number, suites: readonly string[]) =>
    `${plural(workflows, "workflow")}${suites.length === 0 ? "" : ` and the suite ${suites.join(", ")}`}`,
  operationsAdded: (count: number) => `the documents added ${plural(count, "operation")}:`,
  operationsRemoved: (count: number) => `the documents lost ${plural(count, "operation")}:`,
  keptEdits: (count: number) => `kept ${plural(count, "hand edit")}:`,
  skipped: (count: number) => `skipped ${plural(count, "operation")}:`,
  more: (count: number) => `… and ${count} more; --json lists all`,
  probed: ({ requests, operations, findings, known }: ProbeCounts) =>
    `${plural(requests, "request")} to ${plural(operations, "operation")}: ${findings === 0 ? "no findings" : plural(findings, "finding")}${known === 0 ? "" : `, ${known} more known`}`,
  probesLeftOut: (count: number, max: number) =>
    `--max ${max} left out ${plural(count, "probe")}; raise it to send them`,
  notProbed: (operation: string, reason: string) => `not probed: ${operation}: ${reason}`,
  manyProbes: (operation: string) => `${operation} has more than 1,000 probes; the others are left out`,
  nothingProbed: () => "no operation was probed",
  refusedValid: (status: number) => `its valid request was answered with ${status}`,
  invalidBase: () => "the saved or generated request isn't valid",
  notAnswered: () => "its valid request got no answer",
  runGenerated: (suite: string) => `run them: callsheet run --suite ${suite}`,
  importedFiles: (count: number, isDryRun: boolean) =>
    count === 0
      ? "nothing to write: every file is up to date"
      : `${isDryRun ? "would write" : "wrote"} ${plural(count, "file")}:`,
  losses: (count: number) => `${plural(count, "item")} not imported completely:`,
  lossSeverity: (severity: "changes-results" | "needs-hand" | "information") =>
    ({
      "changes-results": "changes results:",
      "needs-hand": "needs a hand:",
      information: "only disappears:",
    })[severity],
  moreLosses: (count: number) => `${count.toLocaleString("en")} more`,
  allLosses: () => "to list everything, add --json",
  answers: (parts: readonly AnswersPart[]) =>
    parts.map(({ text, items }) => (items.length === 0 ? text : `${text}: ${abbreviate(items)}`)).join("; "),
  exportLosses: (count: number) => `${plural(count, "item")} not exported completely:`,
  unsetVariables: (names: readonly string[]) =>
    `variables without a value: ${abbreviate(names)}; set them with callsheet env write`,
  nothingToList: () => "nothing to list",
  nothingToChange: () => "nothing to change",
  noEnvironments: () => "no environments",
  noVariables: () => "no variables",
  hiddenValue: (name: string, isSecret: boolean) =>
    `${name} ${isSecret ? "is a secret" : "contains a password"}; --reveal shows it`,
  whyNoValue: (file: string | undefined) =>
    file === undefined ? "no file sets it" : `${file} doesn't set it`,
  created: (environment: string, api: string) => `created the environment ${environment} of ${api}`,
  set: (name: string, file: string) => `${name} set in ${file}`,
  unset: (name: string, file: string) => `${name} removed from ${file}`,
  moved: (name: string, file: string) => `${name} moved out of version control, to ${file}`,
  uncovered: (name: string, file: string) => `${name} removed from ${file}, where it overrode the new value`,
  emptyInput: (name: string) => `standard input was empty: ${name} is now an empty string`,
  extends: (environment: string, parent: string | null) =>
    parent === null
      ? `${environment} no longer extends another environment`
      : `${environment} now extends ${parent}`,
  secretsIgnored: () => "added secrets files to .gitignore",
  renamed: (environment: string, to: string) => `renamed ${environment} to ${to}`,
  deleted: (file: string) => `deleted ${file}`,
  projectCreated: (files: number, directory: string) =>
    `created a project with ${files} files in ${directory}`,
  next: () => "next:",
  editorReady: () => "the editor's files are up to date",
  kept: (files: readonly string[]) => `kept ${files.join(", ")}`,
  written: (files: readonly string[]) => `wrote ${files.join(", ")}`,
  settingsKept: (file: string) =>
    `callsheet can't read ${file} as JSON and did not change it; add this yourself:`,
  workflowUnreadable: (workflow: string) =>
    `${workflow} can't be read; run callsheet validate ${workflow} to see why`,
  typesWritten: (workflows: number, files: number) =>
    `script types for ${plural(workflows, "workflow")}: ${files === 0 ? "up to date" : `wrote ${plural(files, "file")}`}`,
  link: (canPrintAnother: boolean) =>
    `the link works once and expires in five minutes${canPrintAnother ? "; for another, run callsheet app --print-link" : ""}`,
  noProjectYet: (directory: string) =>
    `${directory} has no project yet; create one in the app, or run callsheet init`,
  stopApp: () => "press Ctrl-C to stop the app",
  sampleServers: (port: number) =>
    `the servers of the sample project run on the ports ${port} to ${port + 3} until the app stops`,
  remote: () => "other machines can reach this app, and anyone on the network can read what its page shows",
  login: () => "to log in, open this URL:",
  waitingForDebugger: (host: string) =>
    `scripts wait for a debugger to attach to ${host}; they run one at a time and without a time limit`,
  watchKeys: () =>
    "waiting for changes; press a to run all, f to run what failed, Enter to run again, q to quit",
  documentReloaded: (file: string) => `answers from the new ${file}`,
  documentKept: (place: string, reason: string) =>
    `keeps answering as before, because of ${place}: ${reason}`,
  watchChanged: (files: readonly string[], entries: readonly string[]) =>
    `changed: ${abbreviate(files)}; running ${abbreviate(entries)}`,
  changedSince: (since: string, selected: number, all: number) =>
    `--changed-since ${quote(since)}: selects ${selected} of ${plural(all, "workflow")}`,
  changedReason: (file: string) => `${file} changed`,
  changedEverything: (since: string, file: string) =>
    `--changed-since ${quote(since)}: selects everything, because ${file} changed`,
  recordedViolations: () => "recorded responses that the document no longer allows",
  moreChanges: (more: number) => `and ${more} more; --json lists them`,
  fixed: ({ fixes, files }: { readonly fixes: number; readonly files: number }, isDryRun: boolean) =>
    fixes === 0
      ? "nothing to fix without a decision"
      : `${isDryRun ? "would fix" : "fixed"} ${plural(fixes, "place")} in ${plural(files, "file")}`,
  noDocumentRepairs: (reason: string) => `changes of documents aren't repaired: ${reason}`,
  expandedPattern: () => "quote the pattern of --project, so that your shell doesn't expand it",
  projectSkipped: (project: string, reason: string) => `${project} is skipped: ${reason}`,
  shardEmpty: (index: number, count: number) => `shard ${index}/${count} has nothing to run`,
  snapshots: (written: number, unchanged: number) => `snapshots: ${written} stored, ${unchanged} unchanged`,
  snapshotNoise: (file: string, places: readonly string[]) =>
    `${file}: differences at ${abbreviate(places)} no longer count`,
  moreSnapshotNoise: (more: number) => `… and in ${plural(more, "more snapshot")}`,
  snapshotTooLarge: (file: string, limit: string) => `${file} was not stored: it would exceed ${limit}`,
  watchNothingFailed: () => "nothing has failed",
  watchGone: () => "the workflows that ran last no longer exist",
  untraced: (api: string, environment: string) =>
    `requests to ${api}=${environment} are not traced, because its level is production: --trace=production includes them`,
  reporterFailed: (reporter: string) => `the reporter ${reporter} failed and was stopped:`,
  baselineAdded: (file: string, added: number, all: number) =>
    added === 0
      ? `${file}: nothing to add, ${plural(all, "known violation")}`
      : `${file}: added ${plural(added, "violation")}, now ${all} known`,
  baselineReasons: () => 'say in "reason" why each is accepted',
  baselineMissed: (responses: number) =>
    `${plural(responses, "response")} had violations that could not be added: too many, with too long names, or recorded by an older version`,
  baselineUnchecked: () => "no workflow of the run has validateContracts, so there is nothing to add",
  baselineStatus: (
    file: string,
    counts: {
      readonly known: number
      readonly stale: number
      readonly expired: number
      readonly unreached: number
    },
  ) =>
    `${file}: ${counts.known} known, ${counts.stale} stale, ${counts.expired} expired, ${counts.unreached} unreached`,
  baselineRemoved: (file: string, removed: number) =>
    removed === 0 ? `${file}: nothing to remove` : `${file}: removed ${plural(removed, "stale violation")}`,
  manyWarnings: (warnings: number, max: number) =>
    `${plural(warnings, "warning")}; ${max === 0 ? "--strict allows none" : `--max-warnings allows ${max}`}`,
  uncheckedBlocks: (blocks: number) =>
    `${plural(blocks, "block")} ${blocks === 1 ? "has" : "have"} a request or response that was not checked in full`,
  knownViolations: (count: number) =>
    `${plural(count, "known contract violation")} in the baseline, not counted as ${count === 1 ? "a failure" : "failures"}`,
  unchecked: (blocks: number) => `${plural(blocks, "unchecked block")}; --fail-on-unchecked allows none`,
  flaky: (runs: number) => `${plural(runs, "flaky workflow")}; --fail-on-flaky allows none`,
  leftover: (operation: string, url: string, isUnknown: boolean) =>
    isUnknown
      ? `leftover: ${operation} may have created something at ${url}, but no response shows its id`
      : `leftover: ${url}, created by ${operation}`,
  moreLeftovers: (count: number) => `… ${count} more; the JSON report lists all`,
  leftovers: (count: number) => `${plural(count, "leftover")}; --leftovers fail allows none`,
  lowCoverage: (exercised: number, documented: number, percent: number, min: number) =>
    `coverage: ${exercised} of ${documented} operations ran (${percent}%); --coverage-min requires ${min}%`,
} as const
