// The script processes of a run: started on demand, reused while they are clean, and limited in number.

import type { Finding } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { Ending, ScriptChild } from "./child-process.ts"

interface Waiting {
  readonly since: number
  readonly answer: (result: ScriptChild | Refusal) => void
}

/** The reason why no process can serve a call. */
type Refusal = Ending | Finding<"cancelled">

/**
 * The wait for a busy child, in milliseconds, before another one is started. Starting one takes longer than most calls,
 * so additional children help only if scripts wait for something.
 */
const patienceMs = 100

export class ChildPool {
  readonly #create: () => ScriptChild
  readonly #limit: number
  /** Contains a child until its process has ended. */
  readonly #children = new Set<ScriptChild>()
  readonly #idle: ScriptChild[] = []
  readonly #waiting = new Set<Waiting>()
  #isStarting = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(create: () => ScriptChild, limit: number) {
    this.#create = create
    this.#limit = Math.max(1, limit)
  }

  /** Resolves with a ready child, or with the reason why there is none. */
  borrow(signal?: AbortSignal): Promise<ScriptChild | Refusal> {
    const cancelled = messages.cancelled.run()
    if (this.#isClosed || signal?.aborted === true) return Promise.resolve(cancelled)
    return new Promise((resolve) => {
      const answer: Waiting["answer"] = (result) => {
        signal?.removeEventListener("abort", cancel)
        this.#waiting.delete(waiting)
        resolve(result)
      }
      const cancel = (): void => answer(cancelled)
      const waiting = { since: performance.now(), answer }
      signal?.addEventListener("abort", cancel, { once: true })
      this.#waiting.add(waiting)
      this.#dispatch()
    })
  }

  giveBack(child: ScriptChild, isReusable: boolean): void {
    if (isReusable && child.isAlive) this.#idle.push(child)
    else if (child.isAlive) child.kill()
    this.#dispatch()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { answer } of this.#waiting) answer(messages.cancelled.run())
    for (const child of this.#children) if (child.isAlive) child.kill()
    await Promise.all([...this.#children].map((child) => child.ended))
  }

  #dispatch(): void {
    clearTimeout(this.#timer)
    for (const { answer } of this.#waiting) {
      const child = this.#takeIdle()
      if (child === undefined) break
      answer(child)
    }
    const [eldest] = this.#waiting
    if (eldest === undefined || this.#isStarting || this.#children.size >= this.#limit) return
    const leftMs = this.#children.size === 0 ? 0 : eldest.since + patienceMs - performance.now()
    if (leftMs > 0) this.#timer = setTimeout(() => this.#dispatch(), leftMs)
    else void this.#start()
  }

  #takeIdle(): ScriptChild | undefined {
    let child = this.#idle.pop()
    while (child?.isAlive === false) child = this.#idle.pop()
    return child
  }

  async #start(): Promise<void> {
    this.#isStarting = true
    const child = this.#create()
    this.#children.add(child)
    void child.ended.then(() => {
      this.#children.delete(child)
      this.#dispatch()
    })
    const ending = await child.ready
    this.#isStarting = false
    const [eldest] = this.#waiting
    if (ending !== undefined) eldest?.answer(ending)
    this.giveBack(child, true)
  }
}
