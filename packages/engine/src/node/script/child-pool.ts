// The script processes of a run: started on demand, reused while they are clean, and limited in number.

import { availableParallelism } from "node:os"
import { ScriptChild, type ChildOptions, type Ending } from "./child-process.ts"

interface Waiting {
  readonly since: number
  readonly answer: (result: ScriptChild | Ending | undefined) => void
}

/**
 * The wait for a busy child, in milliseconds, before another one is started. Starting one takes longer than most calls.
 */
const patienceMs = 100

export class ChildPool {
  readonly #options: ChildOptions
  readonly #concurrency: number
  /**
   * The number of children that the machine can run in parallel. Additional children help only if scripts wait for
   * something.
   */
  readonly #eager: number
  readonly #children = new Set<ScriptChild>()
  readonly #idle: ScriptChild[] = []
  readonly #waiting: Waiting[] = []
  #starting = 0
  #served = 0
  /** The time when the first child was ready. Until then, a wait doesn't mean that scripts wait for something. */
  #readyAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ChildOptions, concurrency: number) {
    this.#options = options
    this.#concurrency = Math.max(1, concurrency)
    this.#eager = Math.min(this.#concurrency, availableParallelism())
  }

  /**
   * Lends a ready child to `use`. When `use` has only its result left to return, it calls `onServed` with whether the
   * child is reusable. Resolves with an ending if no child could be started, and with undefined if `signal` aborts
   * first.
   */
  readonly lend = async (
    use: (child: ScriptChild, onServed: () => void) => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<Ending | undefined> => {
    const child = await this.#borrow(signal)
    if (!(child instanceof ScriptChild)) return child
    let served = 0
    const isReusable = await use(child, () => {
      served = 1
      this.#served++
    }).finally(() => (this.#served -= served))
    if (isReusable && child.isAlive && !this.#isClosed) this.#idle.push(child)
    else this.#drop(child)
    this.#dispatch()
    return undefined
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    for (const waiting of this.#waiting.splice(0)) waiting.answer(undefined)
    clearTimeout(this.#timer)
    const children = [...this.#children]
    for (const child of children) this.#drop(child)
    await Promise.all(children.map((child) => child.ended))
  }

  #borrow(signal: AbortSignal | undefined): Promise<ScriptChild | Ending | undefined> {
    if (this.#isClosed || signal?.aborted === true) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const done = (result: ScriptChild | Ending | undefined): void => {
        signal?.removeEventListener("abort", onAbort)
        resolve(result)
      }
      const waiting: Waiting = { since: performance.now(), answer: done }
      const onAbort = (): void => {
        const at = this.#waiting.indexOf(waiting)
        if (at !== -1) this.#waiting.splice(at, 1)
        done(undefined)
      }
      signal?.addEventListener("abort", onAbort, { once: true })
      this.#waiting.push(waiting)
      this.#dispatch()
    })
  }

  #dispatch(): void {
    clearTimeout(this.#timer)
    let eldest = this.#waiting[0]
    while (eldest !== undefined) {
      const child = this.#idle.pop()
      if (child === undefined) break
      if (child.isAlive) {
        this.#waiting.shift()
        eldest.answer(child)
        eldest = this.#waiting[0]
      } else this.#drop(child)
    }
    if (eldest === undefined || this.#isClosed) return
    const since = Math.max(eldest.since, this.#readyAt ?? Infinity)
    const patienceLeft = patienceMs - Math.max(0, performance.now() - since)
    while (this.#mayStart(patienceLeft)) this.#start()
    if (patienceLeft > 0) this.#timer = setTimeout(() => this.#dispatch(), patienceLeft)
  }

  #mayStart(patienceLeft: number): boolean {
    if (this.#children.size >= this.#concurrency) return false
    if (this.#starting + this.#served >= Math.min(this.#eager, this.#waiting.length)) return false
    return this.#children.size < this.#eager || patienceLeft <= 0
  }

  #start(): void {
    this.#starting++
    const child = new ScriptChild(this.#options)
    this.#children.add(child)
    void child.ready.then((ending) => {
      this.#starting--
      this.#readyAt ??= performance.now()
      if (ending === undefined) this.#idle.push(child)
      else {
        this.#drop(child)
        this.#waiting.shift()?.answer(ending)
      }
      this.#dispatch()
    })
  }

  #drop(child: ScriptChild): void {
    this.#children.delete(child)
    if (child.isAlive) child.kill()
  }
}
