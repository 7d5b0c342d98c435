// The app's server in this process, with a page of two files and handlers that a test can inspect.

import { startApp, type AppEvent, type AppOptions, type Assets, type Handlers } from "@callsheet/server"
import { callNames } from "@callsheet/server/calls"
import { requestText, sendRaw, type RawAnswer, type RawRequest } from "./raw-client.ts"

export interface TestApp {
  readonly port: number
  readonly host: string
  readonly origin: string
  readonly link: string
  readonly makeLink: () => string
  readonly owner: string
  /** The called handlers, with their inputs. */
  readonly calls: readonly (readonly [name: string, input: unknown])[]
  /** Errors of handlers that aren't a `CallsheetError`. */
  readonly bugs: readonly unknown[]
  readonly emit: (event: AppEvent) => void
  readonly listeners: () => number
  /** Opens a session and returns the headers that prove it. */
  readonly enter: () => Promise<readonly (readonly [string, string])[]>
  /** Sends a request with the right `Host`, unless headers contain one, over a separate socket. */
  readonly send: (request: RawRequest) => Promise<RawAnswer>
  /** The same as POST with JSON. */
  readonly post: (
    target: string,
    body: unknown,
    headers?: readonly (readonly [string, string])[],
  ) => Promise<RawAnswer>
  readonly close: () => Promise<void>
}

export const json = ["content-type", "application/json"] as const

const asset = (type: string, text: string) => ({
  type,
  bytes: Buffer.from(text),
  gzipped: async () => undefined,
})
const page: Assets = new Map([
  ["/", asset("text/html; charset=utf-8", "<!doctype html><title>page</title>")],
  ["/assets/page.js", asset("text/javascript; charset=utf-8", "export {}")],
])

/** Starts it with quiet and empty defaults. The caller closes it. */
export async function startTestApp(
  options: Partial<Omit<AppOptions, "handlers">> & { readonly handlers?: Partial<Handlers> } = {},
): Promise<TestApp> {
  const calls: [string, unknown][] = []
  const bugs: unknown[] = []
  const listeners = new Set<(event: AppEvent) => void>()
  const quiet = Object.fromEntries(callNames.map((name) => [name, async () => ({})]))
  const handlers = { ...quiet, ...options.handlers }
  const recorded = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (input: never) => {
        calls.push([name, input])
        return handle(input)
      },
    ]),
  ) as unknown as Handlers
  const app = await startApp({
    assets: page,
    root: "/nowhere/project",
    onBug: (error) => bugs.push(error),
    ...options,
    events: {
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    handlers: recorded,
  })
  const host = `127.0.0.1:${app.port}`
  const origin = `http://${host}`
  const send = async (request: RawRequest) => {
    const hasHost = request.headers?.some(([name]) => name.toLowerCase() === "host") === true
    const headers = [...(hasHost ? [] : [["host", host] as const]), ...(request.headers ?? [])]
    return sendRaw(app.port, requestText({ ...request, headers }))
  }
  const post: TestApp["post"] = async (target, body, headers = []) =>
    send({ method: "POST", target, body: JSON.stringify(body), headers: [json, ...headers] })
  return {
    ...app,
    host,
    origin,
    makeLink: () => app.makeLink("anyone"),
    calls,
    bugs,
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    listeners: () => listeners.size,
    enter: async () => {
      const answer = await post("/session", { link: secretOf(app.makeLink("anyone")) })
      const cookie = answer.headers["set-cookie"]?.split(";")[0] ?? ""
      const { key } = JSON.parse(answer.body) as { key: string }
      return [
        ["cookie", cookie],
        ["x-callsheet-key", key],
      ]
    },
    send,
    post,
  }
}

/** The text after `#link=`. */
export const secretOf = (link: string): string => link.slice(link.indexOf("#link=") + "#link=".length)
