// Waits for orders on fd 3 and runs one call at a time.

import { attempt, getOrCreate } from "@callsheet/format"
import type { ScriptDescription } from "@callsheet/language"
import type { Jiti, JitiOptions } from "jiti"
import { realpathSync } from "node:fs"
import { Socket } from "node:net"
import { join } from "node:path"
import { createCompilerSettings } from "../compiler-settings.ts"
import { inspectorHost } from "../inspector.ts"
import { createFrameReader, ordersFd, type CallOrder, type ChildSettings, type Order } from "../protocol.ts"
import { captureOutput, type Output } from "./capture-output.ts"
import { createChannel, type Channel } from "./channel.ts"
import { createCompiler, ScriptSyntaxError, type Compiler } from "./compiler.ts"
import { createErrorDescriber } from "./describe-error.ts"
import { createModuleLoader } from "./load-module.ts"
import { mapStacks } from "./source-maps.ts"
import { createTracker, type Position } from "./runtime.ts"
import { createSourceReader } from "./source-reader.ts"
import { startCall, type CallTools, type RunningCall } from "./run-call.ts"
import { watchGlobals } from "./watch-globals.ts"

/** Accepts orders after `watching` resolves, because the process is guarded only then. Ends with the runner. */
export async function serve(
  settings: ChildSettings,
  watcher: Position,
  watching: Promise<void>,
): Promise<void> {
  const channel = createChannel()
  const child = new Child(settings, channel, watcher)
  await watching
  if (settings.inspectPort !== undefined) await waitForDebugger(settings.inspectPort, channel)
  child.listen()
}

/** Blocks until a debugger resumes the program. Ends the process if the port isn't available. */
async function waitForDebugger(port: number, channel: Channel): Promise<void> {
  const inspector = await import("node:inspector")
  // The debug terminal of an editor has already opened the port and waited.
  if (inspector.url() !== undefined) return
  inspector.open(port, inspectorHost)
  const address = inspector.url()
  channel.report({ type: "inspecting", address })
  if (address === undefined) process.reallyExit(1)
  inspector.waitForDebugger()
}

const jitiOptions: JitiOptions = {
  fsCache: false,
  interopDefault: true,
  virtualModules: { "@callsheet/sdk": {} },
}

class Child {
  readonly #channel: Channel
  readonly #output: Output
  readonly #compiler: Compiler
  readonly #tools: CallTools
  readonly #isInspected: boolean
  readonly #position: Int32Array
  #hasChanged = (): boolean => false
  #current: RunningCall | undefined

  constructor(settings: ChildSettings, channel: Channel, watcher: Position) {
    this.#channel = channel
    this.#position = watcher.position
    this.#isInspected = settings.inspectPort !== undefined
    this.#output = captureOutput(this.#channel)
    const sources = createSourceReader(this.#channel)
    const loaders = new Map<string, Jiti>()
    const jitiAt = (file: string): Jiti =>
      getOrCreate(loaders, file, () => sources.createJiti(file, jitiOptions))
    const jiti = jitiAt(`${settings.root}/_.ts`)
    this.#compiler = createCompiler({
      jiti,
      cacheFolder: settings.cacheFolder,
      onWork: (type) => this.#channel.report({ type }),
    })
    const errors = createErrorDescriber([settings.root, realpathSync(settings.root)], (file) =>
      attempt(() => sources.readSource(join(settings.root, file))),
    )
    this.#tools = {
      channel: this.#channel,
      freshLoader: createModuleLoader({
        jiti,
        jitiAt,
        settings: createCompilerSettings(jiti),
        compiler: this.#compiler,
        sources,
        trackerOf: createTracker(watcher, errors.relative),
      }),
      errors,
      placeOf: errors.placeOf,
      log: this.#output.log,
    }
  }

  listen(): void {
    mapStacks(this.#compiler.codeOf)
    process.on("uncaughtException", (error: unknown, origin) => this.#onUncaught(error, origin))
    process.on("exit", (code) => this.#onExit(code))
    const orders = new Socket({ fd: ordersFd, readable: true, writable: false })
    const readOrders = createFrameReader()
    orders.on("data", (chunk) => {
      for (const order of readOrders(chunk)) this.#obey(order as Order)
    })
    orders.on("end", () => process.reallyExit(0))
    // A debugger changes globals itself, and must stay attached to the same process.
    if (!this.#isInspected) this.#hasChanged = watchGlobals()
    this.#channel.report({ type: "ready" })
  }

  #obey(order: Order): void {
    switch (order.type) {
      case "abort":
        this.#current?.abort(order.reason)
        break
      case "describe":
        this.#channel.report({ type: "described", description: this.#describe(order.file, order.source) })
        break
      case "call":
        void this.#call(order)
        break
    }
  }

  async #call(order: CallOrder): Promise<void> {
    this.#output.reset()
    this.#position.fill(0)
    this.#current = startCall(order, this.#tools)
    const { outcome, isClean } = await this.#current.finished
    this.#output.flush()
    this.#current = undefined
    const isReusable = isClean && !this.#hasChanged()
    this.#channel.report({ type: "called", outcome, isReusable })
  }

  #describe(file: string, source: string): ScriptDescription {
    try {
      return { ok: true, ...this.#compiler.compile(file, source).module }
    } catch (error) {
      if (error instanceof ScriptSyntaxError) {
        const { message, line, column, excerpt } = error
        return { ok: false, message, line, column, ...(excerpt === undefined ? {} : { excerpt }) }
      }
      return { ok: false, message: this.#tools.errors.describe(error) }
    }
  }

  #onUncaught(error: unknown, origin: string): void {
    // No call can report the error, so exit.
    if (this.#current === undefined) process.reallyExit(1)
    this.#current.fail(error, origin)
  }

  #onExit(code: number): void {
    this.#output.flush()
    if (this.#current === undefined) return
    const at = this.#tools.errors.framesOf(new Error("exit").stack ?? "").join("\n")
    this.#channel.report({ type: "exiting", code, at })
  }
}
