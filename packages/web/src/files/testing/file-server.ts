// For tests of the open files: a file server in memory.

import type { CallFailure, CallName, CurrentFile, FileName, Input, Output } from "@callsheet/server/calls"
import type { call } from "../../connection/call.ts"
import { Refused, Unreachable } from "../../connection/send.ts"
import { fileKey } from "../file-key.ts"

export interface FileServer {
  readonly call: typeof call
  readonly write: (name: FileName, text: string) => void
  readonly remove: (name: FileName) => void
  readonly text: (name: FileName) => string | undefined
  readonly calls: (name: CallName) => number
  /** Rejects the next call with this name. */
  readonly refuse: (name: CallName, status: number, failure: CallFailure) => void
  /** Delays the answers to this call until the returned function is called. Computes them at once. */
  readonly hold: (name: CallName) => () => void
  readonly disconnect: () => void
  readonly connect: () => void
  /** Resolves once every call has been answered. */
  readonly idle: () => Promise<void>
}

type Handler = (input: never) => unknown

export function createFileServer(more: Partial<Record<CallName, Handler>> = {}): FileServer {
  const texts = new Map<string, string>()
  const counts = new Map<CallName, number>()
  const refusals = new Map<CallName, Refused>()
  const held = new Map<CallName, Promise<void>>()
  const under = new Set<Promise<unknown>>()
  let isConnected = true
  let version = 0
  const etags = new Map<string, string>()
  const current = (name: FileName): CurrentFile => {
    const text = texts.get(fileKey(name))
    return text === undefined ? null : { text, etag: etags.get(fileKey(name)) ?? "" }
  }
  const write = (name: FileName, text: string): void => {
    texts.set(fileKey(name), text)
    etags.set(fileKey(name), `etag-${++version}`)
  }
  const handlers: Partial<Record<CallName, Handler>> = {
    "files.read": ({ file }: Input<"files.read">) => {
      const stored = current(file)
      if (stored === null)
        throw new Refused(404, { code: "file-missing", message: "the file does not exist" })
      return { path: "a/file", ...stored }
    },
    "files.save": ({ file, etag, text }: Input<"files.save">) => {
      const stored = current(file)
      if ((stored?.etag ?? null) !== etag && stored?.text !== text)
        throw new Refused(409, { code: "file-changed", message: "it has changed", current: stored })
      write(file, text)
      return { etag: current(file)?.etag ?? "" }
    },
    ...more,
  }
  const answer = async (name: CallName, input: unknown): Promise<unknown> => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (!isConnected) throw new Unreachable("nobody is there")
    const refusal = refusals.get(name)
    refusals.delete(name)
    if (refusal !== undefined) throw refusal
    const handler = handlers[name]
    if (handler === undefined) throw new Error(`the test defines no response to ${name}`)
    const said = handler(input as never)
    await held.get(name)
    return said
  }
  return {
    call: <N extends CallName>(name: N, input: Input<N>): Promise<Output<N>> => {
      const answered = answer(name, input) as Promise<Output<N>>
      under.add(answered)
      answered.finally(() => under.delete(answered)).catch(() => undefined)
      return answered
    },
    write,
    remove: (name) => texts.delete(fileKey(name)),
    text: (name) => texts.get(fileKey(name)),
    calls: (name) => counts.get(name) ?? 0,
    refuse: (name, status, failure) => refusals.set(name, new Refused(status, failure)),
    hold: (name) => {
      let release: () => void = () => undefined
      held.set(name, new Promise((resolve) => (release = resolve)))
      return () => {
        held.delete(name)
        release()
      }
    },
    disconnect: () => (isConnected = false),
    connect: () => (isConnected = true),
    idle: async () => {
      while (under.size > 0) await Promise.allSettled(under)
      await Promise.resolve()
    },
  }
}
