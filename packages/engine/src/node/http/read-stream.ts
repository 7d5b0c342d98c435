// Reads the items of a stream as they arrive, until the server or one of the limits ends it.

import {
  once,
  StreamReader,
  type Finding,
  type ItemFault,
  type JsonValue,
  type StreamEnding,
  type StreamFormat,
  type StreamItem,
} from "@callsheet/format"
import type { IncomingMessage } from "node:http"
import { messages } from "../../messages.ts"
import type { EndedStream, StreamLimits } from "../../ports.ts"
import { decodeText } from "../../request/decode-text.ts"
import type { ReadBody } from "../../request/read-body.ts"
import type { Coding, Decoded } from "./decode-body.ts"
import { openDecoders, type Decoders } from "./decode-stream.ts"

export interface StreamOptions {
  readonly format: StreamFormat
  readonly limits: StreamLimits
  readonly codings: readonly Coding[]
  /** The maximum size of the decoded body, in bytes. */
  readonly maxBytes: number
  readonly onProgress: () => void
  readonly onItem: (value: JsonValue, index: number) => void
}

export interface ReadStream {
  readonly ok: true
  readonly stream: EndedStream
  readonly body: { readonly length: number; readonly parsed: ReadBody }
  readonly warnings: readonly Finding[]
}

export type StreamRead = ReadStream | Exclude<Decoded, { ok: true }>

/** Reads one stream. Calls `done` once, unless it is closed first. */
export class StreamBody {
  received = 0
  readonly #options: StreamOptions
  readonly #done: (read: StreamRead) => void
  readonly #reader: StreamReader
  readonly #decoders: Decoders
  readonly #items: JsonValue[] = []
  readonly #faults = new Map<ItemFault, { readonly first: number; count: number }>()
  #ending: "items" | "until" | undefined
  #idle: NodeJS.Timeout | undefined
  #isOpen = true

  constructor(incoming: IncomingMessage, options: StreamOptions, done: (read: StreamRead) => void) {
    this.#options = options
    this.#done = done
    this.#reader = new StreamReader(options.format, (item) => this.#keep(item))
    this.#decoders = openDecoders(options.codings, {
      onBytes: (bytes) => this.#read(bytes),
      onEnd: () => this.#finish("server"),
      onFault: (fault) => this.#settle({ ok: false, reason: "broken", fault }),
      onDrain: () => incoming.resume(),
    })
    incoming.on("data", (chunk: Buffer) => {
      options.onProgress()
      this.received += chunk.byteLength
      if (!this.#isOpen) return
      this.#idle?.refresh()
      if (!this.#decoders.write(chunk)) incoming.pause()
    })
    incoming.on("end", () => {
      if (this.#isOpen && incoming.complete) this.#decoders.end()
    })
  }

  /** Ends the stream because of the time limit. Returns false if it has no items yet. */
  timeOut(): boolean {
    if (!this.#isOpen || this.#items.length === 0) return false
    this.#finish("timeout")
    return true
  }

  close(): void {
    this.#isOpen = false
    clearTimeout(this.#idle)
    this.#decoders.close()
  }

  #read(bytes: Uint8Array): void {
    if (!this.#isOpen) return
    this.#reader.push(bytes)
    if (this.#reader.bytes.length > this.#options.maxBytes) this.#settle({ ok: false, reason: "too-large" })
    else if (this.#ending !== undefined) this.#finish(this.#ending)
    else if (this.#items.length > 0) this.#idle ??= this.#waitForData()
  }

  /** Keeps an item. Returns false if it ends the stream. */
  #keep({ value, text, event, fault }: StreamItem): boolean {
    const { maxItems, until } = this.#options.limits
    const isNamed = event !== undefined && until.has(event)
    if (isNamed || until.has(text)) this.#ending = "until"
    // A text such as `[DONE]` is only a mark.
    if (this.#ending !== undefined && !isNamed) return false
    const index = this.#items.push(value) - 1
    if (fault !== undefined) this.#note(fault, index)
    this.#options.onItem(value, index)
    if (this.#ending === undefined && this.#items.length >= maxItems) this.#ending = "items"
    return this.#ending === undefined
  }

  #note(fault: ItemFault, index: number): void {
    const known = this.#faults.get(fault)
    if (known === undefined) this.#faults.set(fault, { first: index, count: 1 })
    else known.count++
  }

  #waitForData(): NodeJS.Timeout {
    return setTimeout(() => {
      const { received } = this
      // Data that has arrived while the process was busy is read before this.
      setImmediate(() => {
        if (this.received === received) this.#finish("idle")
      })
    }, this.#options.limits.idleMs)
  }

  #finish(ending: StreamEnding): void {
    if (!this.#isOpen) return
    // What a limit cuts off isn't an item.
    const isWhole = ending === "timeout" || this.#reader.end()
    const bytes = this.#reader.bytes
    const text = once(() => decodeText(bytes, { type: "text/plain", charset: "utf-8" }).text)
    const warnings = [...this.#faults].map(([fault, { first, count }]) =>
      messages["stream-item-invalid"].fault(fault, first, count),
    )
    if (!isWhole) warnings.push(messages["stream-item-invalid"].cut())
    this.#settle({
      ok: true,
      stream: { endedBy: this.#ending ?? ending, items: this.#items.length },
      body: { length: bytes.length, parsed: { value: this.#items, isWellFormed: true, text } },
      warnings,
    })
  }

  #settle(read: StreamRead): void {
    if (!this.#isOpen) return
    this.close()
    this.#done(read)
  }
}
