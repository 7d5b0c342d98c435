// A project with every canary at every position, echoed in every encoding.

import { startApi, type ApiServer } from "../harness/api-server.ts"
import type { Files } from "../harness/callsheet.ts"
import type { Canary } from "./canaries.ts"
import { encodings } from "./encodings.ts"

export const variableName = (index: number): string => `c${String(index).padStart(2, "0")}`

/** Returns the name of the variable for a numeric secret. */
export const numberName = (index: number): string => variableName(index).replace("c", "n")

/**
 * Responds with the received request and the canaries. Apart from canaries, the responses of both servers are equal.
 */
export const startEcho = (canaries: () => readonly Canary[]): Promise<ApiServer> =>
  startApi({
    "*": ({ url, path, headers, text }, response) => {
      const [, first, index = "", form = ""] = path.split("/")
      const encode = encodings[form]
      response.sendDate = false
      if (first === "say" && encode !== undefined) {
        const at = Number(index.slice(1))
        const canary = canaries()[at] ?? ""
        // A short one stays visible as a name, or inside a longer text.
        if (isShort(canary)) return { body: { text: canary, list: [canary, String(canary)] } }
        const { type, bytes } = encode(String(canary), at)
        return { body: bytes, headers: { "content-type": type, "x-echo": `a ${latin(bytes)} b` } }
      }
      if (headers["x-quiet"] !== undefined) return { body: { said: "nothing" } }
      const echoed = { url, headers: Object.entries(headers).flat().filter(isShown), text }
      return { status: 201, body: echoed }
    },
  })

// Hides addresses, because the servers have different ports.
const isShown = (text: string | readonly string[] | undefined): boolean =>
  typeof text === "string" && !text.startsWith("127.0.0.1")

/** Bytes as header characters, if all of them are allowed. */
const latin = (bytes: Buffer): string => {
  const text = bytes.toString("latin1")
  return text.length < 6000 && /^[\x20-\x7e\x80-\xff]*$/.test(text) ? text : ""
}

const answers = {
  200: {
    description: "Too strict for any.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { text: { type: "string", maxLength: 2, enum: ["a", "b"] }, list: { maxItems: 1 } },
        },
      },
    },
  },
}

const document = {
  openapi: "3.1.0",
  info: { title: "Canaries", version: "1" },
  components: {
    securitySchemes: {
      basicPair: { type: "http", scheme: "basic" },
      c00: { type: "http", scheme: "bearer" },
    },
  },
  paths: {
    "/say/{index}/{form}": { get: { operationId: "say", responses: answers } },
    "/echo": {
      get: { operationId: "look", responses: {}, security: [{ basicPair: [] }] },
      post: { operationId: "send", responses: {} },
    },
    "/signed": { get: { operationId: "signed", responses: {}, security: [{ c00: [] }] } },
    "/echo/{part}": { get: { operationId: "part", responses: {} } },
  },
}

/** Asks the server not to echo, because a short secret inside a longer text stays visible. */
const quiet = { "x-quiet": "yes" }

const request = (id: string, operation: string, overrides: object) => ({
  id,
  type: "request",
  description: `{{env.shop.${id.slice(0, 3)}}}`,
  request: { api: "shop", operation, overrides },
})

const saved = (bodyType: string, body: unknown) => ({
  version: 1,
  method: "POST",
  path: "/echo",
  bodyType,
  body,
})

const script = `
export const tell = (ctx) => {
  const { [ctx.block.id.slice(0, 3)]: value } = ctx.env("shop")
  console.log(value)
  ctx.log("a", value, "b", JSON.stringify({ value: String(value) }))
  // A line break in the first piece would make two lines, and parts that are printed apart are not masked.
  const cut = String(value).slice(0, 2).includes("\\n") ? 0 : 2
  process.stdout.write(String(value).slice(0, cut))
  process.stdout.write(String(value).slice(cut) + "\\n")
  console.error(btoa(unescape(encodeURIComponent("~" + value))))
  throw new Error("failed with " + value)
}
export const name = (ctx) => ({ made: ctx.env("shop")[ctx.block.id.slice(0, 3)] })
`

/** A secret that is shorter, or that is not text, is masked only as a whole value. */
const isShort = (canary: Canary): boolean => typeof canary !== "string" || canary.length < 4

function blocksOf(canary: Canary, index: number): readonly unknown[] {
  const name = variableName(index)
  const token = `{{env.shop.${name}}}`
  const inside = (before: string, behind: string): string =>
    isShort(canary) ? token : `${before}${token}${behind}`
  const whole = (id: string, params: Readonly<Record<string, object>>) => {
    const header = isShort(canary) ? { ...params["header"], ...quiet } : params["header"]
    return request(`${name}-${id}`, "look", { params: { ...params, header: header ?? {} } })
  }
  const instance = (id: string) => ({
    id: `${name}-${id}`,
    type: "request",
    request: {
      api: "shop",
      instance: id,
      overrides: {
        params: { header: isShort(canary) ? quiet : {} },
        body: { a: token, "b.0": inside("x ", " y") },
      },
    },
  })
  return [
    whole("header", { header: { "x-key": token } }),
    // The server echoes it inside a longer text, where a short one stays visible.
    ...(isShort(canary) ? [] : [whole("bearer", { header: { authorization: `Bearer ${token}` } })]),
    whole("query", { query: { q: token, r: inside("x", "y") } }),
    whole("cookie", { cookie: { sid: token } }),
    request(`${name}-path`, "part", {
      params: { path: { part: token }, header: isShort(canary) ? quiet : {} },
    }),
    instance("json"),
    instance("form"),
    instance("multipart"),
    {
      id: `${name}-made`,
      type: "transform",
      transforms: { whole: `env.shop.${name}`, echo: `${name}-json.response.body` },
    },
    { id: `${name}-named`, type: "transform", script: { name: "tell", exportName: "name" } },
    {
      id: `${name}-check`,
      type: "assert",
      assertions: [
        { source: `env.shop.${name}`, operator: "equals", value: [token, inside("<", ">")] },
        { source: `${name}-json.response.body.text`, operator: "contains", value: inside("-", "-") },
        { source: isShort(canary) ? "nothing" : `nothing.${token}`, operator: "exists" },
      ],
    },
    ...(isShort(canary)
      ? []
      : [{ id: `${name}-tell`, type: "script", script: { name: "tell", exportName: "tell" } }]),
    {
      id: `${name}-loop`,
      type: "loop",
      mode: "forEach",
      source: `env.shop.${name}`,
      iteratorVar: `i${name}`,
      blocks: [],
    },
    ...(isShort(canary) ? ["raw"] : Object.keys(encodings)).map((form) =>
      request(`${name}-say-${form}`, "say", { params: { path: { index: name, form } } }),
    ),
  ]
}

/** The positions of a canary: all of its blocks, except those that receive the echo. */
export const placements: readonly string[] = [
  ...new Set(
    blocksOf("text", 0).flatMap((block) => {
      const { id = "" } = block as { readonly id?: string }
      return id.includes("-say-") ? [] : id.slice(variableName(0).length + 1)
    }),
  ),
  "description",
  "response",
]

export const projectFiles = (urls: { shop: string; other: string }, all: readonly Canary[]): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      basicPair: { type: "string", required: true, secret: true },
      ...Object.fromEntries(
        all.map((canary, index) => [
          variableName(index),
          { type: typeof canary, required: true, secret: true },
        ]),
      ),
    },
  },
  "apis/shop/environments/blue.json": { baseUrl: urls.shop },
  "apis/shop/requests/echo/json.json": saved("json", { a: "", b: [""] }),
  "apis/shop/requests/echo/form.json": saved("form", { a: "", b: [""] }),
  "apis/shop/requests/echo/multipart.json": saved("multipart", { a: "", b: [""] }),
  // A secret base URL with user and password.
  "apis/other/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true, secret: true } },
  },
  "apis/other/environments/blue.json": {},
  "apis/other/requests/echo/get.json": { version: 1, method: "GET", path: "/echo" },
  "apis/workflow/canaries.json": {
    version: 1,
    onFailure: "continue",
    validateContracts: true,
    blocks: [
      { id: "with-user", type: "request", request: { api: "other", instance: "get" } },
      { id: "with-token", type: "request", request: { api: "shop", operation: "signed" } },
      ...all.flatMap(blocksOf),
    ],
  },
  "apis/workflow/scripts/canaries/tell.ts": script,
})

/** The variables of the run. */
export const valuesOf = (
  other: string,
  all: readonly Canary[],
): Readonly<Record<"shop" | "other", Readonly<Record<string, Canary>>>> => ({
  shop: {
    basicPair: `ada:${String(all[4])}`,
    ...Object.fromEntries(all.map((canary, index) => [variableName(index), canary])),
  },
  other: { baseUrl: other.replace("//", `//ada:${encodeURIComponent(String(all[3]))}@`) },
})
