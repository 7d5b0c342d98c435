// Turns the events of `run --reporter ndjson` into results of nodes in the Test Explorer.

import type { ContractProblem, EventOf, ResponseView, RunError, RunEvent } from "@callsheet/format"
import { exchangeText, blockLine } from "./output-text.ts"
import { failuresOf, runFailures, type Failure } from "./failures.ts"
import type { ListedBlock, ListedTests } from "./listed-tests.ts"
import { findWritten } from "./written-block.ts"
import { nodeId } from "./test-tree.ts"

/** What the Test Explorer shows. `node` is the id of a node. */
export type Outcome =
  | { readonly is: "started" | "skipped"; readonly node: string }
  | { readonly is: "passed"; readonly node: string; readonly durationMs: number }
  | {
      readonly is: "failed" | "errored"
      readonly node: string
      readonly durationMs: number
      readonly failures: readonly Failure[]
    }
  /** A run with this row of an entry's data file started. The row may not have a node. */
  | { readonly is: "row"; readonly entry: string; readonly row: number }
  | { readonly is: "output"; readonly text: string; readonly node: string }
  /** A response arrived. */
  | {
      readonly is: "response"
      readonly workflow: string
      readonly block: string
      readonly response: ResponseView
    }
  /** The run needs the user to confirm these production environments. */
  | { readonly is: "unconfirmed"; readonly environments: readonly string[]; readonly message: string }
  /** The run needs the user to choose an environment. */
  | { readonly is: "unbound" }

interface OpenBlock {
  readonly id: string
  /** The block as written. Absent if the file changed since the tests were listed. */
  readonly written: ListedBlock | undefined
  /** Absent in a suite, whose entries have no blocks in the tree. */
  readonly node: string | undefined
  readonly parent: OpenBlock | undefined
  request?: EventOf<"request.sent">["request"]
  response?: EventOf<"response.received">["response"]
  contract: readonly ContractProblem[]
  assertions: EventOf<"assertions.checked">["assertions"]
}

interface OpenRun {
  readonly workflow: string
  readonly node: string
  readonly inSuite: boolean
  readonly production: readonly string[]
  readonly blocks: Map<number, OpenBlock>
  readonly failures: Failure[]
  /** True after the user canceled it. */
  isCanceled: boolean
}

interface FoldOptions {
  /** True if the call ends workflows after a block. The workflow then has no result of its own: its blocks have. */
  readonly isPartial?: boolean
}

/** Folds the events of one call. */
export class ResultFold {
  readonly #blocks: ReadonlyMap<string, readonly ListedBlock[]>
  readonly #files: ReadonlyMap<string, string>
  readonly #runs = new Map<number, OpenRun>()
  /** The nodes that failed. A later iteration, row or repetition that passes doesn't change that. */
  readonly #failed = new Set<string>()
  readonly #isPartial: boolean

  constructor({ tests }: ListedTests, { isPartial = false }: FoldOptions = {}) {
    this.#isPartial = isPartial
    const workflows = tests.flatMap((test) => ("workflow" in test ? [test] : []))
    this.#blocks = new Map(workflows.map(({ workflow, blocks }) => [workflow, blocks]))
    this.#files = new Map(workflows.map(({ workflow, file }) => [workflow, file]))
  }

  apply(event: RunEvent): readonly Outcome[] {
    if (event.type === "run.started") return this.#start(event)
    const run = this.#runs.get(event.run)
    if (run === undefined) return []
    switch (event.type) {
      case "block.started":
        return this.#enter(run, event)
      case "block.skipped":
        return this.#skip(run, event)
      case "block.finished":
        return this.#leave(run, event)
      case "run.finished":
        return this.#finish(run, event)
      case "log.written":
        return [this.#output(run, event.block, `    ${event.text}`)]
      default:
        return arrive(run, event)
    }
  }

  #start(event: EventOf<"run.started">): readonly Outcome[] {
    const { workflow, suite, entry = workflow, role = "main", row } = event
    const production = Object.values(event.environments).flatMap(({ name, level }) =>
      level === "production" ? [name] : [],
    )
    const entryNode = suite === undefined ? undefined : nodeId.entry(suite, role, entry)
    const whole = entryNode ?? nodeId.workflow(workflow)
    const node = entryNode !== undefined && row !== undefined ? nodeId.row(entryNode, row) : whole
    const inSuite = suite !== undefined
    const blocks = new Map<number, OpenBlock>()
    this.#runs.set(event.run, {
      workflow,
      node,
      inSuite,
      production,
      blocks,
      failures: [],
      isCanceled: false,
    })
    const bound = Object.entries(event.environments).map(([api, { name }]) => `${api} → ${name}`)
    const rowText = row === undefined ? "" : ` row ${row}`
    return [
      ...(entryNode !== undefined && row !== undefined
        ? [{ is: "row", entry: entryNode, row } as const]
        : []),
      ...(this.#isPartial ? [] : [{ is: "started", node } as const]),
      { is: "output", node, text: `${entry}${rowText}  ${bound.join(", ")}` },
    ]
  }

  #open(run: OpenRun, event: EventOf<"block.started" | "block.skipped">): OpenBlock {
    const parent = event.parent === undefined ? undefined : run.blocks.get(event.parent)
    const written = findWritten(this.#blocks.get(run.workflow) ?? [], parent?.written?.id, event)
    const node = written === undefined || run.inSuite ? undefined : nodeId.block(run.workflow, written.id)
    const block: OpenBlock = { id: event.id, written, node, parent, contract: [], assertions: [] }
    run.blocks.set(event.block, block)
    return block
  }

  #enter(run: OpenRun, event: EventOf<"block.started">): readonly Outcome[] {
    const { node } = this.#open(run, event)
    return node === undefined || this.#failed.has(node) ? [] : [{ is: "started", node }]
  }

  #skip(run: OpenRun, event: EventOf<"block.skipped">): readonly Outcome[] {
    run.isCanceled ||= event.reason === "cancelled"
    const { node } = this.#open(run, event)
    return node === undefined || this.#failed.has(node) ? [] : [{ is: "skipped", node }]
  }

  #leave(run: OpenRun, event: EventOf<"block.finished">): readonly Outcome[] {
    const block = run.blocks.get(event.block)
    if (block === undefined) return []
    run.isCanceled ||= event.status === "skipped" && event.reason === "cancelled"
    const outcomes: Outcome[] = [this.#output(run, event.block, blockLine(block, event))]
    for (const exchange of event.exchanges ?? [])
      outcomes.push(this.#output(run, event.block, exchangeText(exchange)))
    if (event.status === "failed") outcomes.push(...this.#fail(run, block, event))
    else if (block.node !== undefined && !this.#failed.has(block.node))
      outcomes.push(
        event.status === "passed"
          ? { is: "passed", node: block.node, durationMs: event.durationMs }
          : { is: "skipped", node: block.node },
      )
    if (block.response !== undefined)
      outcomes.push({
        is: "response",
        workflow: run.workflow,
        block: block.id,
        response: block.response,
      })
    return outcomes
  }

  #fail(run: OpenRun, block: OpenBlock, event: EventOf<"block.finished">): readonly Outcome[] {
    const { node, written } = block
    const file = this.#files.get(run.workflow)
    const at = file === undefined || written === undefined ? {} : { file, ...placeOf(written) }
    const failures = failuresOf({ ...block, error: event.error }, at)
    run.failures.push(...failures)
    if (node === undefined) return []
    this.#failed.add(node)
    return [{ is: "failed", node, durationMs: event.durationMs, failures }]
  }

  #finish(run: OpenRun, event: EventOf<"run.finished">): readonly Outcome[] {
    const { node, inSuite, failures } = run
    const { durationMs, status, error } = event
    this.#runs.delete(event.run)
    if (event.isRetried === true) return []
    if (status === "error") {
      this.#failed.add(node)
      const at = { file: this.#files.get(run.workflow) }
      return [
        ...questionOf(error, run),
        { is: "errored", node, durationMs, failures: runFailures(error, at) },
      ]
    }
    if (this.#isPartial) return []
    if (status === "failed" && failures.length === 0 && run.isCanceled) return [{ is: "skipped", node }]
    if (status === "failed") {
      this.#failed.add(node)
      // The blocks of a workflow show its failures.
      return [{ is: "failed", node, durationMs, failures: inSuite ? failures : [] }]
    }
    if (this.#failed.has(node)) return []
    return [status === "skipped" ? { is: "skipped", node } : { is: "passed", node, durationMs }]
  }

  #output(run: OpenRun, block: number, text: string): Outcome {
    return { is: "output", node: run.blocks.get(block)?.node ?? run.node, text }
  }
}

/** Returns what the user must answer before the run can start. */
function questionOf(error: RunError | undefined, { production }: OpenRun): readonly Outcome[] {
  if (error?.code === "confirm-required")
    return [{ is: "unconfirmed", environments: production, message: textOf(error) }]
  return error?.code === "env-ambiguous" ? [{ is: "unbound" }] : []
}

/** The problems without their codes, which are in the message. */
const textOf = ({ message, problems }: RunError): string =>
  problems.length === 0 ? message : problems.map((problem) => problem.message).join("; ")

const placeOf = ({ line, column }: ListedBlock) => ({ line, column })

/** Keeps what arrives while a block runs. */
function arrive(run: OpenRun, event: RunEvent): readonly Outcome[] {
  const block = "block" in event && event.block !== undefined ? run.blocks.get(event.block) : undefined
  if (block === undefined) return []
  if (event.type === "request.sent") block.request = event.request
  else if (event.type === "response.received") block.response = event.response
  else if (event.type === "contract.checked") block.contract = event.contract.problems
  else if (event.type === "assertions.checked") block.assertions = event.assertions
  return []
}
