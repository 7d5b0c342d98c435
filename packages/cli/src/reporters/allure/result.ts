// A run as an Allure test result, with the steps inside each other as the blocks are.

import {
  wordsOf,
  stringifyJson,
  type AssertionView,
  type BlockReport,
  type EventOf,
  type IterationReport,
  type OpenBlock,
  type Problem,
  type RunReport,
  type RunStatus,
  type RunSubscriber,
} from "@callsheet/format"
import { shorten } from "../../text/preview.ts"
import { urlPath } from "../block-path.ts"
import { TextSpool } from "../../record/text-spool.ts"
import { differingTexts, valueText } from "../../text/value-texts.ts"
import { RunFindings } from "../run-findings.ts"
import { knownTexts } from "../known-text.ts"
import { uncheckedTexts } from "../unchecked-text.ts"
import { runIdentity, runSkipReasons, runStartMs, runTitle } from "../run-title.ts"
import { hashOf, uuidOf } from "./ids.ts"

export interface Attachment {
  readonly name: string
  readonly type: string
  readonly source: string
}

export interface ResultFiles {
  readonly addJson: (name: string, pieces: Iterable<string>) => void
  /** Adds text, or a value as JSON. `id` differs for each attachment. */
  readonly attach: (id: string, name: string, content: string | object) => Attachment
}

interface Step {
  readonly startMs: number
  readonly attachments: Attachment[]
  /** The JSON of the finished steps inside, without brackets. */
  readonly steps: TextSpool
  /** The iterations of a loop, from the first one whose step isn't added yet. */
  readonly iterations: Iteration[]
  /** The open iterations of a loop, by index. */
  open: Map<number, Iteration> | undefined
  isSkipped: boolean
}

interface Iteration extends Step {
  /** Set when the step is finished. */
  head: object | undefined
}

type Block = OpenBlock<Step>

/** The limits of attachments per run. Each attachment is a file. */
const MAX_ATTACHMENTS = { passed: 100, failed: 1000 } as const

const statuses = {
  passed: "passed",
  failed: "failed",
  error: "broken",
  skipped: "skipped",
} as const satisfies {
  readonly [S in RunStatus]: string
}

export class Result implements RunSubscriber<Step> {
  readonly maxLogs = 1000
  readonly uuid: string
  readonly #run: RunReport
  readonly #files: ResultFiles
  readonly #onStopped: (stopMs: number) => void
  readonly #findings = new RunFindings()
  readonly #top: Step
  readonly #attached = { passed: 0, failed: 0 }
  /** When the latest block started or ended. Only requests have times, so the others start when the one before ended. */
  #now: number

  /** `index` counts the runs of the session. */
  constructor(run: RunReport, index: number, files: ResultFiles, onStopped: (stopMs: number) => void) {
    this.#run = run
    this.#files = files
    this.#onStopped = onStopped
    this.#now = runStartMs(run)
    this.#top = this.#newStep()
    this.uuid = uuidOf(`${run.startedAt} ${index} ${runIdentity(run)}`)
  }

  own(): Step {
    return this.#newStep()
  }

  onWarning(warning: Problem): void {
    this.#findings.warn(warning)
  }

  onSkipped(block: Block): void {
    const { own, parent, report } = block
    own.isSkipped = true
    // The step of the outermost skipped block represents all of its blocks.
    if (parent?.own.isSkipped === true) return
    this.#addStep(this.#around(block), own, {
      name: shorten(report.id, 200),
      status: "skipped",
      statusDetails: { message: report.reason },
    })
  }

  onIterationStarted(loop: Block, iteration: IterationReport): void {
    const step: Iteration = { ...this.#newStep(), head: undefined }
    loop.own.iterations.push(step)
    loop.own.open ??= new Map()
    loop.own.open.set(iteration.index, step)
  }

  onIterationFinished(loop: Block, iteration: IterationReport): void {
    const { index, status, value } = iteration
    const step = loop.own.open?.get(index)
    if (step === undefined) return
    loop.own.open?.delete(index)
    step.head = {
      name: `[${index}]`,
      status,
      parameters: [{ name: "value", value: valueText(value, 200) }],
      start: step.startMs,
      stop: this.#now,
    }
    // Parallel iterations end in any order.
    const { iterations } = loop.own
    for (let [first] = iterations; first?.head !== undefined; [first] = iterations) {
      this.#addStep(loop.own, first, first.head)
      iterations.shift()
    }
  }

  onFinished(block: Block, ending: EventOf<"block.finished">): void {
    const { own, report } = block
    const isCause = report.status === "failed" && ending.error?.code !== "child-failed"
    if (isCause) this.#findings.fail(block, ending)
    const start = block.startMs ?? own.startMs
    const stop = start + Math.round(report.durationMs)
    this.#now = Math.max(this.#now, stop)
    this.#attachAll(block, isCause ? ending : {})
    for (const assertion of report.assertions ?? []) this.#addAssertion(own, assertion)
    const { status, description } = report
    this.#addStep(this.#around(block), own, {
      name: stepName(block),
      status,
      statusDetails: detailsOf(report),
      description,
      start,
      stop,
    })
  }

  onRunFinished({ error }: EventOf<"run.finished">): void {
    if (error !== undefined) this.#findings.stop(error)
    const { warnings } = this.#findings
    if (warnings !== undefined) this.#attach(this.#top, "Warnings", warnings.join("\n"), "failed")
    this.#files.addJson(`${this.uuid}-result.json`, this.#pieces())
    this.#onStopped(runStartMs(this.#run) + Math.round(this.#run.durationMs))
  }

  /** Yields the JSON of the result: https://allurereport.org/docs/how-it-works-test-result-file/ */
  *#pieces(): Generator<string, void> {
    const { suite, workflow, entry = workflow, role, row, repeat, inputs, flaky, ...run } = this.#run
    const { first, trace } = this.#findings
    const start = runStartMs(this.#run)
    const fullName = suite === undefined ? entry : `${suite} › ${entry}`
    const message = run.reason === undefined ? first?.message : runSkipReasons[run.reason]
    const result = {
      uuid: this.uuid,
      fullName,
      testCaseId: hashOf(fullName),
      // The same for each attempt, so that Allure shows the earlier ones as retries.
      historyId: hashOf(runIdentity(this.#run)),
      name: runTitle({ ...this.#run, attempt: 1 }),
      status: statuses[run.status],
      statusDetails: { message, trace, flaky },
      stage: "finished",
      start,
      stop: start + Math.round(run.durationMs),
      labels: [
        ...named("framework", "callsheet"),
        ...named("parentSuite", suite),
        ...named("suite", entry),
        ...named("tag", role === "main" ? undefined : role),
      ],
      parameters: [
        ...named("row", row),
        ...named("repeat", repeat),
        ...Object.entries(inputs).map(([name, value]) => ({
          name,
          value: valueText(value, 200),
          excluded: true,
        })),
      ],
      links: [],
      attachments: this.#top.attachments,
    }
    yield `${opened(result)},"steps":[`
    yield* this.#top.steps
    yield "\n]}\n"
  }

  #newStep(): Step {
    return {
      startMs: this.#now,
      attachments: [],
      steps: new TextSpool(),
      iterations: [],
      open: undefined,
      isSkipped: false,
    }
  }

  #around({ iteration, parent }: Block): Step {
    return (iteration && parent?.own.open?.get(iteration.index)) ?? parent?.own ?? this.#top
  }

  #addStep(around: Step, own: Step, head: object): void {
    const { steps, attachments } = own
    const isFirst = around.steps.isEmpty
    around.steps.add(
      `${isFirst ? "" : ","}\n${opened({ ...head, stage: "finished", attachments })},"steps":[`,
    )
    around.steps.add(steps)
    around.steps.add("]}")
  }

  #addAssertion(around: Step, { source, operator, expected, actual, status, message }: AssertionView): void {
    const { phrase, takesValue } = wordsOf(operator)
    const value = takesValue && expected !== undefined ? ` ${valueText(expected, 100)}` : ""
    const [wanted, received] = differingTexts(expected, actual, 1000)
    const details = {
      message,
      expected: expected === undefined ? undefined : wanted,
      actual: actual === undefined ? undefined : received,
    }
    this.#addStep(around, this.#newStep(), {
      name: `${shorten(source, 200)} ${phrase}${value}`,
      status,
      statusDetails: status === "failed" ? details : undefined,
    })
  }

  /** Attaches the exchange and the logs of a block or, if it failed, the exchanges that it read. */
  #attachAll({ report, own }: Block, { exchanges = [] }: Pick<EventOf<"block.finished">, "exchanges">): void {
    const { request, response, logs, status } = report
    const room = status === "failed" ? "failed" : "passed"
    if (request !== undefined) this.#attach(own, "Exchange", { request, response }, room)
    else
      for (const { block, ...exchange } of exchanges)
        this.#attach(own, `Exchange of ${shorten(block, 200)}`, exchange, room)
    if (logs !== undefined) this.#attach(own, "Logs", logs.join("\n"), room)
  }

  #attach(step: Step, name: string, content: string | object, room: keyof typeof MAX_ATTACHMENTS): void {
    if (this.#attached[room] >= MAX_ATTACHMENTS[room]) return
    const id = `${this.uuid} ${room} ${this.#attached[room]++}`
    step.attachments.push(this.#files.attach(id, name, content))
  }
}

const named = (name: string, value: string | number | undefined) =>
  value === undefined ? [] : [{ name, value: String(value) }]

function detailsOf(report: BlockReport): { readonly message: string } | undefined {
  const { error } = report
  if (error !== undefined) return { message: shorten(error.message, 1000) }
  const texts = [...knownTexts(report), ...uncheckedTexts(report)]
  return texts.length === 0 ? undefined : { message: texts.join("\n") }
}

/** Returns `create: POST /orders 201`. */
function stepName({ report: { id, request, response } }: Block): string {
  const name = shorten(id, 200)
  if (request === undefined) return name
  return `${name}: ${shorten(request.method, 20)} ${shorten(urlPath(request.url), 120)} ${response?.status ?? "no response"}`
}

/** Returns the JSON of an object without the closing brace. */
const opened = (head: object): string => stringifyJson(head).slice(0, -1)
