// Canaries that no file contains: a server sends them, and the run finds out that they are secret.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type Files } from "../harness/callsheet.ts"
import { textsIn } from "../harness/texts-in.ts"
import { encodings } from "./encodings.ts"
import { variableName } from "./project.ts"
import { writeRaw } from "./raw-reporter.ts"

/** Ways in which a run learns a canary from the response of `give`. */
export const ways = {
  "used as a query parameter": (name: string) => [look(name, `{{${name}-give.response.body.plain}}`)],
  "through a transform": (name: string) => [
    { id: `${name}-kept`, type: "transform", transforms: { key: `${name}-give.response.body.plain` } },
    look(name, `{{${name}-kept.key}}`),
  ],
  "through a loop": (name: string) => [
    {
      id: `${name}-each`,
      type: "loop",
      mode: "forEach",
      source: `${name}-give.response.body.list`,
      iteratorVar: `i${name}`,
      blocks: [look(`${name}-{{i${name}}}`, `{{i${name}}}`)],
    },
  ],
  "marked by its schema": () => [],
  "marked by its name": () => [],
  // The script declares the canary after every use of it, including in ids.
  "declared at the end by a script": (name: string) => [
    {
      id: `${name}-each`,
      type: "loop",
      mode: "forEach",
      source: `${name}-give.response.body.list`,
      iteratorVar: `i${name}`,
      blocks: [send(`${name}-{{i${name}}}`, "give", { index: "0" })],
    },
  ],
} satisfies Readonly<Record<string, (name: string) => readonly unknown[]>>

export type Way = keyof typeof ways

const look = (name: string, token: string) => ({
  id: `${name}-look`,
  type: "request",
  request: { api: "shop", operation: "look", overrides: { params: { query: { api_key: token } } } },
})

const send = (id: string, operation: string, path: object) => ({
  id,
  type: "request",
  request: { api: "shop", operation, overrides: { params: { path } } },
})

const document = {
  openapi: "3.1.0",
  info: { title: "Captured", version: "1" },
  components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } },
  paths: {
    "/give/{index}": { get: { operationId: "give", responses: {} } },
    "/mark/{index}": {
      get: {
        operationId: "mark",
        responses: {
          200: {
            description: "Marked.",
            content: {
              "application/json": {
                schema: {
                  properties: { plain: { type: "string", format: "password" }, list: { writeOnly: true } },
                },
              },
            },
          },
        },
      },
    },
    "/name/{index}": { get: { operationId: "name", responses: {} } },
    "/look": { get: { operationId: "look", responses: {} } },
    "/say/{index}/{form}": { get: { operationId: "say", responses: {} } },
  },
}

/** The operation whose response contains a canary. Default: `give`. */
const giving: { readonly [W in Way]?: string } = {
  "marked by its schema": "mark",
  "marked by its name": "name",
}

const blocksOf = (way: Way, index: number): readonly unknown[] => {
  const name = variableName(index)
  return [
    send(`${name}-give`, giving[way] ?? "give", { index: String(index) }),
    ...ways[way](name),
    { id: `${name}-made`, type: "transform", transforms: { all: `${name}-give.response.body` } },
    { id: `${name}-tell`, type: "script", script: { name: "tell", exportName: "tell" } },
    {
      id: `${name}-check`,
      type: "assert",
      assertions: [
        { source: `${name}-give.response.body`, operator: "equals", value: `{{${name}-made.all}} x` },
      ],
    },
    ...Object.keys(encodings).map((form) =>
      send(`${name}-say-${form}`, "say", { index: String(index), form }),
    ),
    ...(way === "declared at the end by a script"
      ? [{ id: `${name}-late`, type: "script", script: { name: "tell", exportName: "late" } }]
      : []),
  ]
}

const script = `
export const late = (ctx) => void ctx.secret(ctx.get(ctx.block.id.slice(0, 3) + "-give.response.body.plain"))
export const tell = (ctx) => {
  const value = ctx.get(ctx.block.id.slice(0, 3) + "-give.response.body.plain")
  console.log(value, btoa(unescape(encodeURIComponent("~" + value))))
  // A line break in the first piece would make two lines, and parts that are printed apart are not masked.
  const cut = value.slice(0, 2).includes("\\n") ? 0 : 2
  process.stdout.write(value.slice(0, cut))
  process.stdout.write(value.slice(cut) + "\\n")
  throw new Error("failed with " + value)
}
`

const filesOf = (url: string, way: Way, canaries: readonly string[]): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/local.json": { baseUrl: url },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/workflow/w.json": {
    version: 1,
    onFailure: "continue",
    blocks: canaries.flatMap((_, index) => blocksOf(way, index)),
  },
  "apis/workflow/scripts/w/tell.ts": script,
})

/** The output of a command and a program, by sink. Each block that should have sent a request did. */
export async function writeCaptured(
  way: Way,
  canaries: readonly string[],
): Promise<{ readonly texts: ReadonlyMap<string, string>; readonly requests: number }> {
  const api = await startApi({
    "*": ({ path, url }) => {
      const [, first, index = "", form = ""] = path.split("/")
      const canary = canaries[Number(index)] ?? ""
      const said = encodings[form]?.(canary, Number(index))
      if (first === "say" && said !== undefined)
        return { body: said.bytes, headers: { "content-type": said.type } }
      const given = { plain: canary, list: [canary], name: `of ${canary}` }
      return { body: first === "look" ? { url } : first === "name" ? { ...given, password: canary } : given }
    },
  })
  try {
    const folder = await createFolder(filesOf(api.url, way, canaries))
    const reporters = [
      "pretty",
      "json=out.json",
      "junit=out.xml",
      "coverage=coverage.json",
      "html=out.html",
      "ndjson=out.ndjson",
      "ctrf=out.ctrf.json",
      "har=out.har",
      "allure=allure",
    ].flatMap((name) => ["--reporter", name])
    const ran = await callsheet(["run", "w", "--record=r.callsheet", ...reporters], {
      folder,
      timeoutMs: 120_000,
    })
    const events: string[] = []
    const onEvent = (event: object) => void events.push(JSON.stringify(event))
    // The built entry, because scripts run in a process with a separate file.
    const built = new URL("../../packages/cli/dist/index.js", import.meta.url).href
    const { run } = (await import(built)) as typeof import("../../packages/cli/src/index.ts")
    const report = await run({ workflows: ["w"], project: folder, onEvent })
    // Live output is written before a script declares the secret at the end.
    const live: readonly (readonly [string, string])[] =
      way === "declared at the end by a script"
        ? []
        : [
            ["standard output", ran.stdout],
            ["events", events.join("\n")],
          ]
    const { length } = api.requests
    const texts = new Map([
      ...live,
      ["standard error", ran.stderr],
      ["json", (await readText(folder, "out.json")) ?? ""],
      ["junit", (await readText(folder, "out.xml")) ?? ""],
      ["coverage", (await readText(folder, "coverage.json")) ?? ""],
      ["html", (await readText(folder, "out.html")) ?? ""],
      ["ndjson", (await readText(folder, "out.ndjson")) ?? ""],
      ["ctrf", (await readText(folder, "out.ctrf.json")) ?? ""],
      ["har", (await readText(folder, "out.har")) ?? ""],
      ["allure", textsIn(join(folder, "allure"))],
      ["record", gunzipSync(readFileSync(join(folder, "r.callsheet"))).toString()],
      ["report of run()", JSON.stringify(report)],
      ["raw", await writeRaw(folder, "w")],
    ])
    return { texts, requests: length }
  } finally {
    await api.close()
  }
}
