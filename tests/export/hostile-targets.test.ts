// `callsheet export` to k6, Postman, Arazzo and HAR: no text of a workflow and no response becomes code, a header, or the value
// of a variable.

import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { projectWith } from "./export-from.ts"
import { exportHostile, type Hostile, type Response } from "./hostile-script.ts"
import { runK6 } from "./run-k6.ts"

const body = (value: unknown): Response => ({ body: JSON.stringify(value) })
const id = "{{first.response.body.id}}"

async function runInK6(hostile: Hostile) {
  const { text, stderr, prepare } = await exportHostile("k6", hostile)
  const { folder, received } = await prepare()
  const output = await runK6(text, folder, {}).catch(String)
  return { text, output: output + stderr, received }
}

const request = (name: string, overrides?: object, more?: object) => ({
  id: name,
  type: "request",
  request: { api: "shop", instance: name, overrides },
  ...more,
})

describe("an exported k6 script", () => {
  it.each(["\r\nX-Evil: 1", "a\nb", "a\rb", "\u0000", "a\u001b"])(
    "sends no header with the value %j",
    async (value) => {
      for (const place of [
        { header: { "X-Id": id } },
        { header: { "X-Id": `a ${id}` } },
        { cookie: { sid: id } },
      ]) {
        const { output, received } = await runInK6({
          response: body({ id: value }),
          later: { params: place },
        })
        expect(output).toContain("can't contain")
        expect(received.map(({ url }) => url)).toEqual(["/first"])
      }
    },
  )

  it.each([
    "a\u2028throw 1",
    "a\u2029throw 1",
    "a\r\nthrow 1",
    "*/ throw 1 /*",
    "a\u0085\u202ethrow 1",
    "</script>",
    "${x}`",
  ])("keeps the description %j in a comment", async (description) => {
    const blocks = [request("first", undefined, { description }), request("later")]
    const { output, text } = await runInK6({ later: {}, workflow: { blocks } })
    expect(output).toBe("[]")
    expect(text).not.toMatch(/[\r\u0085\u2028\u2029\u202e]/)
  })

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "__defineGetter__"])(
    "uses %s as a plain name",
    async (name) => {
      const value = { [name]: { id: 7 } }
      const text = JSON.stringify(value).replace('"__proto__"', String.raw`"\u005f_proto__"`)
      const blocks = [
        { ...request("first"), id: name },
        request("later", {
          params: {
            header: { [name]: `{{${name}.response.body.${name}.id}}` },
            query: { a: `{{${name}.response.headers.${name.toLowerCase()}}}`, b: `{{${name}2}}` },
          },
        }),
      ]
      const assertions = `[{ "source": ${JSON.stringify(`${name}.response.body`)}, "operator": "equals", "value": ${text} }]`
      const workflow = JSON.stringify({
        version: 1,
        inputs: { [`${name}2`]: { type: "string", default: "in" } },
        blocks: [...blocks, { id: "check", type: "assert", assertions: [] }],
      }).replace('"assertions":[]', `"assertions":${assertions}`)
      const { output, received } = await runInK6({
        response: { body: text, headers: { [name]: "h" } },
        later: {},
        files: { "apis/workflow/hostile.json": workflow },
      })
      expect(output).toBe("[]")
      expect(received[1]?.url).toBe("/later?a=h&b=in")
      expect(received[1]?.headers.join("\n")).toContain(`${name}\n7`)
    },
  )

  it("runs both checks if their titles are the same without secrets", async () => {
    const secrets = { one: "first-secret", two: "second-secret" }
    const source = "first.response.body.id"
    const assertions = Object.values(secrets).map((value) => ({ source, operator: "notEquals", value }))
    const blocks = [request("first"), { id: "check", type: "assert", assertions }]
    const { text } = await exportHostile("k6", {
      later: {},
      secrets,
      workflow: { blocks, onFailure: "continue" },
    })
    expect(text.match(/operators\.notEquals/g)?.length).toBe(2)
    expect(text).toContain(`"first.response.body.id notEquals *** (2)": () =>`)
  })
})

/** Runs the scripts of a collection as Postman does: tests after a response, and then what comes before the next request. */
function runPostman(text: string, response: unknown) {
  const collection = JSON.parse(text) as {
    readonly item: readonly {
      readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[]
    }[]
    readonly event?: readonly {
      readonly listen: string
      readonly script: { readonly exec: readonly string[] }
    }[]
  }
  const variables = new Map<string, unknown>()
  const pm = {
    collectionVariables: {
      set: (name: string, value: unknown) => variables.set(name, value),
      get: (name: string) => variables.get(name),
    },
    response: {
      json: () => response,
      text: () => JSON.stringify(response),
      headers: { get: () => response },
    },
    test: () => undefined,
  }
  const run = (lines: readonly string[] = []): unknown => runInNewContext(`{${lines.join("\n")}\n}`, { pm })
  for (const { event } of collection.item) for (const { script } of event ?? []) run(script.exec)
  expect(collection.event?.map(({ listen }) => listen)).toEqual(["prerequest"])
  let failure = ""
  try {
    run(collection.event?.[0]?.script.exec)
  } catch (error) {
    failure = (error as Error).message
  }
  return { failure, values: [...variables.values()] }
}

describe("an exported Postman collection", () => {
  const literal = String.raw`\{{apiKey}}`

  it.each([
    { bodyType: "text", body: `a ${literal}` },
    { bodyType: "text", body: `a ${literal}{{ours}}` },
    { bodyType: "text", body: String.raw`\{{$guid}}` },
    { bodyType: "text", body: String.raw`\{{vault:key}}` },
    { bodyType: "text", body: "{{brace}}{{brace}}apiKey}}" },
    { bodyType: "text", body: "{{open}}apiKey}}" },
    { bodyType: "text", body: "{{whole}}" },
    { bodyType: "text", body: String.raw`\{{{{ours}}}}` },
    { bodyType: "text", body: `{{brace}}${id}` },
    { bodyType: "text", body: `{{open}}${id}` },
    { bodyType: "form", body: { a: literal } },
    { bodyType: "form", body: { "{{apiKey}}": "1" } },
    { bodyType: "multipart", body: { a: literal } },
    { bodyType: "multipart", body: { "{{apiKey}}": "1" } },
    { params: { header: { "X-A": literal } } },
    { params: { path: {}, query: { q: "{{whole}}" } } },
    { body: { q: "{{whole}}" } },
  ])("has no request in which Postman would read %j as its variable", async (later) => {
    const environment = { brace: "{", open: "{{", whole: "{{apiKey}}", ours: "value" }
    const { text, result, stderr } = await exportHostile("postman", { later, environment })
    expect(
      result?.losses.map(({ what }) => what),
      stderr,
    ).toContain("text")
    expect(text).not.toContain("/later")
  })

  it("escapes braces in JSON and in URLs", async () => {
    const later = {
      body: { [String.raw`{{apiKey}}`]: literal, nested: { a: { b: String.raw`\{{${id}`, c: "{{ours}}" } } },
      params: { query: { q: literal, r: "{{ours}}" } },
    }
    const { text, result, stderr } = await exportHostile("postman", { later, environment: { ours: "value" } })
    expect(result?.losses, stderr).toEqual([])
    expect(text).not.toMatch(/\{\{(?:apiKey|\{)/)
    expect(text.match(/\{\{ours\}\}/g)?.length).toBe(2)
    const { item } = JSON.parse(text) as { item: { request: { body?: { raw: string } } }[] }
    const sent = item[1]?.request.body?.raw.replaceAll(/\{\{\w+\}\}/g, "value") ?? ""
    expect(JSON.parse(sent)).toEqual({
      "{{apiKey}}": "{{apiKey}}",
      nested: { a: { b: "{{value", c: "value" } },
    })
  })

  it.each(["{{apiKey}}", "a{{$guid}}", "{{", "x{", "{{vault:key}}"])(
    "doesn't send the value %j of a response",
    async (value) => {
      const { text } = await exportHostile("postman", { later: { params: { query: { id } } } })
      const { failure, values } = runPostman(text, { id: value })
      expect(failure).toContain("first_body_id")
      expect(values).toEqual([""])
      const whole = await exportHostile("postman", { later: { body: { id } } })
      expect(runPostman(whole.text, { id: { deep: [value, "{{"] } }).failure).toContain("first_body_id_json")
    },
  )

  it.each(["plain", "a}", "{a}", 7, { a: { b: 1 } }, '"'])(
    "sends the value %j of a response",
    async (value) => {
      const { text } = await exportHostile("postman", { later: { body: { id } } })
      const { failure, values } = runPostman(text, { id: value })
      expect(failure).toBe("")
      expect(values).toEqual([JSON.stringify(value)])
    },
  )

  it.each([`"); pm.x("`, "\u2028", "${x}", "`", "\\", "*/", "\n"])(
    "writes %j only as a string of its scripts",
    async (text) => {
      const source = `first.response.body[${JSON.stringify(text)}]`
      const assertions = [{ source, operator: "equals", value: { [text]: text, __proto__x: [text] } }]
      const blocks = [
        request("first"),
        { id: "check", type: "assert", assertions },
        request("later", { params: { query: { id: `{{${source}}}` } } }),
      ]
      const { text: written } = await exportHostile("postman", { later: {}, workflow: { blocks } })
      expect(runPostman(written, { [text]: "value" })).toEqual({ failure: "", values: ["value"] })
      expect(written).not.toContain("\u2028")
    },
  )

  it("is imported again without the script that only Postman needs", async () => {
    const { text } = await exportHostile("postman", { later: { params: { query: { id } } } })
    const into = await projectWith({ "hostile.json": text })
    const imported = await callsheet(["import", "hostile.json", "--json"], { folder: into })
    expect(JSON.parse(imported.stdout)).toMatchObject({ requests: 2, losses: [] })
  })
})

interface Arazzo {
  readonly workflows: readonly {
    readonly inputs?: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> }
    readonly steps: readonly {
      readonly requestBody?: { readonly payload: { readonly a?: string; readonly list?: readonly string[] } }
      readonly parameters?: readonly { readonly name: string; readonly value: string }[]
      readonly successCriteria?: readonly { readonly condition: string }[]
    }[]
  }[]
}

const document = (...paths: readonly string[]) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} }, post: { responses: {} } }])),
})

describe("an exported Arazzo document", () => {
  it.each([
    "$inputs.password",
    "$url",
    "$steps.first.outputs.token",
    "a {$inputs.password}",
    "{$request.header.authorization}",
    "$sourceDescriptions.shop.url",
    "{$",
    "$",
  ])("has %s only as a literal", async (text) => {
    const openapi = document("/first", "/later")
    const later = {
      operation: "POST /later",
      method: undefined,
      path: undefined,
      params: { header: { "X-A": text, "X-B": `${text}{{ours}}` } },
      body: { a: text, list: [text, `{{ours}}${text}`] },
    }
    const files = {
      "apis/shop/openapi.json": openapi,
      "apis/shop/requests/things/first.json": { version: 1, operation: "GET /first" },
    }
    const {
      text: written,
      result,
      stderr,
    } = await exportHostile("arazzo", { later, files, environment: { ours: "value" } })
    expect(result?.requests, stderr).toBe(2)
    const [workflow] = (JSON.parse(written) as Arazzo).workflows
    const defaults = workflow?.inputs?.properties ?? {}
    const read = (value: string): string => {
      const valueOf = (expression: string): string => {
        const input = /^\$inputs\.(\w+)$/.exec(expression)?.[1]
        expect(input).toBeDefined()
        expect(Object.keys(defaults)).toContain(input)
        return String(defaults[input ?? ""]?.default)
      }
      return value.startsWith("$")
        ? valueOf(value)
        : value.replaceAll(/\{(\$[^{}]*)\}/g, (_, expression: string) => valueOf(expression))
    }
    const step = workflow?.steps[1]
    const values = step?.parameters?.map(({ value }) => read(value))
    expect(values).toEqual([text, `${text}value`])
    const { a = "", list = [] } = step?.requestBody?.payload ?? {}
    expect([a, ...list].map(read)).toEqual([text, text, `value${text}`])
  })

  it.each([`a == 1 || $statusCode`, `a' || 'a`, "a b", "a)", "a && $url", "a]"])(
    "has no criterion with the path %s",
    async (key) => {
      const files = {
        "apis/shop/openapi.json": document("/first"),
        "apis/shop/requests/things/first.json": { version: 1, operation: "GET /first" },
      }
      const assertions = [
        { source: `first.response.body[${JSON.stringify(key)}]`, operator: "equals", value: "' || '1" },
      ]
      const blocks = [request("first"), { id: "check", type: "assert", assertions }]
      const { text, result } = await exportHostile("arazzo", { later: {}, files, workflow: { blocks } })
      expect(result?.losses.some(({ what }) => what.startsWith("assertion"))).toBe(true)
      expect((JSON.parse(text) as Arazzo).workflows[0]?.steps[0]?.successCriteria).toBeUndefined()
    },
  )
})

describe.each(["har", "k6", "postman"])("an export to %s", (target) => {
  it.each([
    { "X-A": "1\r\nX-Evil: 1" },
    { "X-A\r\nX-Evil": "1" },
    { "X-A: 1\nX-Evil": "1" },
    { "X A": "1" },
    { "X-A": "1\u0000" },
  ])("has no request that a run refuses to send: %j", async (header) => {
    const { text, result, stderr } = await exportHostile(target, { later: { params: { header } } })
    if (result === undefined) return expect(stderr).toMatch(/is not a valid HTTP token|does not allow/)
    expect(result.losses.map(({ what }) => what)).toContain("request")
    return expect(text).not.toContain("Evil")
  })
})
