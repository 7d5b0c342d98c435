// The command table, from which the parser, the help and the docs are derived. A command's code is loaded only when it
// is called.

import { runOptionRows } from "@callsheet/format"
import type { ArgumentRow, OptionRow } from "../args/command.ts"
import type { CommandTable } from "../args/parse-arguments.ts"

/** Parses an argument: `<name>`, or `[<name>]` if it is optional. `...` follows if it takes all remaining words. */
function argument(written: string, summary: string, choices?: readonly string[]): ArgumentRow {
  const name = written.replace(/^\[?<|>(?:\.\.\.)?\]?$/g, "")
  const [optional, repeats] = [written.startsWith("["), written.includes("...")]
  return { name, summary, choices, optional, repeats }
}

/**
 * Parses options: `--flag`, `-f, --flag`, `--name <value>` or `--name[=<value>]`. ` ...` follows if an option may be
 * repeated. Doesn't parse them before they are needed, because a process needs only those of its command.
 */
const options = (summaries: Readonly<Record<string, string>>) => (): readonly OptionRow[] =>
  Object.entries(summaries).map(([written, summary]) => {
    const [, short, name = "", optional, value = optional, repeats] =
      /^(?:-([a-z]+), )?--([a-zA-Z-]+)(?:\[=(.+)\]| ([^.].*?))?( \.\.\.)?$/.exec(written) ?? []
    return {
      name,
      short,
      summary,
      value,
      valueOptional: optional !== undefined,
      repeats: repeats !== undefined,
    }
  })

const json = { "--json": "Print JSON." }
const api = argument("<api>", "Choose an API by its directory in apis/.")
const environment = argument("<environment>", "Choose an environment of that API.")

export const table: CommandTable = {
  commands: [
    {
      name: "run",
      summary: "Run workflows and report the results.",
      arguments: [argument("[<workflow>...]", "Choose workflows by name or file.")],
      synopsis: "<workflow>... | --all | --suite <name>",
      details: [
        "Exit codes: 0 passed, 1 failed, 2 could not start, 130 interrupted.",
        "Reporters: pretty (default), json, ndjson, junit, ctrf, allure, har, html, github, coverage.",
        "otlp=<url> sends the traces of --trace to an OpenTelemetry collector.",
        "--project 'services/*' runs the projects that match, with one report.",
        "--changed-since compares with the merge base of <ref> and HEAD. If nothing is affected, exits 0.",
        "--last-failed includes workflows that could not start or were stopped, but not flaky ones. If nothing failed, exits 2.",
      ],
      options: options({
        "--all": "Run every workflow except helpers, ordered by name.",
        "--suite <name>": "Run a suite of callsheet.json.",
        "--last-failed": "Run only what failed in the last run.",
        "--changed-since <ref>": "Run only what differs from this commit affects.",
        "--list": "Print what --changed-since would run, and why.",
        "--watch": "Rerun workflows that a changed file affects.",
        "--grep <text>": "Run workflows whose names contain this text.",
        "--env [<api>=]<environment> ...": "Set the environment of one API or of all.",
        "--input <name>=<value> ...": "Set a workflow input.",
        "--var <api>.<name>=<value> ...": "Override a variable; a value of - reads standard input.",
        "--reporter <name>[=<file>] ...": "Report in this format, to a file if given.",
        "--json": "Report as JSON (same as --reporter json).",
        "--until <block>": "Run one workflow up to this block.",
        "--record <file>": "Keep the run in a file for callsheet report.",
        "-v, --verbose": "Show each request and response with headers.",
        "-vv, --very-verbose": "Show bodies, too.",
        ...Object.fromEntries(Object.values(runOptionRows).map(({ option, help }) => [option, help])),
        "--shard <index>/<count>": "Run one of several parts, for different machines.",
        "--timings <record>": "Balance shards by the durations in this record or directory.",
        "--data <file>": "Run the workflow once per row of this file.",
        "--fail-on-flaky": "Fail if a workflow passes after retries.",
        "--fail-on-unchecked": "Fail if part of a contract was not checked.",
        "--update-baseline": "Add contract violations to callsheet.baseline.json.",
        "--force": "Let --update-baseline and --snapshots change files in CI, too.",
        "--leftovers report|fail": "List undeleted resources, or fail if there are any.",
        "--coverage-min <percent>": "Fail if operation coverage is below this percentage.",
        "--max-warnings <number>": "Fail if there are more warnings than this.",
        "--trace[=production]": "Send traceparent, to production only if asked.",
        "--strict": "Fail on any warning (same as --max-warnings 0).",
        "--verify-no-leak": "Search all output for secrets; exit 2 if found.",
        "--no-guess-secrets": "Show response fields that only their names mark as secret.",
        "--inspect-scripts[=<port>]": "Wait for a script debugger on 127.0.0.1 (default port 9229).",
        "--login": "Log in with a browser if a workflow needs it.",
        "--yes": "Send to production environments without asking.",
      }),
      examples: [
        "callsheet run checkout --env shop=staging --input sku=A-1",
        "callsheet run --all --env local --reporter junit=reports/callsheet.xml",
        'printf %s "$API_KEY" | callsheet run checkout --var shop.apiKey=-',
      ],
      takesPattern: true,
      load: async () => (await import("./run.ts")).run,
    },
    {
      name: "mock",
      summary: "Serve APIs from their documents on loopback.",
      arguments: [],
      details: [
        "Checks every request and response. A request that the document forbids gets 400 and the reasons.",
        "Prefer: code=404 and Prefer: example=<name> choose among documented responses.",
        "Prints the URL of each API, then a line per request. Ctrl-C ends it with exit code 0.",
      ],
      options: options({
        "--api <name> ...": "Mock this API (default: all with a document).",
        "--port <number>": "Listen on this port, and those after it.",
        "--from <record>": "Answer with the responses of a record.",
        "--state": "Keep what clients create, change and delete.",
        "--seed <number>": "Vary the generated values.",
        "--cors": "Let pages of other origins read the answers.",
        "--record <file>": "Keep the requests in a file for callsheet report.",
        ...json,
      }),
      examples: ["callsheet mock --api shop --port 4010", "callsheet mock --state --record mock.callsheet"],
      load: async () => (await import("./mock.ts")).mock,
    },
    {
      name: "report",
      summary: "Turn recorded runs into reports.",
      arguments: [argument("<record>...", "Choose files that --record wrote.")],
      details: [
        "Merges several records: shards of a session, or sessions of the same project files.",
        "Exits with the run's code, or the highest of several runs. Exits 2 if a record is incomplete.",
      ],
      options: options({
        "--reporter <name>[=<file>] ...": "Report in this format, to a file if given.",
        "--json": "Report as JSON (same as --reporter json).",
        "-v, --verbose": "Show each request and response with headers.",
        "-vv, --very-verbose": "Show bodies, too.",
        "--partial": "Merge shards even if others are missing.",
        "--strict": "Exit 1 if anything failed or warned, even a mock.",
      }),
      examples: [
        "callsheet report run.callsheet --reporter junit=report.xml",
        "callsheet report shard-*.callsheet --json",
      ],
      load: async () => (await import("./report.ts")).report,
    },
    {
      name: "diff",
      summary: "Compare the responses of two recorded runs.",
      arguments: [
        argument("<left>", "Choose a record, or a directory of shards."),
        argument("<right>", "Choose the record or directory to compare with <left>."),
      ],
      details: [
        "Noise is a value that the contract marks as readOnly, uuid or date-time, or that differs in --baseline.",
        "Exit codes: 0 only noise differs, 1 other differences, 2 a record is invalid or incomplete.",
      ],
      options: options({
        "--baseline <record>": "Learn noise from a second run of <left>.",
        ...json,
      }),
      load: async () => (await import("./diff.ts")).diff,
    },
    {
      name: "replay",
      summary: "Run workflows against recorded responses, offline.",
      arguments: [
        argument("<record>", "Choose a file that --record wrote."),
        argument("[<workflow>...]", "Choose workflows by name or file (default: all recorded)."),
      ],
      details: ["Repeats the record's environments, inputs, clock and seed. Needs no secrets."],
      options: options({
        "--strict": "Fail on different requests and undecidable assertions.",
        "--json": "Report as JSON.",
      }),
      examples: ["callsheet replay run.callsheet checkout --strict"],
      load: async () => (await import("./replay.ts")).replay,
    },
    {
      name: "impact",
      summary: "Show which workflows the changes of a document break.",
      arguments: [],
      details: [
        "Compares each OpenAPI document with the merge base of <ref> and HEAD (default: HEAD).",
        "Exit codes: 0 nothing breaks, 1 something does, 2 a document can't be read.",
        "Formats: text (default), json, github (annotations), markdown.",
        "--project 'services/*' compares the documents of every project that matches.",
      ],
      options: options({
        "--against <ref>": "Compare with this branch, tag or commit.",
        "--against-file <document>": "Compare with this document; needs --api.",
        "--api <name>": "Compare only the document of this API.",
        "--records <record> ...": "Check the responses of this record, too.",
        "--fail-on breaks|unused|none": "Exit 1 for changes of this class (default breaks).",
        "--format <name>": "Print in this format.",
        "--json": "Print JSON.",
      }),
      examples: [
        "callsheet impact --against origin/main",
        "callsheet impact --against-file shop-v2.yaml --api shop",
      ],
      takesPattern: true,
      load: async () => (await import("./impact.ts")).impact,
    },
    {
      name: "baseline update",
      summary: "Add the contract violations of recorded runs to the baseline.",
      arguments: [argument("<record>...", "Choose files that --record wrote.")],
      details: [
        "Keeps all entries of callsheet.baseline.json with their reasons. Exits 2 if a record is incomplete.",
      ],
      options: () => [],
      examples: ["callsheet run --all --record run.callsheet", "callsheet baseline update run.callsheet"],
      load: async () => (await import("./baseline.ts")).baselineUpdate,
    },
    {
      name: "baseline status",
      summary: "Compare the baseline with recorded runs.",
      arguments: [argument("<record>...", "Choose files that --record wrote.")],
      details: [
        "known: the violation appeared. stale: its operation ran without it. expired: its last day is over.",
        "unreached: no run got a response that could have shown it.",
      ],
      options: options({ ...json }),
      load: async () => (await import("./baseline.ts")).baselineStatus,
    },
    {
      name: "baseline prune",
      summary: "Remove entries of the baseline that records prove stale.",
      arguments: [argument("<record>...", "Choose files that --record wrote.")],
      details: ["Use records of complete runs. An incomplete record removes nothing and exits 2."],
      options: () => [],
      load: async () => (await import("./baseline.ts")).baselinePrune,
    },
    {
      name: "validate",
      summary: "Check project files without sending any requests.",
      arguments: [argument("[<workflow>...]", "Check only these, by name or file, and their APIs.")],
      details: [
        "Exit codes: 0 no errors, 1 errors, 2 could not start, 130 interrupted.",
        "Formats: text (default), json, github (annotations), sarif (code scanning).",
        "--project 'services/*' checks every project that matches.",
      ],
      options: options({
        "--fix": "Repair what needs no decision.",
        "--dry-run": "Show repairs without writing.",
        "--against <ref>": "Compare with this commit.",
        "--against-file <document>": "Compare with this document.",
        "--api <name>": "Set its API.",
        "--format <name>": "Print problems in this format.",
        "--json": "Print JSON.",
        "--max-warnings <number>": "Exit 1 after more warnings than this.",
        "--quiet": "Print only errors.",
        "--types": "Check script types with the project's TypeScript compiler.",
      }),
      examples: [
        "callsheet validate checkout --max-warnings 0",
        "callsheet validate --fix --dry-run",
        "callsheet validate --types",
        "callsheet validate --format sarif > callsheet.sarif",
      ],
      takesPattern: true,
      load: async () => (await import("./validate.ts")).validate,
    },
    {
      name: "list",
      summary: "List APIs, operations, workflows and suites.",
      arguments: [
        argument("[<what>]", "Choose what to list.", ["apis", "operations", "workflows", "suites", "tests"]),
        argument("[<word>...]", "List only operations that match every word."),
      ],
      synopsis: "[apis | workflows | suites | tests | operations [<word>...]]",
      details: [
        "A word matches an operation by its API, resources, name, method, path or summary.",
        "tests lists workflows and suites with their blocks and entries, for editors. Needs --json.",
        "--project 'services/*' lists every project that matches.",
      ],
      examples: ["callsheet list operations", "callsheet list operations post order"],
      options: options({ ...json, "--lines": "Add the place of each operation to the JSON." }),
      takesPattern: true,
      load: async () => (await import("./list.ts")).list,
    },
    {
      name: "types",
      summary: "Generate script types for editors and compilers.",
      arguments: [
        argument("[<workflow>...]", "Choose workflows by name or file (default: all with scripts)."),
      ],
      details: [
        "Types go to node_modules/@callsheet/sdk next to the scripts, which git ignores.",
        "callsheet run and callsheet validate then keep them up to date.",
      ],
      options: () => [],
      examples: ["callsheet types checkout"],
      load: async () => (await import("./types.ts")).types,
    },
    {
      name: "schema",
      summary: "Print a file format's JSON Schema, or list all.",
      arguments: [
        argument(
          "[<kind>]",
          "Choose environment-schema, environment-values, workflow, saved-request, project or baseline.",
        ),
      ],
      details: ["Schemas use JSON Schema draft 2020-12. Only --api needs a project."],
      options: options({
        "--api <api>": "Limit environment-values to this API's variables.",
      }),
      examples: [
        "callsheet schema workflow > workflow.schema.json",
        "callsheet schema environment-values --api shop",
      ],
      load: async () => (await import("./schema.ts")).schema,
    },
    {
      name: "init",
      summary: "Create a project that validates and runs.",
      arguments: [argument("[<directory>]", "Create the project here (default: the working directory).")],
      details: [
        "Fails if apis/ exists.",
        "Existing files are kept: .gitignore and .vscode/settings.json only gain missing lines.",
        "To start from your OpenAPI document or another tool's requests, run callsheet app.",
      ],
      options: options({
        "--editor": "Update only the VS Code files: schemas, settings, recommendation.",
        "--agents": "Write only the skill file for agents.",
        "--inbox": "Add only apis/inbox/, which receives callbacks and webhooks.",
      }),
      load: async () => (await import("./init.ts")).init,
    },
    {
      name: "import",
      summary: "Import requests from other tools into a project.",
      arguments: [argument("<source>...", "Choose files or directories to import; - reads standard input.")],
      details: [
        "Imports Postman, Bruno, OpenCollection, Insomnia, HAR, curl, Arazzo and OpenAPI.",
        "Writes all files or none. Groups what isn't imported completely; --json lists every item.",
        "Exit codes: 0 imported, 1 results differ or something is left to do, 2 nothing imported.",
        "With --run, also 1 if it failed and 2 if it couldn't start.",
      ],
      options: options({
        "--document <openapi>": "Bind requests to the operations of this document.",
        "--api <name>": "Set the API's name (default: the collection's).",
        "--files <directory>": "Copy files that the source sends from this directory.",
        "--into <directory>": "Import into this project; create it if missing.",
        "--dry-run": "Show what would be written, without writing.",
        "--force": "Overwrite existing files that differ.",
        "--run": "Then run the workflows and check responses.",
        "--env [<api>=]<environment> ...": "Set the environment of the run.",
        "--yes": "Run in production environments without asking.",
        ...json,
      }),
      examples: [
        "callsheet import shop.postman_collection.json staging.postman_environment.json",
        "callsheet import shop.json --document openapi.yaml --api shop --dry-run",
      ],
      load: async () => (await import("./import.ts")).importSources,
    },
    {
      name: "generate",
      summary: "Generate workflows and a suite from OpenAPI documents.",
      arguments: [],
      details: [
        "Per resource: create, read, list, update, delete, and clean up. For the rest, one documented call.",
        "Generating again keeps hand edits, block by block, and what you deleted.",
        "Exit codes: 0 generated, even if operations were skipped, 2 a document can't be read.",
      ],
      options: options({
        "--api <name>": "Generate only for this API.",
        "--tag <tag>": "Generate only for operations with this tag.",
        "--operation <name> ...": "Generate only what this operation needs.",
        "--dry-run": "Show what would be written, without writing.",
        ...json,
      }),
      examples: ["callsheet generate --api shop --dry-run", "callsheet generate --operation createOrder"],
      load: async () => (await import("./generate.ts")).generate,
    },
    {
      name: "probe",
      summary: "Send values at the limits of a contract.",
      arguments: [],
      details: [
        "Changes one value of a valid request at a time, and never sends to production.",
        "Finds server errors, accepted invalid values and undocumented statuses.",
        "Writes each finding as a row of a workflow, in the suite probe.",
        "Exit codes: 0 no findings, 1 findings, 2 refused or nothing probed.",
      ],
      options: options({
        "--api <name>": "Choose the API to probe.",
        "--operation <name> ...": "Probe only this operation.",
        "--env [<api>=]<environment> ...": "Set the environment of one API or of all.",
        "--max <number>": "Send at most this many requests (default 500).",
        ...json,
      }),
      examples: ["callsheet probe --api shop", "callsheet probe --api shop --operation createOrder --max 50"],
      load: async () => (await import("./probe.ts")).probe,
    },
    {
      name: "export",
      summary: "Export a workflow to the format of another tool.",
      arguments: [argument("<workflow>", "Choose a workflow by name or file.")],
      synopsis: "<workflow> --to curl|har|postman|arazzo|k6",
      details: [
        "Sends no requests. Groups what the format can't express; --json lists every item.",
        "Exit codes: 0 everything exported, 1 with losses, 2 nothing exported.",
      ],
      options: options({
        "--to <format>": "Choose the format.",
        "--env [<api>=]<environment> ...": "Set the environment of one API or of all.",
        "--input <name>=<value> ...": "Set a workflow input.",
        "--var <api>.<name>=<value> ...": "Override a variable; a value of - reads standard input.",
        "--output <file>": "Write to this file (default: standard output).",
        "--reveal": "Write secrets into the export.",
        "--force": "Overwrite an existing file.",
        ...json,
      }),
      examples: [
        "callsheet export checkout --to curl --env local > checkout.sh",
        "callsheet export checkout --to postman --output checkout.postman_collection.json",
      ],
      load: async () => (await import("./export.ts")).exportFile,
    },
    {
      name: "demo",
      summary: "Start the sample API and run the sample project.",
      arguments: [argument("[<directory>]", "Keep the sample project in this directory.")],
      options: options({ "--keep": "Keep the sample API running until Ctrl-C." }),
      load: async () => (await import("./demo.ts")).demo,
    },
    {
      name: "app",
      summary: "Open this project in a local web app.",
      arguments: [],
      details: [
        "Prints a link that works once, for five minutes. In a terminal, also opens it in your browser.",
        "Without a project, the page offers to create one, as callsheet init and import do.",
        "Opening the app runs no project code and sends no requests. Press Ctrl-C to stop it.",
      ],
      options: options({
        "--port <number>": "Listen on this port (default: any free port).",
        "--no-open": "Don't open the browser.",
        "--print-link": "Print a new link to the running app and exit.",
        "--host <address>": "Listen on this address (default 127.0.0.1).",
        "--allow-remote": "Allow a non-loopback --host, over plain HTTP.",
      }),
      examples: ["callsheet app --port 4000 --no-open", "callsheet app --print-link"],
      load: async () => (await import("./app.ts")).app,
    },
    {
      name: "mcp",
      summary: "Serve tools to agents over standard input and output.",
      arguments: [],
      details: ["Uses the Model Context Protocol. Requires the package callsheet-mcp."],
      options: () => [],
      examples: ["claude mcp add callsheet -- npx callsheet mcp"],
      load: async () => (await import("./mcp.ts")).mcp,
    },
    {
      name: "lsp",
      summary: "Serve an editor over standard input and output.",
      arguments: [],
      details: ["Uses the Language Server Protocol. Requires the package callsheet-lsp."],
      options: options({
        "--stdio": "Use standard input and output, as always.",
        "--clientProcessId <pid>": "End when this process ends.",
      }),
      examples: ["callsheet lsp --stdio"],
      load: async () => (await import("./lsp.ts")).lsp,
    },
    {
      name: "completion",
      summary: "Print completions for bash, zsh or fish.",
      arguments: [
        argument("<shell>", "Print completions for this shell.", ["bash", "zsh", "fish"]),
        argument("[<word>...]", "Print completions for the words after --."),
      ],
      options: () => [],
      examples: [
        "echo 'source <(callsheet completion bash)' >> ~/.bashrc",
        "echo 'source <(callsheet completion zsh)' >> ~/.zshrc",
        "callsheet completion fish > ~/.config/fish/completions/callsheet.fish",
      ],
      load: async () => (await import("./completion.ts")).completion,
    },
    {
      name: "env list",
      summary: "List environments with their level and parent.",
      arguments: [{ ...api, optional: true }],
      options: options({ ...json }),
      load: async () => (await import("./env-read.ts")).envList,
    },
    {
      name: "env read",
      summary: "Show an environment's values and where each comes from.",
      arguments: [api, environment, argument("[<name>]", "Print only this variable's value.")],
      options: options({
        ...json,
        "--reveal": "Show secrets instead of ***.",
        "--own": "Show only this environment's own values, not inherited ones.",
      }),
      load: async () => (await import("./env-read.ts")).envRead,
    },
    {
      name: "env write",
      summary: "Set values of an environment; create it if missing.",
      arguments: [
        api,
        environment,
        argument("[<name=value>...]", "Set a variable; name=- reads it from standard input."),
      ],
      details: [
        "Writes all values or none.",
        "Secrets go to <environment>.secrets.env, other values to <environment>.json.",
      ],
      options: options({
        "--unset <name> ...": "Remove a value.",
        "--extends <environment>": "Inherit from another environment.",
        "--no-extends": "Stop inheriting.",
      }),
      examples: [
        "callsheet env write shop staging baseUrl=https://staging.example.com timeout=2000",
        'printf %s "$API_KEY" | callsheet env write shop staging apiKey=-',
      ],
      load: async () => (await import("./env-write.ts")).envWrite,
    },
    {
      name: "env delete",
      summary: "Delete an environment that no other environment extends.",
      arguments: [api, environment],
      options: () => [],
      load: async () => (await import("./change-environment.ts")).envDelete,
    },
    {
      name: "env rename",
      summary: "Rename an environment and update environments that extend it.",
      arguments: [api, environment, argument("<new>", "Set the new name.")],
      options: () => [],
      load: async () => (await import("./change-environment.ts")).envRename,
    },
  ],
  groups: {
    env: "Read and change the environments of an API.",
    baseline: "Keep a list of known contract violations.",
  },
  common: options({
    "--project <directory>": "Use this project directory (default: nearest with apis/).",
    "--debug": "Print the stack trace of an error.",
  }),
}
