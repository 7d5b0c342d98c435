// The command table: parser, help and docs are made from it. A command's code is loaded when it is called.

import type { ArgumentRow, CommandRow, OptionRow } from "../command.ts"
import type { CommandTable } from "../parse-arguments.ts"

const json: OptionRow = { name: "json", summary: "Print JSON." }
const api: ArgumentRow = { name: "api", summary: "The name of a folder in apis/." }
const environment: ArgumentRow = { name: "environment", summary: "The name of an environment of that API." }

const run: CommandRow = {
  name: "run",
  summary: "Run workflows and report what they found.",
  arguments: [
    {
      name: "workflow",
      summary: "A workflow's name, or its file.",
      optional: true,
      repeats: true,
    },
  ],
  synopsis: "<workflow>... | --all",
  details: [
    "Exit code: 0 all passed, 1 something failed, 2 a run could not start, 130 interrupted.",
    "Reporters: pretty (default), json, junit, coverage. Without a file a reporter writes to standard output.",
  ],
  options: [
    { name: "all", summary: "Run every workflow of the project, by name." },
    {
      name: "env",
      value: "[<api>=]<environment>",
      repeats: true,
      summary: "The environment of one API, or of all that have no other.",
    },
    { name: "input", value: "<name>=<value>", repeats: true, summary: "An input of the workflow." },
    {
      name: "var",
      value: "<api>.<name>=<value>",
      repeats: true,
      summary: "A variable for this run; the value - reads standard input.",
    },
    {
      name: "reporter",
      value: "<name>[=<file>]",
      repeats: true,
      summary: "How to report, and the file to report to.",
    },
    { name: "json", summary: "The same as --reporter json." },
    { name: "concurrency", value: "<number>", summary: "Requests at once, at most (default 32)." },
    { name: "on-failure", value: "halt|continue", summary: "Overrules the workflow's onFailure." },
    { name: "timeout", value: "<ms>", summary: "Milliseconds that each request may take, in all." },
    {
      name: "max-response-size",
      value: "<size>",
      summary: "Largest decoded response: bytes, or with KiB or MiB (default 50MiB).",
    },
    { name: "seed", value: "<number>", summary: "Makes random values the same in each run." },
    {
      name: "coverage-min",
      value: "<percent>",
      summary: "Fails where less of the documented operations was run.",
    },
    {
      name: "verify-no-leak",
      summary: "Look for secrets in all that the run wrote; exit with 2 where one is in it.",
    },
    {
      name: "inspect-scripts",
      value: "<port>",
      valueOptional: true,
      summary: "Wait for a debugger on 127.0.0.1 (default port 9229); scripts then have no time-out.",
    },
    { name: "yes", summary: "Send to production environments without asking." },
  ],
  examples: [
    "callsheet run checkout",
    "callsheet run checkout --env shop=staging --input sku=A-1",
    "callsheet run --all --env local --reporter junit=reports/callsheet.xml",
    'printf %s "$API_KEY" | callsheet run checkout --var shop.apiKey=-',
  ],
  load: async () => (await import("./run.ts")).run,
}

const validate: CommandRow = {
  name: "validate",
  summary: "Find what is wrong with the files, without sending anything.",
  arguments: [
    {
      name: "workflow",
      summary: "A workflow's name, or its file; everything without one.",
      optional: true,
      repeats: true,
    },
  ],
  details: [
    "Checks those workflows, their scripts and all files of the APIs that they touch; without a name everything.",
    "Exit code: 0 no errors, 1 errors, 2 it could not start, 130 interrupted.",
    "Formats: text (default), json, github (annotations of GitHub Actions), sarif (code scanning).",
  ],
  options: [
    { name: "format", value: "<name>", summary: "How to print the problems." },
    { name: "json", summary: "The same as --format json." },
    { name: "max-warnings", value: "<number>", summary: "Exit with 1 where there are more warnings." },
    { name: "quiet", summary: "Print errors alone." },
    {
      name: "types",
      summary: "Check scripts too, with the TypeScript compiler that the project has installed.",
    },
  ],
  examples: [
    "callsheet validate",
    "callsheet validate checkout --max-warnings 0",
    "callsheet validate --types",
    "callsheet validate --format sarif > callsheet.sarif",
  ],
  load: async () => (await import("./validate.ts")).validate,
}

const list: CommandRow = {
  name: "list",
  summary: "List what the project holds.",
  arguments: [
    {
      name: "what",
      summary: "What to list; everything without it.",
      optional: true,
      choices: ["apis", "operations", "workflows"],
    },
    {
      name: "word",
      summary:
        "Lists only operations that have every word in their API, resources, name, method, path or summary.",
      optional: true,
      repeats: true,
    },
  ],
  synopsis: "[apis | workflows | operations [<word>...]]",
  examples: ["callsheet list operations", "callsheet list operations post order"],
  options: [json],
  load: async () => (await import("./list.ts")).list,
}

const types: CommandRow = {
  name: "types",
  summary: "Write the types that scripts get from their workflow, for editors and compilers.",
  arguments: [
    {
      name: "workflow",
      summary: "A workflow's name, or its file; all that have scripts without one.",
      optional: true,
      repeats: true,
    },
  ],
  details: [
    "They stand in folders node_modules/@callsheet/sdk beside the scripts, which git ignores.",
    "Once they are there, callsheet run and callsheet validate keep them fresh.",
  ],
  options: [],
  examples: ["callsheet types", "callsheet types checkout"],
  load: async () => (await import("./types.ts")).types,
}

const schema: CommandRow = {
  name: "schema",
  summary: "Print the JSON Schema of a kind of file; without a name, list the kinds.",
  arguments: [
    {
      name: "kind",
      summary: "environment-schema, environment-values, workflow or saved-request.",
      optional: true,
    },
  ],
  details: ["The schemas are of draft 2020-12, and the same outside of a project."],
  options: [
    {
      name: "api",
      value: "<api>",
      summary: "With environment-values: the variables that this API declares, and no others.",
    },
  ],
  examples: [
    "callsheet schema workflow > workflow.schema.json",
    "callsheet schema environment-values --api shop",
  ],
  load: async () => (await import("./schema.ts")).schema,
}

const init: CommandRow = {
  name: "init",
  summary: "Make a new project that validates and runs; refuses where apis/ exists.",
  arguments: [
    { name: "folder", summary: "Where to make it (default: the working directory).", optional: true },
  ],
  details: ["Files that are there stay: .gitignore and .vscode/settings.json get the lines that they lack."],
  options: [
    {
      name: "editor",
      summary: "For a project that exists: only the schemas and settings of VS Code, brought up to date.",
    },
  ],
  load: async () => (await import("./init.ts")).init,
}

const demo: CommandRow = {
  name: "demo",
  summary: "Run the sample project against the sample API, which it starts itself.",
  arguments: [
    {
      name: "folder",
      summary: "Where to put the sample project, to keep it and try things.",
      optional: true,
    },
  ],
  options: [{ name: "keep", summary: "Leave the sample API up afterwards, until Ctrl-C." }],
  load: async () => (await import("./demo.ts")).demo,
}

const app: CommandRow = {
  name: "app",
  summary: "Open the companion application: the project in the browser, at this machine alone.",
  arguments: [],
  details: [
    "Prints a link, which works once and for five minutes, and opens it in the browser at a terminal. Ctrl-C ends it.",
    "Opening it runs no code of the project and sends nothing.",
  ],
  options: [
    { name: "port", value: "<number>", summary: "Where to listen (default: a port that is free)." },
    { name: "no-open", summary: "Open no browser." },
    { name: "print-link", summary: "Print another link of the application that runs, and end." },
    {
      name: "host",
      value: "<address>",
      summary: "The address to listen at (default 127.0.0.1); others need --allow-remote.",
    },
    { name: "allow-remote", summary: "Let other machines reach it, over plain HTTP." },
  ],
  examples: ["callsheet app", "callsheet app --port 4000 --no-open", "callsheet app --print-link"],
  load: async () => (await import("./app.ts")).app,
}

const envList: CommandRow = {
  name: "env list",
  summary: "List environments with their level and parent.",
  arguments: [{ ...api, optional: true }],
  options: [json],
  load: async () => (await import("./env-list.ts")).envList,
}

const envRead: CommandRow = {
  name: "env read",
  summary: "Show the values of an environment and where each comes from.",
  arguments: [
    api,
    environment,
    { name: "name", summary: "A variable: prints its bare value alone.", optional: true },
  ],
  options: [
    json,
    { name: "reveal", summary: "Show secrets instead of ***." },
    { name: "own", summary: "Only what the environment's own files give, nothing inherited." },
  ],
  load: async () => (await import("./env-read.ts")).envRead,
}

const envWrite: CommandRow = {
  name: "env write",
  summary: "Set values of an environment, all or none; creates it where there is none.",
  arguments: [
    api,
    environment,
    {
      name: "name=value",
      summary: "A variable and its value; name=- reads the value from standard input.",
      optional: true,
      repeats: true,
    },
  ],
  details: [
    "A variable that schema.json declares as a secret goes to <environment>.secrets.env, others to <environment>.json.",
  ],
  options: [
    { name: "unset", value: "<name>", repeats: true, summary: "Remove a value." },
    { name: "extends", value: "<environment>", summary: "Inherit from another environment." },
    { name: "no-extends", summary: "Inherit no longer." },
  ],
  examples: [
    "callsheet env write shop staging baseUrl=https://staging.example.com timeout=2000",
    'printf %s "$API_KEY" | callsheet env write shop staging apiKey=-',
  ],
  load: async () => (await import("./env-write.ts")).envWrite,
}

const envDelete: CommandRow = {
  name: "env delete",
  summary: "Delete an environment's files; refuses while another extends it.",
  arguments: [api, environment],
  options: [],
  load: async () => (await import("./change-environment.ts")).envDelete,
}

const envRename: CommandRow = {
  name: "env rename",
  summary: "Rename an environment, and every extends that names it.",
  arguments: [api, environment, { name: "new", summary: "The new name." }],
  options: [],
  load: async () => (await import("./change-environment.ts")).envRename,
}

export const table: CommandTable = {
  commands: [
    run,
    validate,
    list,
    types,
    schema,
    init,
    demo,
    app,
    envList,
    envRead,
    envWrite,
    envDelete,
    envRename,
  ],
  groups: { env: "Reads and changes the environments of an API." },
  common: [
    {
      name: "project",
      value: "<folder>",
      summary: "The project's folder (default: the nearest one with apis/).",
    },
    { name: "debug", summary: "Print the stack of an error." },
  ],
}
