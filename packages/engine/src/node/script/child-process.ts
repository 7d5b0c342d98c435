// Manages a script process from the runner: starts it, talks to it, and ends it with everything that it started.

import { once, type Finding } from "@callsheet/format"
import { spawn, type ChildProcess } from "node:child_process"
import type { Duplex, Readable } from "node:stream"
import { messages } from "../../messages.ts"
import { killGroup } from "../kill-group.ts"
import {
  createFrameReader,
  encodeFrame,
  looksFd,
  ordersFd,
  outOfMemoryMarker,
  reportsFd,
} from "./protocol.ts"
import type { Answer, ChildSettings, Order, Question, Report, ValueQuestion } from "./protocol.ts"
import type { ScriptSources } from "./script-sources.ts"
import { inspectorHost, scriptEnvironment, withoutInspectorLines, type InspectOptions } from "./inspector.ts"

export interface ChildOptions {
  readonly entry: string
  readonly root: string
  readonly cacheFolder: string | undefined
  readonly maxHeapMiB: number
  readonly sources: Pick<ScriptSources, "answer">
  /** If set, the child waits for a debugger and has no time limit. */
  readonly inspect?: InspectOptions
}

export type Ending = Finding<"script-error">

/** Receives the reports of a child. A child has one listener at a time. */
interface ChildListener {
  readonly onReport: (report: Report) => void
  readonly onQuestion: (question: ValueQuestion) => Answer | Promise<Answer>
  readonly onOutput: (stream: "stdout" | "stderr", chunk: Buffer) => void
  /** Called when the process has ended, or when it can't send reports anymore. */
  readonly onEnd: (ending: Ending) => void
}

const says = messages["script-error"]

/** The answer to a script that asks a question after its call has ended. */
export const blockEnded: Answer = { ok: false, message: says.blockEnded().message }

const startLimitMs = 30_000
const tailCharacters = 16 * 1024

const living = new Set<ScriptChild>()
const killAllAtExit = once(() =>
  process.once("exit", () => {
    for (const child of living) child.kill()
  }),
)

export class ScriptChild {
  /** Resolves when the child can receive orders. If the child ends first, resolves with the reason. */
  readonly ready: Promise<Ending | undefined>
  readonly ended: Promise<Ending>
  #listener: ChildListener | undefined
  #ending: Ending | undefined
  readonly #process: ChildProcess
  readonly #orders: Duplex
  readonly #reports: Duplex
  readonly #looks: Duplex
  readonly #options: ChildOptions
  /** The last part of standard error, which explains a crash. */
  #tail = ""
  #exiting: { readonly code: number; readonly at: string } | undefined
  #isAlive = true
  #hasNoPort = false
  #onReady: (ending: Ending | undefined) => void = () => undefined

  constructor(options: ChildOptions) {
    this.#options = options
    this.#process = start(options)
    this.#orders = this.#process.stdio[ordersFd] as Duplex
    this.#reports = this.#process.stdio[reportsFd] as Duplex
    // The types of Node list only five descriptors.
    this.#looks = [...this.#process.stdio].at(looksFd) as Duplex
    this.ready = new Promise((resolve) => (this.#onReady = resolve))
    this.ended = this.#watchEnd()
    this.#readPipes()
    this.#watchStart()
    living.add(this)
    killAllAtExit()
    void this.ended.then((ending) => {
      this.#ending = ending
      this.#onReady(ending)
      this.#listener?.onEnd(ending)
    })
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  listen(listener: ChildListener | undefined): void {
    this.#listener = listener
    if (this.#ending !== undefined) listener?.onEnd(this.#ending)
  }

  /** Sends an order. If the process is gone, does nothing, because `ended` reports that. */
  send(order: Order): void {
    this.#orders.write(encodeFrame(order))
  }

  /** Asks which line is running. The listener receives the answer. */
  look(): void {
    this.#looks.write("?")
  }

  /** Ends the process at once, with everything that it started. */
  kill(): void {
    this.#isAlive = false
    // Otherwise, the program could exit before the process has ended.
    this.#process.ref()
    killGroup(this.#process)
  }

  /** Waits until all output that the process has written is read. */
  async settle(): Promise<void> {
    // The second turn polls all pipes again, because one may have become readable after the first poll.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  #readPipes(): void {
    const readFrames = createFrameReader()
    this.#reports.on("data", (chunk: Buffer) => {
      try {
        for (const message of readFrames(chunk)) this.#take(message as Report | Question)
      } catch {
        // The script process itself never writes invalid frames. Something else wrote to its pipe.
        this.kill()
      }
    })
    for (const pipe of [this.#orders, this.#reports, this.#looks]) pipe.on("error", () => undefined)
    for (const stream of ["stdout", "stderr"] as const) {
      this.#process[stream]?.on("data", (chunk: Buffer) => {
        if (stream === "stderr") this.#tail = (this.#tail + chunk.toString()).slice(-tailCharacters)
        const output = this.#options.inspect === undefined ? chunk : withoutInspectorLines(chunk)
        if (output.length > 0) this.#listener?.onOutput(stream, output)
      })
    }
    // An idle child must not keep the program alive. A timer does this while a child works.
    this.#process.unref()
    for (const pipe of this.#process.stdio) (pipe as (Readable & { unref?: () => void }) | null)?.unref?.()
  }

  #take(message: Report | Question): void {
    switch (message.type) {
      case "get":
      case "has":
      case "environment":
      case "secret":
      case "subject":
      case "check":
        void this.#answerQuestion(message)
        break
      case "source":
      case "found":
        this.#answer(this.#options.sources.answer(message))
        break
      case "ready":
        this.#onReady(undefined)
        break
      case "inspecting":
        if (message.address === undefined) this.#hasNoPort = true
        else this.#options.inspect?.onWaiting(message.address)
        break
      case "exiting":
        this.#exiting = message
        // Node doesn't exit before the debugger disconnects.
        if (this.#options.inspect !== undefined) this.kill()
        break
      default:
        this.#listener?.onReport(message)
    }
  }

  async #answerQuestion(question: ValueQuestion): Promise<void> {
    const answer = this.#listener?.onQuestion(question) ?? blockEnded
    this.#answer(answer instanceof Promise ? await answer : answer)
  }

  #answer(answer: Answer): void {
    let frame: Buffer
    try {
      frame = encodeFrame(answer)
    } catch {
      frame = encodeFrame({ ok: false, message: says.valueTooLarge().message })
    }
    this.#reports.write(frame)
  }

  #watchStart(): void {
    // A user with a debugger may take any amount of time.
    if (this.#options.inspect !== undefined) return
    const timer = setTimeout(() => this.kill(), startLimitMs)
    void this.ready.then(() => clearTimeout(timer))
  }

  #watchEnd(): Promise<Ending> {
    return new Promise((resolve) => {
      const child = this.#process
      const finish = (code: number | null, signal: string | null): void => {
        resolve(this.#endingOf(code, signal))
      }
      child.once("error", () => {
        this.#isAlive = false
        living.delete(this)
        resolve(says.notStarted())
      })
      child.once("exit", (code, signal) => {
        this.kill()
        living.delete(this)
        // Output may still be in the pipes. Don't wait longer: a process outside the group may keep them open.
        const timer = setTimeout(() => finish(code, signal), 200)
        child.once("close", () => {
          clearTimeout(timer)
          finish(code, signal)
        })
      })
    })
  }

  #endingOf(code: number | null, signal: string | null): Ending {
    if (this.#hasNoPort && this.#options.inspect !== undefined)
      return portRefusal(this.#options.inspect.port, this.#tail)
    if (/JavaScript heap out of memory|Array buffer allocation failed/.test(this.#tail) && signal !== null) {
      return says.heapFull(this.#options.maxHeapMiB)
    }
    if (this.#tail.includes(outOfMemoryMarker)) return says.memoryFull()
    if (this.#exiting !== undefined) return says.exited(this.#exiting.code, this.#exiting.at)
    return signal === null ? says.ended(code) : says.killed(signal)
  }
}

/** Finds the reason why the debugger's port can't be used in Node's standard error. */
function portRefusal(port: number, stderr: string): Ending {
  const isInUse = stderr.includes("address already in use")
  const isDenied = stderr.includes("permission denied")
  return says.debugger(
    `port ${port} of ${inspectorHost}`,
    isInUse ? "in use" : isDenied ? "denied" : undefined,
  )
}

function start(options: ChildOptions): ChildProcess {
  const variables = withoutVariables(process.env)
  const environment = scriptEnvironment(variables) ?? variables
  const nodeOptions = environment["NODE_OPTIONS"]
  const settings: ChildSettings = {
    nodeOptions,
    root: options.root,
    parentPid: process.pid,
    cacheFolder: options.cacheFolder,
    // This limit includes buffers, which are outside the heap.
    maxResidentBytes: 2 * options.maxHeapMiB * 1024 * 1024,
    inspectPort: options.inspect?.port,
  }
  // The single executable reads no options of Node from its arguments.
  const ours = [`--max-old-space-size=${options.maxHeapMiB}`, ...withoutReports]
  return spawn(process.execPath, [options.entry, JSON.stringify(settings)], {
    cwd: options.root,
    env: { ...environment, NODE_OPTIONS: [nodeOptions, ...ours].join(" ").trim() },
    // The child has its own process group. Ctrl-C doesn't reach it, and everything that the script starts ends with it.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", "pipe"],
    windowsHide: true,
  })
}

/** Turns off diagnostic reports, even those that NODE_OPTIONS turns on, because they contain thrown values. */
const withoutReports = [
  "--no-report-on-fatalerror",
  "--no-report-uncaught-exception",
  "--no-report-on-signal",
]

/** Removes `CALLSHEET_VAR_…`: a script may read only the variables of its workflow's APIs, through its context. */
const withoutVariables = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith("CALLSHEET_VAR_")),
  )
