// The messages that one run has received, and the responses that it has asked for.

import { shapes, type ContractView, type JsonValue, type MessageView } from "@callsheet/format"
import { refusals } from "./messages.ts"

const { any, number, object, optional, required, string, textCheck } = shapes

const pathCheck = textCheck(/^\//u, "a path that starts with /", () => ({
  code: "field-value",
  message: refusals.pathStart(),
}))

export interface Message extends Omit<MessageView, "id" | "contract"> {
  /** Resolves to undefined if no document describes the message. */
  readonly contract: Promise<ContractView | undefined>
  readonly bytes: number
}

/** A response to set. Messages of other paths are answered with 204. */
export const responseRuleShape = object({
  path: required(string(pathCheck), "The exact path below the inbox's base URL."),
  status: optional(number({ integer: true, minimum: 200, maximum: 599 }), "The status. The default is 204."),
  body: optional(any, "The body: text as it is, and everything else as JSON."),
  delayMs: optional(number({ integer: true, minimum: 0, maximum: 600_000 }), "How long to wait."),
  failFirst: optional(number({ integer: true, minimum: 0 }), "How many messages to answer with 503 first."),
})

export type ResponseRule = shapes.TypeOf<typeof responseRuleShape>

export interface Reply {
  readonly status: number
  readonly body?: JsonValue | undefined
  readonly delayMs: number
}

/** The limits of what one run may make the process keep. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024
export const MAX_KEPT_BYTES = 256 * 1024 * 1024
/** What a message takes besides its body. Limits the number of small ones. */
const MESSAGE_OVERHEAD = 1024

export class Mailbox {
  readonly #messages = new Map<number, Message>()
  readonly #rules = new Map<string, { readonly rule: ResponseRule; failures: number }>()
  /** The messages that nobody has watched yet, because they arrived between two runs. */
  readonly #unwatched = new Set<number>()
  /** The messages that are still checked. */
  readonly #passing = new Set<Promise<void>>()
  readonly #watchers = new Set<(message: MessageView) => void>()
  #received = 0
  #bytes = 0

  /** Keeps a message. Returns how to answer it, or undefined if the mailbox is full. */
  add(message: Message): Reply | undefined {
    const bytes = this.#bytes + message.bytes + MESSAGE_OVERHEAD
    if (bytes > MAX_KEPT_BYTES) return undefined
    this.#bytes = bytes
    const id = ++this.#received
    this.#messages.set(id, message)
    if (this.#watchers.size === 0) this.#unwatched.add(id)
    else this.#pass(id, message)
    return this.#replyTo(message)
  }

  /** Passes on each message as soon as it is checked, beginning with those that nobody has watched. */
  watch(onMessage: (message: MessageView) => void): () => Promise<void> {
    this.#watchers.add(onMessage)
    for (const id of this.#unwatched) {
      const message = this.#messages.get(id)
      if (message !== undefined) this.#pass(id, message)
    }
    this.#unwatched.clear()
    return async () => {
      await Promise.all(this.#passing)
      this.#watchers.delete(onMessage)
    }
  }

  #pass(id: number, message: Message): void {
    const passing = show(id, message).then((shown) => {
      for (const onMessage of this.#watchers) onMessage(shown)
      this.#passing.delete(passing)
    })
    this.#passing.add(passing)
  }

  /** Lists the messages of a path after a message, oldest first. Waits until they are checked. */
  async list(path: string | undefined, after: number): Promise<readonly MessageView[]> {
    const wanted = [...this.#messages].filter(
      ([id, message]) => id > after && (path === undefined || message.path === path),
    )
    return Promise.all(wanted.map(([id, message]) => show(id, message)))
  }

  messages(): Iterable<Message> {
    return this.#messages.values()
  }

  /** Later messages still get other ids. */
  clear(): void {
    this.#messages.clear()
    this.#unwatched.clear()
    this.#bytes = 0
  }

  setResponse(rule: ResponseRule): void {
    this.#rules.set(rule.path, { rule, failures: rule.failFirst ?? 0 })
  }

  resetResponses(): void {
    this.#rules.clear()
  }

  #replyTo({ path }: Message): Reply {
    const set = this.#rules.get(path)
    if (set === undefined) return { status: 204, delayMs: 0 }
    const { status = 204, body, delayMs = 0 } = set.rule
    if (set.failures === 0) return { status, body, delayMs }
    set.failures--
    return { status: 503, delayMs }
  }
}

async function show(id: number, { contract, bytes: _, ...message }: Message): Promise<MessageView> {
  const checked = await contract
  return { id: String(id), ...message, ...(checked === undefined ? {} : { contract: checked }) }
}
