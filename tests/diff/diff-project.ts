// A project whose server gives other ids and times in each run, and whose answers a test can change.

import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startApi, type Answer, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles } from "../harness/callsheet.ts"
import { recordOf } from "../record/record-project.ts"

interface Body extends Record<string, unknown> {
  maker: { name: string; address?: { city: string }; since?: number }
  tags: string[]
  lines: { id: number; sku: string; amount: number }[]
}

export interface Item {
  body: Body
  status?: number
  headers: Record<string, string>
  delayMs?: number
}

interface Difference {
  readonly workflow: string
  readonly block: string
  readonly iteration?: number
  readonly what: string
  readonly path?: string
  readonly left: unknown
  readonly right: unknown
  readonly noise: boolean
  readonly reason?: string
}

const ITEMS = 24

let created = 0

/** Everything that `Item` documents as noise differs in each answer. */
const original = (): Item => ({
  headers: { "cache-control": "no-store", "x-total": "3" },
  body: {
    id: randomUUID(),
    createdAt: new Date(Date.UTC(2026, 0, 1) + created * 1000).toISOString(),
    revision: ++created,
    audit: { by: `run ${created}` },
    name: "tea",
    price: 2.5,
    stock: 7,
    note: null,
    tags: ["a", "b", "c"],
    lines: [
      { id: 1, sku: "A-1", amount: 1 },
      { id: 2, sku: "B-2", amount: 2 },
      { id: 3, sku: "C-3", amount: 3 },
    ],
    maker: { name: "Ada", address: { city: "Zurich" } },
  },
})

const item = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    createdAt: { $ref: "#/components/schemas/Time" },
    revision: { type: "integer", readOnly: true },
    audit: { type: "object", readOnly: true },
    name: { type: "string" },
  },
}

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/items/{n}": {
      get: {
        operationId: "getItem",
        parameters: [{ name: "n", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          200: {
            description: "",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } },
          },
        },
      },
    },
  },
  components: { schemas: { Item: item, Time: { type: "string", format: "date-time" } } },
}

export const get = (id: string, n: number | string) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "getItem", overrides: { params: { path: { n: String(n) } } } },
})

export const workflow = (...blocks: readonly object[]) => ({ version: 1, onFailure: "continue", blocks })

export const items = Array.from({ length: ITEMS }, (_, n) => get(`item-${n}`, n))

export async function openDiffProject() {
  const changes = new Map<string, (item: Item) => void>()
  const api: ApiServer = await startApi({
    "*": async ({ path }): Promise<Answer> => {
      const answer = original()
      const n = path.replace("/items/", "")
      changes.get("*")?.(answer)
      changes.get(n)?.(answer)
      if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
      return answer
    },
  })
  const folder = await createFolder({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/items.json": workflow(...items),
  })
  const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 120_000 })
  const run = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await call("run", ...words)
    if (exitCode === 2) throw new Error(stdout + stderr)
  }
  return {
    api,
    folder,
    changes,
    call,
    /** Runs workflows, by default `items` with these blocks, into a record. */
    record: async (name: string, blocks: readonly object[] = items, ...words: string[]) => {
      await writeFiles(folder, { "apis/workflow/items.json": workflow(...blocks) })
      await run(...(words.length === 0 ? ["items"] : words), `--record=${name}`)
    },
    write: (name: string, lines: readonly string[]) => writeFileSync(join(folder, name), recordOf(lines)),
    diff: async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await call("diff", ...words, "--json")
      const { differences = [], ...more } =
        stdout === "" ? {} : (JSON.parse(stdout) as { differences?: Difference[] })
      return { exitCode, stderr, differences, real: differences.filter(({ noise }) => !noise), more }
    },
  }
}

export type DiffProject = Awaited<ReturnType<typeof openDiffProject>>
