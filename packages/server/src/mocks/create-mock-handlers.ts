// Answers calls about mocks: one per API, on loopback, in this process. They end with the app.

import { createOutlineStore } from "@callsheet/engine"
import type { ContractProblem, Problem } from "@callsheet/format"
import type { Mock, MockCall } from "@callsheet/mock"
import { readDocument, type OpenApiDocument } from "@callsheet/openapi"
import type { AppEvent, Input, MockCallView, MockProblemView, MockView } from "../calls/index.ts"
import { createEventSource } from "../events.ts"
import { CallRefused, type HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import { cut } from "../project/field-view.ts"
import { readOneApi, type KnownProject } from "../project/read-parts.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

interface MockHandlersOptions extends Pick<KnownProject, "overview"> {
  readonly root: string
  /** Returns whether other machines can reach the server. If so, no mock starts. */
  readonly isRemote: () => boolean
  readonly onBug: (error: unknown) => void
}

/** The number of requests that the page can show of a mock. */
const MAX_CALLS = 200
/** At most one event per mock is sent in this time. */
const EVERY_MS = 100

interface OpenMock {
  readonly mock: Mock
  readonly log: CallLog
  readonly keepsState: boolean
}

export function createMockHandlers(options: MockHandlersOptions) {
  const source = createEventSource<AppEvent>()
  const open = new Map<string, Promise<OpenMock>>()
  const noteChange = (api: string): void => source.emit({ type: "mock.changed", api })
  const view = async (api: string): Promise<MockView> => {
    const found = open.get(api)
    return found === undefined ? { is: "off" } : viewOf(await found, options)
  }
  const start = async ({ api, keepsState }: Input<"mocks.start">): Promise<OpenMock> => {
    const document = await readDocumentOf(api, options)
    const log = new CallLog(() => noteChange(api))
    const { startMock } = await import("@callsheet/mock")
    const { onBug } = options
    const mock = await startMock({ api, document, state: keepsState, onCall: log.add, onBug })
    return { mock, log, keepsState }
  }
  const stop = async (api: string): Promise<void> => {
    const found = open.get(api)
    open.delete(api)
    const stopped = await found?.catch(() => undefined)
    stopped?.log.close()
    await stopped?.mock.close()
  }
  const handlers: HandlersOf<"mocks"> = {
    "mocks.read": ({ api }) => view(api),
    "mocks.start": async (input) => {
      const { api } = input
      if (options.isRemote()) throw new CallRefused(403, messages["remote-refused"].mock())
      if (!open.has(api)) {
        const starting = start(input)
        open.set(api, starting)
        await starting.catch((error: unknown) => {
          if (open.get(api) === starting) open.delete(api)
          throw error
        })
        noteChange(api)
      }
      return view(api)
    },
    "mocks.stop": async ({ api }) => {
      await stop(api)
      noteChange(api)
      return view(api)
    },
  }
  return {
    handlers,
    events: { subscribe: source.subscribe },
    close: async (): Promise<void> => {
      source.close()
      await Promise.all([...open.keys()].map(stop))
    },
  }
}

/** Throws `api-unknown`, and 422 with the problems of a document that can't be read. */
async function readDocumentOf(
  name: string,
  { root, overview }: MockHandlersOptions,
): Promise<OpenApiDocument> {
  const { document: source, readFile, problems: ofApi = [] } = readOneApi(root, name).apis.get(name) ?? {}
  const refuse = async (problems: readonly Problem[]): Promise<never> => {
    const { masker } = await overview()
    throw new CallRefused(422, messages["document-invalid"].unreadable(), {
      problems: maskProblems(problems, masker),
    })
  }
  if (source === undefined) return refuse(ofApi)
  const { document, problems } = await readDocument(source, { readFile, outlines: createOutlineStore() })
  return document ?? refuse(problems)
}

/** The latest requests of a mock, newest first. */
class CallLog {
  readonly #noteChange: () => void
  readonly #calls: MockCall[] = []
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(noteChange: () => void) {
    this.#noteChange = noteChange
  }

  readonly add = (call: MockCall): void => {
    this.#count++
    this.#calls.unshift(call)
    if (this.#calls.length > MAX_CALLS) this.#calls.pop()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#noteChange()
    }, EVERY_MS)
  }

  view({ text, url }: Pick<Masker, "text" | "url">): Pick<OnView, "count" | "calls"> {
    const problemView = ({ path, message, file, line }: ContractProblem): MockProblemView => ({
      message: text(cut(path === "" ? message : `${path}: ${message}`)),
      file,
      line,
    })
    const callView = (call: MockCall, at: number): MockCallView => {
      const { method, target, status, refusal, tolerated, contract } = call
      const found = (refusal?.problems ?? tolerated).map(problemView)
      const reason = refusal === undefined ? [] : [{ message: text(cut(refusal.message)) }]
      return {
        number: this.#count - at,
        method: text(cut(method)),
        target: url(cut(target)),
        status,
        request: found.length > 0 ? found : reason,
        response: contract?.status === "failed" ? contract.problems.map(problemView) : [],
      }
    }
    return { count: this.#count, calls: this.#calls.map(callView) }
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

type OnView = Extract<MockView, { readonly is: "on" }>

async function viewOf({ mock, log, keepsState }: OpenMock, options: MockHandlersOptions): Promise<MockView> {
  const { masker } = await options.overview()
  return { is: "on", url: mock.url, keepsState, ...log.view(masker) }
}
