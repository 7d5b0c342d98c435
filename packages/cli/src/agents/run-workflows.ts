// The tools `run` and `explain_failure`.

import {
  CallsheetError,
  failureCodes,
  isWorkflowName,
  problemCodes,
  shapes,
  stringifyJson,
  type ContractProblem,
  type Exchange,
  type JsonObject,
  type Report,
  ownOf,
} from "@callsheet/format"
import { partAt } from "@callsheet/openapi"
import { messages, notices } from "../messages.ts"
import { runProgram } from "../session/run-program.ts"
import { collectFailures, type Failure } from "./failures.ts"
import { docsOf } from "./problem-view.ts"
import { defineTool } from "./tool.ts"
import type { Workbench } from "./workbench.ts"

const { any, array, enumOf, map, milliseconds, number, object, optional, required, string } = shapes

const count = number({ integer: true, minimum: 0 })

const failureView = object({
  failure: required(count, "The number of the failure, for explain_failure."),
  workflow: required(string(), "The workflow."),
  block: optional(string(), "The path of the block. Absent if the workflow could not start."),
  code: required(string(), "A stable code."),
  message: required(string(), "What went wrong."),
  hint: optional(string(), "What to do."),
  file: optional(string(), "The file, from the project's root."),
  line: optional(count, "1-based."),
})

const exchangeView = object({
  block: required(string(), "The block that sent the request."),
  request: required(any, "Method, URL, headers and body, with secrets as ***."),
  response: optional(any, "Status, headers and body. Absent if no response arrived."),
})

const runView = object({
  workflow: required(string(), "The workflow."),
  entry: optional(string(), "The entry of the suite."),
  status: required(enumOf("passed", "failed", "error", "skipped"), "error: it could not start."),
  durationMs: required(number(), "Milliseconds."),
  environments: required(map(string()), "The environment of each API."),
  passed: required(count, "Blocks that passed."),
  failed: required(count, "Blocks that failed."),
  skipped: required(count, "Blocks that were skipped."),
  known: optional(count, "Contract violations that the project's baseline lists. Absent if there are none."),
  unchecked: optional(count, "Blocks whose contracts were not checked in full. Absent if there are none."),
})

/** The failures of the last session. A canceled session counts, because its failures are known, too. */
export interface LastRun {
  failures: readonly Failure[] | undefined
}

const MAX_SHOWN = 20

const runOutput = object({
  status: required(enumOf("passed", "failed", "error"), "The worst status of the runs."),
  durationMs: required(number(), "Milliseconds."),
  runs: required(
    array(() => runView),
    `At most ${MAX_SHOWN}.`,
  ),
  failures: required(
    array(() => failureView),
    `At most ${MAX_SHOWN}. explain_failure returns details.`,
  ),
  firstExchange: optional(exchangeView, "The exchange of the first failure."),
  warnings: required(
    array(() => string()),
    `At most ${MAX_SHOWN}.`,
  ),
})

export const runWorkflows = ({ root, processEnvironment, scriptEntry, baseline }: Workbench, last: LastRun) =>
  defineTool({
    name: "run",
    title: "Run a workflow or suite",
    description:
      "Send the requests of a workflow or suite, and return a summary with failures. Refuses production environments. Decides nothing by a secret unless the workflow is as committed. A person can run those.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    input: object({
      workflow: optional(string(), "The workflow's name. Set workflow or suite."),
      suite: optional(string(), "The suite's name in callsheet.json."),
      environment: optional(string(), "The environment of every API."),
      environments: optional(map(string()), "The environments by API."),
      inputs: optional(map(any), "The workflow's inputs."),
      timeoutMs: optional(milliseconds(true), "The time limit per request."),
    }),
    output: runOutput,
    run: async ({ workflow, suite, ...options }, { signal, progress }) => {
      if ((workflow === undefined) === (suite === undefined))
        throw new CallsheetError(messages.usage.toolSubject())
      // Other arguments would be read as paths of files.
      if (workflow !== undefined && !isWorkflowName(workflow))
        throw new CallsheetError(messages.usage.toolWorkflow())
      const collected = collectFailures()
      let done = 0
      last.failures = collected.failures
      const report = await runProgram(
        {
          ...options,
          ...(suite === undefined ? { workflows: [workflow ?? ""] } : { suite }),
          project: root,
          signal,
          onEvent: (event) => {
            collected.listen(event)
            if (event.type === "run.started") progress(done, event.workflow)
            if (event.type === "block.finished") progress(++done, event.status)
          },
        },
        {
          processEnvironment,
          scriptEntry,
          // An input can be a guess.
          withholdsSecrets: async (project) =>
            Object.keys(options.inputs ?? {}).length > 0 || !(await baseline.holds(project)),
        },
      )
      return summaryOf(report, collected.failures)
    },
  })

const summaryOf = ({ status, durationMs, runs, warnings = [] }: Report, failures: readonly Failure[]) => ({
  status,
  durationMs,
  runs: runs.slice(0, MAX_SHOWN).map((run) => ({
    workflow: run.workflow,
    entry: run.entry,
    status: run.status,
    durationMs: run.durationMs,
    environments: Object.fromEntries(Object.entries(run.environments).map(([api, { name }]) => [api, name])),
    ...run.counts,
  })),
  failures: failures.slice(0, MAX_SHOWN).map(summarize),
  firstExchange: exchangeOf(failures.find(({ exchange }) => exchange !== undefined)?.exchange),
  warnings: warnings.slice(0, MAX_SHOWN).map(({ message }) => message),
})

const summarize = ({ workflow, block, code, message, hint, file, line }: Failure, at: number) => ({
  failure: at + 1,
  workflow,
  block,
  code,
  message,
  hint,
  file,
  line,
})

// Exchanges are JSON, but their interfaces don't say so.
const asJson = (value: object): JsonObject => ({ ...value })

const exchangeOf = (exchange: Exchange | undefined) =>
  exchange && {
    block: exchange.block,
    request: asJson(exchange.request),
    response: exchange.response && asJson(exchange.response),
  }

const assertionView = object({
  source: required(
    string(),
    "The path that the assertion reads, or the code of a value that a script checks.",
  ),
  operator: required(string(), "The operator, or the check of a script: `toHaveLength`, `not.toContain`."),
  expected: optional(any, "The value in the file, with placeholders filled in."),
  received: optional(any, "The value at the path. Absent if the path doesn't resolve."),
  message: optional(string(), "Why it failed."),
  file: optional(string(), "The workflow's file, or the script that made the check."),
  line: optional(count, "The line in the file."),
})

const violationView = object({
  path: required(string(), "A JSON pointer into the response or request."),
  message: required(string(), "How the value violates the contract."),
  pointer: optional(string(), "A JSON pointer to the schema in the file."),
  file: optional(string(), "The file of the schema."),
  line: optional(count, "The line of the schema."),
  schema: optional(string(), "The schema as JSON."),
})

const violations = array(() => violationView)

export const explainFailure = (workbench: Workbench, last: LastRun) =>
  defineTool({
    name: "explain_failure",
    title: "Explain a failure",
    description:
      "Explain a failure of the last run: expected and received values, the exchange, contract violations with their schemas, likely causes, and a page of the documentation.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: object({
      failure: optional(number({ integer: true, minimum: 1 }), "The number that run returned (default 1)."),
    }),
    output: object({
      ...failureView.fields,
      assertions: required(
        array(() => assertionView),
        "The assertions that failed.",
      ),
      contract: required(violations, "How the response violates the contract."),
      requestProblems: required(violations, "How the request violates the contract."),
      exchange: optional(exchangeView, "The exchange that the block sent or read."),
      causes: required(
        array(() => string()),
        "Likely causes, the likeliest first.",
      ),
      docs: required(string(), "The page about the code."),
    }),
    run: async ({ failure: number = 1 }) => {
      if (last.failures === undefined) throw new CallsheetError(messages["run-unknown"].noneYet())
      const failure = last.failures[number - 1]
      if (failure === undefined)
        throw new CallsheetError(messages["run-unknown"].failures(last.failures.length))
      return {
        ...summarize(failure, number - 1),
        assertions: failure.assertions.map(({ source, operator, expected, actual, message, file, line }) => ({
          source,
          operator,
          expected,
          received: actual,
          message,
          file,
          line,
        })),
        contract: await withSchemas(workbench, failure.contract),
        requestProblems: await withSchemas(workbench, failure.requestProblems),
        exchange: exchangeOf(failure.exchange),
        causes: causesOf(failure),
        docs: docsOf(failure.code),
      }
    },
  })

function causesOf({ code, hint, requestProblems, contract, exchange, problems }: Failure): readonly string[] {
  const status = exchange?.response?.status
  const causes = [
    ...(requestProblems.length > 0 ? [notices.requestCause()] : []),
    ...(status === undefined || status < 400 ? [] : [notices.statusCause(status)]),
    ...(contract.length > 0 ? [notices.contractCause()] : []),
    ...(hint === undefined ? [] : [hint]),
    ...problems.map(({ message, hint: advice }) =>
      advice === undefined ? message : `${message} (${advice})`,
    ),
  ]
  const meaning: string | undefined = ownOf(
    { ...problemCodes, ...failureCodes },
    code as keyof typeof failureCodes,
  )
  return causes.length === 0 && meaning !== undefined ? [meaning] : causes
}

const MAX_SCHEMA = 2_000

async function withSchemas(workbench: Workbench, problems: readonly ContractProblem[]) {
  return Promise.all(
    problems.map(async ({ path, message, schema: pointer, file, line }) => ({
      path,
      message,
      pointer,
      file,
      line,
      schema: await schemaText(workbench, pointer, file),
    })),
  )
}

/** Returns the violated schema, or the one around the violated keyword. */
async function schemaText({ sources }: Workbench, pointer = "", file = "") {
  const [, api] = /^apis\/([^/]+)\//.exec(file) ?? []
  const document = api === undefined ? undefined : (await sources(api)).document
  if (document === undefined) return undefined
  const name = (at: string): string => (file === document.source.file ? at : `${file}#${at}`)
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const value = partAt(document, name(at))?.value
    if (typeof value === "object") return stringifyJson(value).slice(0, MAX_SCHEMA)
  }
  return undefined
}
