// The command table: parser, help and docs are made from it. A command's code is loaded when it is called.

import type { ArgumentRow, OptionRow } from "../command.ts"
import type { CommandTable } from "../parse-arguments.ts"

/** `<name>`, `[<name>]` if it may be left out, with `...` if it takes all that is left. */
function argument(written: string, summary: string, choices?: readonly string[]): ArgumentRow {
  const name = written.replace(/^\[?<|>(?:\.\.\.)?\]?$/g, "")
  const [optional, repeats] = [written.startsWith("["), written.includes("...")]
  return { name, summary, choices, optional, repeats }
}

/** `--flag`, `--name <value>` or `--name[=<value>]`, with ` ...` behind if it can be repeated, and their summaries. */
const options = (summaries: Readonly<Record<string, string>>): readonly OptionRow[] =>
  Object.entries(summaries).map(([written, summary]) => {
    const [, name = "", optional, value = optional, repeats] =
      /^--([a-z-]+)(?:\[=(.+)\]| ([^.].*?))?( \.\.\.)?$/.exec(written) ?? []
    return { name, summary, value, valueOptional: optional !== undefined, repeats: repeats !== undefined }
  })

const json = { "--json": "Print JSON." }
const api = argument("<api>", "The name of a folder in apis/.")
const environment = argument("<environment>", "The name of an environment of that API.")

export const table: CommandTable = {
  commands: [
    {
      name: "run",
      summary: "Run workflows and report what they found.",
      arguments: [argument("[<workflow>...]", "A workflow's name, or its file.")],
      synopsis: "<workflow>... | --all",
      details: [
        "Exit code: 0 all passed, 1 something failed, 2 a run could not start, 130 interrupted.",
        "Reporters: pretty (default), json, junit, coverage. Without a file a reporter writes to standard output.",
      ],
      options: options({
        "--all": "Run every workflow of the project, by name.",
        "--env [<api>=]<environment> ...": "The environment of one API, or of all that have no other.",
        "--input <name>=<value> ...": "An input of the workflow.",
        "--var <api>.<name>=<value> ...": "A variable for this run; the value - reads standard input.",
        "--reporter <name>[=<file>] ...": "How to report, and the file to report to.",
        "--json": "The same as --reporter json.",
        "--concurrency <number>": "Requests at once, at most (default 32).",
        "--on-failure halt|continue": "Overrules the workflow's onFailure.",
        "--timeout <ms>": "Milliseconds that each request may take, in all.",
        "--max-response-size <size>": "Largest decoded response: bytes, or with KiB or MiB (default 50MiB).",
        "--seed <number>": "Makes random values the same in each run.",
        "--coverage-min <percent>": "Fails where less of the documented operations was run.",
        "--verify-no-leak": "Look for secrets in all that the run wrote; exit with 2 where one is in it.",
        "--inspect-scripts[=<port>]":
          "Wait for a debugger on 127.0.0.1 (default port 9229); scripts then have no time-out.",
        "--yes": "Send to production environments without asking.",
      }),
      examples: [
        "callsheet run checkout",
        "callsheet run checkout --env shop=staging --input sku=A-1",
        "callsheet run --all --env local --reporter junit=reports/callsheet.xml",
        'printf %s "$API_KEY" | callsheet run checkout --var shop.apiKey=-',
      ],
      load: async () => (await import("./run.ts")).run,
    },
    {
      name: "validate",
      summary: "Find what is wrong with the files, without sending anything.",
      arguments: [argument("[<workflow>...]", "A workflow's name, or its file; everything without one.")],
      details: [
        "Checks those workflows, their scripts and all files of the APIs that they touch; without a name everything.",
        "Exit code: 0 no errors, 1 errors, 2 it could not start, 130 interrupted.",
        "Formats: text (default), json, github (annotations of GitHub Actions), sarif (code scanning).",
      ],
      options: options({
        "--format <name>": "How to print the problems.",
        "--json": "The same as --format json.",
        "--max-warnings <number>": "Exit with 1 where there are more warnings.",
        "--quiet": "Print errors alone.",
        "--types": "Check scripts too, with the TypeScript compiler that the project has installed.",
      }),
      examples: [
        "callsheet validate",
        "callsheet validate checkout --max-warnings 0",
        "callsheet validate --types",
        "callsheet validate --format sarif > callsheet.sarif",
      ],
      load: async () => (await import("./validate.ts")).validate,
    },
    {
      name: "list",
      summary: "List what the project holds.",
      arguments: [
        argument("[<what>]", "What to list; everything without it.", ["apis", "operations", "workflows"]),
        argument(
          "[<word>...]",
          "Lists only operations that have every word in their API, resources, name, method, path or summary.",
        ),
      ],
      synopsis: "[apis | workflows | operations [<word>...]]",
      examples: ["callsheet list operations", "callsheet list operations post order"],
      options: options({ ...json }),
      load: async () => (await import("./list.ts")).list,
    },
    {
      name: "types",
      summary: "Write the types that scripts get from their workflow, for editors and compilers.",
      arguments: [
        argument("[<workflow>...]", "A workflow's name, or its file; all that have scripts without one."),
      ],
      details: [
        "They stand in folders node_modules/@callsheet/sdk beside the scripts, which git ignores.",
        "Once they are there, callsheet run and callsheet validate keep them fresh.",
      ],
      options: [],
      examples: ["callsheet types", "callsheet types checkout"],
      load: async () => (await import("./types.ts")).types,
    },
    {
      name: "schema",
      summary: "Print the JSON Schema of a kind of file; without a name, list the kinds.",
      arguments: [argument("[<kind>]", "environment-schema, environment-values, workflow or saved-request.")],
      details: ["The schemas are of draft 2020-12, and the same outside of a project."],
      options: options({
        "--api <api>": "With environment-values: the variables that this API declares, and no others.",
      }),
      examples: [
        "callsheet schema workflow > workflow.schema.json",
        "callsheet schema environment-values --api shop",
      ],
      load: async () => (await import("./schema.ts")).schema,
    },
    {
      name: "init",
      summary: "Make a new project that validates and runs; refuses where apis/ exists.",
      arguments: [argument("[<folder>]", "Where to make it (default: the working directory).")],
      details: [
        "Files that are there stay: .gitignore and .vscode/settings.json get the lines that they lack.",
      ],
      options: options({
        "--editor":
          "For a project that exists: only the schemas and settings of VS Code, brought up to date.",
      }),
      load: async () => (await import("./init.ts")).init,
    },
    {
      name: "demo",
      summary: "Run the sample project against the sample API, which it starts itself.",
      arguments: [argument("[<folder>]", "Where to put the sample project, to keep it and try things.")],
      options: options({ "--keep": "Leave the sample API up afterwards, until Ctrl-C." }),
      load: async () => (await import("./demo.ts")).demo,
    },
    {
      name: "app",
      summary: "Open the companion application: the project in the browser, at this machine alone.",
      arguments: [],
      details: [
        "Prints a link, which works once and for five minutes, and opens it in the browser at a terminal. Ctrl-C ends it.",
        "Opening it runs no code of the project and sends nothing.",
      ],
      options: options({
        "--port <number>": "Where to listen (default: a port that is free).",
        "--no-open": "Open no browser.",
        "--print-link": "Print another link of the application that runs, and end.",
        "--host <address>": "The address to listen at (default 127.0.0.1); others need --allow-remote.",
        "--allow-remote": "Let other machines reach it, over plain HTTP.",
      }),
      examples: ["callsheet app", "callsheet app --port 4000 --no-open", "callsheet app --print-link"],
      load: async () => (await import("./app.ts")).app,
    },
    {
      name: "env list",
      summary: "List environments with their level and parent.",
      arguments: [{ ...api, optional: true }],
      options: options({ ...json }),
      load: async () => (await import("./env-list.ts")).envList,
    },
    {
      name: "env read",
      summary: "Show the values of an environment and where each comes from.",
      arguments: [api, environment, argument("[<name>]", "A variable: prints its bare value alone.")],
      options: options({
        ...json,
        "--reveal": "Show secrets instead of ***.",
        "--own": "Only what the environment's own files give, nothing inherited.",
      }),
      load: async () => (await import("./env-read.ts")).envRead,
    },
    {
      name: "env write",
      summary: "Set values of an environment, all or none; creates it where there is none.",
      arguments: [
        api,
        environment,
        argument(
          "[<name=value>...]",
          "A variable and its value; name=- reads the value from standard input.",
        ),
      ],
      details: [
        "A variable that schema.json declares as a secret goes to <environment>.secrets.env, others to <environment>.json.",
      ],
      options: options({
        "--unset <name> ...": "Remove a value.",
        "--extends <environment>": "Inherit from another environment.",
        "--no-extends": "Inherit no longer.",
      }),
      examples: [
        "callsheet env write shop staging baseUrl=https://staging.example.com timeout=2000",
        'printf %s "$API_KEY" | callsheet env write shop staging apiKey=-',
      ],
      load: async () => (await import("./env-write.ts")).envWrite,
    },
    {
      name: "env delete",
      summary: "Delete an environment's files; refuses while another extends it.",
      arguments: [api, environment],
      options: [],
      load: async () => (await import("./change-environment.ts")).envDelete,
    },
    {
      name: "env rename",
      summary: "Rename an environment, and every extends that names it.",
      arguments: [api, environment, argument("<new>", "The new name.")],
      options: [],
      load: async () => (await import("./change-environment.ts")).envRename,
    },
  ],
  groups: { env: "Reads and changes the environments of an API." },
  common: options({
    "--project <folder>": "The project's folder (default: the nearest one with apis/).",
    "--debug": "Print the stack of an error.",
  }),
}
