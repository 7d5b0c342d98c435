// `callsheet mock`: serves the documents of a project, or the answers of a record, until a signal ends it.

import { createOutlineStore } from "@callsheet/engine"
import { CallsheetError, type Api, type Project } from "@callsheet/format"
import { MockRun, startMock, type Mock, type MockCall, type MockOptions } from "@callsheet/mock"
import { documentedOperations, readDocument, type OpenApiDocument } from "@callsheet/openapi"
import { followDocuments, readProject, type FollowedDocuments } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { readNumber } from "../args/read-option.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, seeHelp } from "../messages.ts"
import {
  callJson,
  callText,
  documentJson,
  documentText,
  jsonLine,
  urlsText,
  type DocumentChange,
} from "../mock/call-lines.ts"
import type { RecordedApi } from "../mock/recorded-exchanges.ts"
import { openRoot } from "../open-root.ts"
import { openRunRecord, withRecordLock } from "../record/open-record.ts"
import type { OpenRecord } from "../record/write-record.ts"
import { printProblems, reportError } from "../report-error.ts"
import { readRecord } from "./read-run-options.ts"

export const mock: Command = async (call) => {
  const request = readRequest(call)
  const root = await openRoot(call)
  const named = request.apis.length === 0 ? "all" : request.apis
  const project = readProject(root, { workflows: [], apis: named })
  const place = request.record
  if (place === undefined) return serve(call, { ...request, root, project })
  return withRecordLock(place, () => {
    const command = { workflows: ["mock"] }
    const opened = openRunRecord(place, { project, command, seed: request.seed })
    return serve(call, { ...request, root, project: opened.project, opened: opened.record })
  })
}

type Request = ReturnType<typeof readRequest>

function readRequest({ options, cwd }: CommandCall) {
  const help = seeHelp("mock")
  const port = options.value("port")
  const wrongSeed = messages.usage.wholeNumber("--seed", 0, undefined, help)
  if (options.has("state") && options.has("from"))
    throw new CallsheetError(messages.usage.contradiction("--state", "--from"))
  return {
    apis: [...new Set(options.values("api"))],
    port: readNumber(port, { pattern: /^\d{1,5}$/, max: 65_535, wrong: messages.usage.port(port ?? "") }),
    from: options.value("from"),
    state: options.has("state"),
    seed: readNumber(options.value("seed"), { pattern: /^\d{1,15}$/, wrong: wrongSeed }),
    cors: options.has("cors"),
    record: readRecord(options, [], cwd),
  }
}

interface Serving extends Request {
  readonly root: string
  readonly project: Project
  readonly opened?: OpenRecord
}

async function serve(call: CommandCall, serving: Serving): Promise<number> {
  const { opened, root } = serving
  const documents = followDocuments(root, (error) => reportBug(call, error))
  try {
    const log = new MockLog(call, opened)
    const mocks = new Map<string, Mock>()
    let noteStart = (): void => undefined
    const started = new Promise<void>((resolve) => (noteStart = resolve))
    const follow = following(call, { documents, mocks, started, log })
    const apis = await readApis(call, serving, follow)
    return await withInterrupts(call.exit, async ({ ended }) => {
      try {
        for (const [at, api] of apis.entries())
          mocks.set(api.api, await startMock({ ...optionsOf(call, serving, at), ...api, onCall: log.add }))
        log.start(apis, mocks)
        noteStart()
        await Promise.race([ended, log.broken])
      } finally {
        documents.close()
        await Promise.all([...mocks.values()].map(({ close }) => close()))
      }
      log.finish()
      return 0
    })
  } catch (error) {
    documents.close()
    opened?.file.discard()
    throw error
  }
}

interface Running {
  readonly documents: FollowedDocuments
  readonly mocks: ReadonlyMap<string, Mock>
  /** Resolves when all mocks run. */
  readonly started: Promise<void>
  readonly log: MockLog
}

/** Lets the mock of an API answer from its document after each change that callsheet can read. */
const following =
  (call: CommandCall, { documents, mocks, started, log }: Running) =>
  (api: Api): Api =>
    documents.follow(api, async (changed) => {
      await started
      const { name } = api
      const file = changed?.documentFile ?? api.documentFile ?? ""
      try {
        const document = changed && (await readDocumentOf(call, changed))
        if (document === undefined) throw new CallsheetError(messages.usage.noDocument(name))
        await mocks.get(name)?.serve(document)
        log.note({ api: name, file })
      } catch (error) {
        if (!(error instanceof CallsheetError)) throw error
        log.note({ api: name, file, error })
      }
    })

const reportBug = ({ screen, options }: CommandCall, error: unknown): void =>
  void reportError(error, { output: screen.err, debug: options.has("debug") })

const optionsOf = (
  call: CommandCall,
  { port = 0, seed, cors, state }: Serving,
  at: number,
): Pick<MockOptions, "port" | "seed" | "cors" | "state" | "onBug"> => ({
  port: port === 0 ? 0 : port + at,
  seed,
  cors,
  state,
  onBug: (error) => reportBug(call, error),
})

type MockedApi = Pick<MockOptions, "api" | "document" | "recorded">

/** Reads the documents and the record. Throws if there is nothing to serve. */
async function readApis(
  call: CommandCall,
  { project, apis: named, from }: Serving,
  follow: (api: Api) => Api,
): Promise<readonly MockedApi[]> {
  const recorded = from === undefined ? undefined : await readRecorded(call.cwd, from)
  const chosen = [...project.apis.values()].filter(
    ({ name, documentFile }) =>
      named.includes(name) || (named.length === 0 && (recorded?.has(name) ?? documentFile !== undefined)),
  )
  if (chosen.length === 0)
    throw new CallsheetError(
      from === undefined ? messages.usage.noDocuments() : messages["record-invalid"].noAnswers(from),
    )
  const mocked: MockedApi[] = []
  for (const api of chosen) {
    const document = await readDocumentOf(call, follow(api))
    const own = recorded?.get(api.name)
    if (from !== undefined && own === undefined)
      throw new CallsheetError(messages["record-invalid"].noAnswers(from, api.name))
    if (from === undefined && document === undefined)
      throw new CallsheetError(messages.usage.noDocument(api.name))
    mocked.push({ api: api.name, document, recorded: own })
  }
  return mocked
}

async function readRecorded(cwd: string, from: string): Promise<ReadonlyMap<string, RecordedApi>> {
  const { readExchanges } = await import("../mock/recorded-exchanges.ts")
  return readExchanges(cwd, from)
}

/** Throws the document's problems if it can't be read. */
async function readDocumentOf({ screen }: CommandCall, api: Api): Promise<OpenApiDocument | undefined> {
  const { document: source, readFile, problems: ofApi } = api
  if (source === undefined) {
    const [problem] = ofApi.filter(({ file }) => file === api.documentFile)
    if (problem !== undefined) throw new CallsheetError(problem, { problems: [problem] })
    return undefined
  }
  const { document, problems } = await readDocument(source, { readFile, outlines: createOutlineStore() })
  if (document !== undefined) {
    printProblems(problems, screen.err)
    return document
  }
  const [problem] = problems
  if (problem === undefined) throw new Error("a document without problems was not read")
  throw new CallsheetError(problem, { problems })
}

/** Prints the calls, and keeps them in a record. */
class MockLog {
  readonly #call: CommandCall
  readonly #opened: OpenRecord | undefined
  readonly #startedMs = Date.now()
  #run: MockRun | undefined
  #fail: (error: unknown) => void = () => undefined
  /** Rejects if the record can't be written. */
  readonly broken = new Promise<never>((_, reject) => void (this.#fail = reject))

  constructor(call: CommandCall, opened: OpenRecord | undefined) {
    this.#call = call
    this.#opened = opened
    this.broken.catch(() => undefined)
  }

  start(apis: readonly MockedApi[], mocks: ReadonlyMap<string, Mock>): void {
    const { screen, options } = this.#call
    const urls = new Map([...mocks].map(([api, { url }]) => [api, url]))
    if (options.has("json")) screen.out.write(jsonLine({ apis: Object.fromEntries(urls) }), "exact")
    else screen.out.write(urlsText(urls))
    const opened = this.#opened
    if (opened === undefined) return
    const documented = apis.map(({ api, document }) => ({
      name: api,
      url: urls.get(api) ?? "",
      operations: document === undefined ? [] : documentedOperations(document),
    }))
    // Calls are masked, and a mock learns no secret later.
    const same = <E>(event: E): E => event
    this.#run = new MockRun(
      documented,
      (event) => {
        opened.log.append(event, same)
        opened.reporter.onEvent?.(event, same)
      },
      this.#startedMs,
    )
  }

  /** Notes that a document has changed, and whether the mock answers from it. */
  note(change: DocumentChange): void {
    const { screen, options } = this.#call
    if (options.has("json")) screen.out.write(jsonLine(documentJson(change)), "exact")
    else screen.out.write(documentText(change, screen.out.style))
  }

  readonly add = (made: MockCall): void => {
    const { screen, options } = this.#call
    if (options.has("json")) screen.out.write(jsonLine(callJson(made)), "exact")
    else screen.out.write(callText(made, screen.out.style))
    try {
      this.#run?.add(made)
    } catch (error) {
      this.#fail(error)
    }
  }

  finish(): void {
    const now = Date.now()
    this.#run?.finish(now)
    const durationMs = Math.max(0, now - this.#startedMs)
    this.#opened?.reporter.finish?.({ exitCode: 0, durationMs, verdict: undefined })
    this.#opened?.file.commit()
  }
}
