// Reads the requests of a record and their responses, by API, in the order in which the responses arrived.

import { resolve } from "node:path"
import { CallsheetError, getOrCreate, type EventOf, type RunEvent } from "@callsheet/format"
import type { RecordedExchange } from "@callsheet/mock"
import { checkProjectFile } from "@callsheet/project"
import { messages } from "../messages.ts"
import { openRecord } from "../record/read-record.ts"

export interface RecordedApi {
  /** The base URL of the first run that used the API. */
  readonly baseUrl: string
  readonly exchanges: RecordedExchange[]
}

/** Throws `record-invalid`. */
export async function readExchanges(cwd: string, shown: string): Promise<ReadonlyMap<string, RecordedApi>> {
  const record = await openRecord(resolve(cwd, shown), shown)
  const apis = new Map<string, RecordedApi>()
  try {
    let run: RunExchanges | undefined
    for (let next = await record.next(); next !== undefined; next = await record.next()) {
      const { event } = next
      if (event.type === "run.started") run = new RunExchanges(event, apis)
      else run?.hear(event)
    }
    return apis
  } finally {
    await record.close()
  }
}

/** Reads the answers of an API from a record in the project. Throws `record-invalid`, and if the path leaves the project. */
export async function readAnswers(root: string, file: string, api: string): Promise<RecordedApi> {
  const problem = checkProjectFile(root, file)
  if (problem !== undefined) throw new CallsheetError(problem)
  const answers = (await readExchanges(root, file)).get(api)
  if (answers === undefined) throw new CallsheetError(messages["record-invalid"].noAnswers(file, api))
  return answers
}

class RunExchanges {
  readonly #environments: readonly (readonly [api: string, baseUrl: string])[]
  readonly #apis: Map<string, RecordedApi>
  readonly #sent = new Map<number, EventOf<"request.sent">>()

  constructor({ environments }: EventOf<"run.started">, apis: Map<string, RecordedApi>) {
    this.#environments = Object.entries(environments).map(([api, { baseUrl = "" }]) => [api, baseUrl])
    this.#apis = apis
  }

  hear(event: RunEvent): void {
    if (event.type === "request.sent") this.#sent.set(event.block, event)
    else if (event.type === "response.received") this.#add(event)
    else if (event.type === "block.finished") this.#sent.delete(event.block)
  }

  #add({ block, response, answers }: EventOf<"response.received">): void {
    const sent = this.#sent.get(block)
    if (sent === undefined) return
    const { request } = sent
    const bound =
      this.#environments.find(([api]) => api === answers?.api) ??
      this.#environments
        .filter(([, baseUrl]) => baseUrl !== "" && request.url.startsWith(baseUrl))
        .toSorted(([, one], [, other]) => other.length - one.length)[0] ??
      (this.#environments.length === 1 ? this.#environments[0] : undefined)
    if (bound === undefined) return
    const [name, baseUrl] = bound
    getOrCreate(this.#apis, name, () => ({ baseUrl, exchanges: [] })).exchanges.push({ request, response })
  }
}
