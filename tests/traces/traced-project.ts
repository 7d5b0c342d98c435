// A project whose API records what it receives, for tests of traces. `live` is an environment of level production.

import { onTestFinished } from "vitest"
import type { BlockReport, Report, RunReport } from "@callsheet/format"
import { startApi, type Answer, type ApiServer, type Route } from "../harness/api-server.ts"
import { callsheet, createFolder, type CallOptions, type CallResult } from "../harness/callsheet.ts"
import { document, shopFiles } from "../run/shop-project.ts"
import { rm } from "node:fs/promises"

interface TracedOptions {
  readonly blocks: readonly unknown[]
  readonly routes?: Readonly<Record<string, Answer | Route>>
  readonly settings?: Readonly<Record<string, unknown>>
  readonly files?: (url: string) => Readonly<Record<string, unknown>>
}

export interface TracedProject {
  readonly api: ApiServer
  readonly folder: string
  readonly run: (words: readonly string[], options?: Omit<CallOptions, "files">) => Promise<CallResult>
}

/** Starts an API, and creates a project with the workflow `w`. Both end with the test. */
export async function openTraced({
  blocks,
  routes = {},
  settings,
  files = () => ({}),
}: TracedOptions): Promise<TracedProject> {
  const api = await startServer({ "*": { body: { ok: true } }, ...routes })
  const folder = await createFolder({
    ...shopFiles(api.url, blocks),
    "apis/live/openapi.json": document,
    "apis/live/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/live/environments/live.json": { level: "production", baseUrl: `${api.url}/live` },
    ...(settings === undefined ? {} : { "callsheet.json": { version: 1, ...settings } }),
    ...files(api.url),
  })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return {
    api,
    folder,
    run: (words, options) => callsheet(words, { ...options, folder }),
  }
}

export async function startServer(routes: Parameters<typeof startApi>[0]): Promise<ApiServer> {
  const server = await startApi(routes)
  onTestFinished(server.close)
  return server
}

/** The parts of `traceparent` that a request carried. */
export function parentOf(request: ApiServer["requests"][number] | undefined) {
  const header = request?.headers["traceparent"]
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? []
  return { traceId, spanId, flags }
}

export function firstRun(report: Report | undefined): RunReport {
  const run = report?.runs[0]
  if (run === undefined) throw new Error("no report")
  return run
}

/** Returns the blocks of a run by id, with those in containers. */
export function blocksOf(run: RunReport): ReadonlyMap<string, BlockReport> {
  const found = new Map<string, BlockReport>()
  const add = (blocks: readonly BlockReport[]): void => {
    for (const block of blocks) {
      found.set(block.id, block)
      add([...(block.blocks ?? []), ...(block.iterations ?? []).flatMap((iteration) => iteration.blocks)])
    }
  }
  add(run.blocks)
  return found
}

export const live = (id: string) => ({
  id,
  type: "request",
  request: { api: "live", operation: "echo" },
})
