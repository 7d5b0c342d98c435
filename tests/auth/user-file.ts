// A project that sends one secret, and a user-level file beside it.

import { chmod, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, type CallOptions, type CallResult } from "../harness/callsheet.ts"

export interface Home {
  /** The directory of the user-level file, outside the project. */
  readonly folder: string
  readonly file: string
  readonly env: NonNullable<CallOptions["env"]>
}

/** Writes a user-level file with this content, and other files next to it. */
export async function createHome(
  content: unknown,
  files: Readonly<Record<string, unknown>> = {},
  mode = 0o600,
): Promise<Home> {
  const folder = await createFolder(files)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, "config.json")
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  await chmod(file, mode)
  return { folder, file, env: { CALLSHEET_CONFIG: file } }
}

/** A resolver whose program is a Node script. */
export const nodeResolver = (script: string, ...parameters: readonly string[]) => ({
  command: [process.execPath, "-e", script, ...parameters],
})

export async function startShop(): Promise<ApiServer> {
  const api = await startApi({ "*": { body: { ok: true } } })
  onTestFinished(() => api.close())
  return api
}

const secret = { type: "string", required: true, secret: true }

/** A project whose workflow `one` sends the secret variables `apiKey` and `other` of the environment `staging`. */
export const projectFor = (api: Pick<ApiServer, "url">, more: Readonly<Record<string, unknown>> = {}) => ({
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      plain: { type: "string", required: false },
      apiKey: secret,
      other: { ...secret, required: false },
    },
  },
  "apis/shop/environments/staging.json": { baseUrl: api.url, apiKey: "secret://vault/shop/key" },
  "apis/shop/requests/any/ping.json": {
    version: 1,
    method: "GET",
    path: "/ping",
    params: { header: { "x-key": "{{env.shop.apiKey}}" } },
  },
  "apis/workflow/one.json": {
    version: 1,
    blocks: [{ id: "ping", type: "request", request: { api: "shop", instance: "ping" } }],
  },
  ...more,
})

export const run = (words: readonly string[], options: CallOptions): Promise<CallResult> =>
  callsheet(["run", "one", "--json", ...words], options)
