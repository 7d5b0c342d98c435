// A debugger that attaches to a listening process and speaks the DevTools protocol.

import { WebSocket } from "undici"

export type Params = Readonly<Record<string, unknown>>

export interface Debugger {
  /** Sends a command and resolves with its result. Rejects if the command fails or the process is gone. */
  readonly send: (method: string, params?: Params) => Promise<Params>
  /** The next event of that name that was not requested yet. Rejects when the process is gone. */
  readonly next: (method: string) => Promise<Params>
  readonly close: () => void
}

interface Pending {
  readonly resolve: (params: Params) => void
  readonly reject: (error: Error) => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: { readonly message: string }
}

/** Attaches to an address as Node prints it: `ws://127.0.0.1:9229/…`. */
export async function attach(address: string): Promise<Debugger> {
  const socket = new WebSocket(address)
  const commands = new Map<number, Pending>()
  const events = new Map<string, { readonly heard: Params[]; readonly waiting: Pending[] }>()
  const eventsOf = (method: string) => {
    const known = events.get(method) ?? { heard: [], waiting: [] }
    events.set(method, known)
    return known
  }
  const hear = ({ id, method, params = {}, result = {}, error }: Message): void => {
    if (method !== undefined) {
      const { heard, waiting } = eventsOf(method)
      const first = waiting.shift()
      if (first === undefined) heard.push(params)
      else first.resolve(params)
    }
    const command = commands.get(id ?? 0)
    if (error === undefined) command?.resolve(result)
    else command?.reject(new Error(error.message))
  }
  let count = 0
  let isGone = false
  const gone = new Error("the process has ended")
  const send: Debugger["send"] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      if (isGone) return reject(gone)
      commands.set(++count, { resolve, reject })
      socket.send(JSON.stringify({ id: count, method, params }))
    })
  const next: Debugger["next"] = (method) =>
    new Promise((resolve, reject) => {
      const { heard, waiting } = eventsOf(method)
      const first = heard.shift()
      if (first !== undefined) resolve(first)
      else if (isGone) reject(gone)
      else waiting.push({ resolve, reject })
    })
  socket.addEventListener("message", ({ data }) => hear(JSON.parse(String(data)) as Message))
  socket.addEventListener("close", () => {
    isGone = true
    const waiting = [...events.values()].flatMap((event) => event.waiting)
    for (const { reject } of [...commands.values(), ...waiting]) reject(gone)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve())
    socket.addEventListener("error", () => reject(new Error(`no debugger can attach to ${address}`)))
  })
  return { send, next, close: () => socket.close() }
}
