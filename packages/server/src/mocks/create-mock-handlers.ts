// Answers calls about mocks: one per API, on loopback, in this process. They end with the app.

import { createOutlineStore } from "@callsheet/engine"
import { toProblem, type Api, type ContractProblem, type Problem } from "@callsheet/format"
import type { Mock, MockCall } from "@callsheet/mock"
import { readDocument, type OpenApiDocument } from "@callsheet/openapi"
import { followDocuments, type FollowedDocuments } from "@callsheet/project"
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
  /** Why the mock answers from an earlier version of the document. */
  problem?: Problem | undefined
  readonly log: CallLog
  readonly keepsState: boolean
}

export function createMockHandlers(options: MockHandlersOptions) {
  const source = createEventSource<AppEvent>()
  const noteChange = (api: string): void => source.emit({ type: "mock.changed", api })
  const mocks = new Mocks(options, noteChange)
  const view = async (api: string): Promise<MockView> => {
    const found = await mocks.get(api)
    return found === undefined ? { is: "off" } : viewOf(found, options)
  }
  const handlers: HandlersOf<"mocks"> = {
    "mocks.read": ({ api }) => view(api),
    "mocks.start": async (input) => {
      if (options.isRemote()) throw new CallRefused(403, messages["remote-refused"].mock())
      await mocks.start(input)
      return view(input.api)
    },
    "mocks.stop": async ({ api }) => {
      await mocks.stop(api)
      noteChange(api)
      return view(api)
    },
  }
  return {
    handlers,
    events: { subscribe: source.subscribe },
    close: async (): Promise<void> => {
      source.close()
      await mocks.close()
    },
  }
}

/** The mocks that are on or starting. Each answers from its document after every change that callsheet can read. */
class Mocks {
  readonly #options: MockHandlersOptions
  readonly #noteChange: (api: string) => void
  readonly #open = new Map<string, Promise<OpenMock>>()
  #followed: FollowedDocuments | undefined

  constructor(options: MockHandlersOptions, noteChange: (api: string) => void) {
    this.#options = options
    this.#noteChange = noteChange
  }

  get(api: string): Promise<OpenMock> | undefined {
    return this.#open.get(api)
  }

  /** Does nothing if the mock is on. */
  async start(input: Input<"mocks.start">): Promise<void> {
    const { api } = input
    if (this.#open.has(api)) return
    const starting = this.#start(input)
    this.#open.set(api, starting)
    await starting.catch((error: unknown) => {
      if (this.#open.get(api) === starting) this.#forget(api)
      throw error
    })
    this.#noteChange(api)
  }

  async stop(api: string): Promise<void> {
    const found = this.#open.get(api)
    this.#forget(api)
    const stopped = await found?.catch(() => undefined)
    stopped?.log.close()
    await stopped?.mock.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((api) => this.stop(api)))
  }

  async #start({ api, keepsState }: Input<"mocks.start">): Promise<OpenMock> {
    const { overview, onBug } = this.#options
    const { document, problems } = await readDocumentOf(this.#follow(readApi(api, this.#options)))
    if (document === undefined) {
      const { masker } = await overview()
      const shown = { problems: maskProblems(problems, masker) }
      throw new CallRefused(422, messages["document-invalid"].unreadable(), shown)
    }
    const log = new CallLog(() => this.#noteChange(api))
    const { startMock } = await import("@callsheet/mock")
    const mock = await startMock({ api, document, state: keepsState, onCall: log.add, onBug })
    return { mock, log, keepsState }
  }

  #follow(api: Api): Api {
    const { root, onBug } = this.#options
    this.#followed ??= followDocuments(root, onBug)
    return this.#followed.follow(api, async (changed) => {
      const going = await this.#open.get(api.name)?.catch(() => undefined)
      if (going === undefined) return
      const { document, problems } = await readDocumentOf(changed)
      if (document !== undefined) await going.mock.serve(document)
      going.problem = document === undefined ? (problems[0] ?? noDocument()) : undefined
      this.#noteChange(api.name)
    })
  }

  #forget(api: string): void {
    this.#open.delete(api)
    this.#followed?.forget(api)
    if (this.#open.size > 0) return
    this.#followed?.close()
    this.#followed = undefined
  }
}

/** Throws `api-unknown`. */
function readApi(name: string, { root }: MockHandlersOptions): Api {
  const api = readOneApi(root, name).apis.get(name)
  if (api === undefined) throw new Error("a requested API was not read")
  return api
}

interface DocumentRead {
  readonly document?: OpenApiDocument | undefined
  readonly problems: readonly Problem[]
}

async function readDocumentOf(api: Api | undefined): Promise<DocumentRead> {
  const { document: source, readFile, problems = [] } = api ?? {}
  return source === undefined
    ? { problems }
    : readDocument(source, { readFile, outlines: createOutlineStore() })
}

const noDocument = (): Problem => toProblem(messages["document-invalid"].unreadable())

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

async function viewOf(
  { mock, log, keepsState, problem }: OpenMock,
  options: MockHandlersOptions,
): Promise<MockView> {
  const { masker } = await options.overview()
  const { message = "", file, line } = problem ?? {}
  const broken = problem && { message: masker.text(cut(message)), file, line }
  return { is: "on", url: mock.url, keepsState, broken, ...log.view(masker) }
}
