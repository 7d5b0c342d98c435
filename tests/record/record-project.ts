// A project whose runs have a bit of everything, and access to the lines of a record.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"

export const token = "t0ken-canary-42"

const send = (id: string, operation: string) => ({ id, type: "request", request: { api: "shop", operation } })
const check = (id: string, source: string, value: unknown) => ({
  id,
  type: "assert",
  assertions: [{ source, operator: "equals", value }],
})
const script = (id: string, exportName: string) => ({
  id,
  type: "script",
  script: { name: "say", exportName },
})

const everything = (rounds: number) => [
  send("big", "getBig"),
  send("big-again", "getBig"),
  send("number", "getNumber"),
  {
    id: "number-check",
    type: "assert",
    assertions: [{ source: "number.response.body.id", operator: "exists" }],
  },
  {
    id: "maybe",
    type: "condition",
    if: { source: "number.response.status", operator: "equals", value: 404 },
    then: [send("never", "getBig")],
    else: [],
  },
  {
    id: "loop",
    type: "loop",
    mode: "times",
    count: rounds,
    iteratorVar: "i",
    blocks: [check("equal-{{i}}", "i", 3)],
  },
  { id: "outputs", type: "transform", transforms: { id: "number.response.body.id" } },
  script("say", "say"),
  check("wrong", "number.response.status", 500),
]

const late = [
  send("token", "getToken"),
  script("keep", "keep"),
  check("at-end", "token.response.status", 200),
]

const operation = (operationId: string) => ({ get: { operationId, responses: { 200: { description: "" } } } })

/** The sizes are those of the large body and of the loop. */
export async function openProject({ items = 400, rounds = 70 } = {}): Promise<{
  api: ApiServer
  folder: string
}> {
  const text = "some text of a large body"
  const api = await startApi({
    "GET /big": { body: { list: Array.from({ length: items }, (_, at) => ({ at, text })) } },
    "GET /number": { body: '{"id":9007199254740993}', headers: { "content-type": "application/json" } },
    "GET /token": { body: { token } },
    // This route never answers.
    "GET /slow": () => undefined,
  })
  const folder = await createFolder({
    "apis/shop/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: {
        "/big": operation("getBig"),
        "/number": operation("getNumber"),
        "/token": operation("getToken"),
        "/slow": operation("getSlow"),
      },
    },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/everything.json": { version: 1, onFailure: "continue", blocks: everything(rounds) },
    "apis/workflow/late.json": { version: 1, blocks: late },
    "apis/workflow/slow.json": { version: 1, blocks: [send("slow", "getSlow")] },
    "apis/workflow/late-slow.json": { version: 1, blocks: [...late, send("slow", "getSlow")] },
    "apis/workflow/early.json": { version: 1, blocks: [send("token", "getToken")] },
    "apis/workflow/small.json": { version: 1, blocks: [send("number", "getNumber")] },
    ...Object.fromEntries(
      ["everything", "late", "late-slow"].map((name) => [
        `apis/workflow/scripts/${name}/say.ts`,
        'export const say = (ctx) => { ctx.log("hello \\u001b[31m ::error::x"); console.log("##vso[x]") }\n' +
          'export const keep = (ctx) => ctx.secret(ctx.get("token.response.body.token"))\n',
      ]),
    ),
  })
  return { api, folder }
}

export const linesOf = (folder: string, name = "r.callsheet"): string[] =>
  gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .split("\n")
    .slice(0, -1)

/** A record of these lines, each in its own member. */
export const recordOf = (lines: readonly string[]): Buffer =>
  Buffer.concat(lines.map((line) => gzipSync(`${line}\n`)))
