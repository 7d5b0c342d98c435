// Files whose size or shape made an import take minutes, or end with a bug. Each is imported in seconds.

import { describe, expect, it } from "vitest"
import { sized } from "../harness/full-size.ts"
import { folderWith, importInto } from "./import-into.ts"

const many = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const postman = (item: readonly unknown[], more: object = {}) => ({ info: { name: "P" }, item, ...more })
const get = (name: string, url: unknown) => ({ name, request: { method: "GET", url } })
const post = (raw: string, language: string) => {
  const body = { mode: "raw", raw, options: { raw: { language } } }
  return postman([{ name: "a", request: { method: "POST", url: "https://a.example/x", body } }])
}
const tested = (exec: string) => ({
  ...get("a", "https://a.example"),
  event: [{ listen: "test", script: { exec } }],
})
const insomnia = (collection: readonly unknown[]) => ({
  type: "collection.insomnia.rest/5.0",
  name: "I",
  collection,
})
const insomniaText = (text: string) =>
  insomnia([{ name: "a", method: "POST", url: "https://a.example", body: { mimeType: "text/plain", text } }])
const arazzo = (workflow: object, more: object = {}) => ({
  arazzo: "1.0.1",
  info: { title: "A" },
  sourceDescriptions: [{ name: "s", url: "openapi.json" }],
  workflows: [{ workflowId: "w", steps: [{ stepId: "s", operationId: "a" }], ...workflow }],
  ...more,
})
const openapi = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "O", version: "1" },
  servers: [{ url }],
  paths: { "/a": { post: { operationId: "a", responses: {} } } },
})
const steps = (count: number, step: object) =>
  many(count, (at) => ({ stepId: `s${at}`, operationId: "a", ...step }))

/** What took minutes for 20,000 takes longer than the limit of a call for half of them, too. */
const SIZE = sized(10_000, 20_000)

const sources: Readonly<Record<string, unknown>> = {
  [`${SIZE} requests of one name`]: postman(many(SIZE, () => get("a", "https://a.example/x"))),
  [`${SIZE} paths`]: postman(many(SIZE, (at) => get(`a${at}`, `https://a.example/${at}/x`))),
  "3,000 hosts": postman(many(3000, (at) => get(`a${at}`, `https://h${at}.example/x`))),
  [`${SIZE} folders of one name`]: postman(
    many(SIZE, () => ({ name: "f", item: [get("a", "https://a.example")] })),
  ),
  [`${SIZE / 50} folders that are split`]: postman(
    many(SIZE / 50, (at) => ({
      name: `f${at}`,
      item: many(50, (number) => ({ ...tested("pm.response.to.have.status(200)"), name: `a${number}` })),
    })),
  ),
  "5,000 scripts of one name": postman(many(5000, () => tested("foo()"))),
  "400 KB of {{": post("{{".repeat(200_000), "text"),
  "300 KB of %": postman([get("a", `https://a.example/${"%".repeat(150_000)}?a=${"%".repeat(150_000)}`)]),
  "300 KB of backslashes": post(`${"\\".repeat(300_000)}x{{a}}`, "text"),
  "300 KB of open quotes": post('"\\'.repeat(150_000), "json"),
  "a body of 100,000 lists": post("[".repeat(100_000) + "]".repeat(100_000), "json"),
  "a body of 300,000 numbers": post(`[${"1,".repeat(300_000)}1]`, "json"),
  "100,000 query parameters of one name": postman([
    get("a", {
      raw: "https://a.example",
      host: "https://a.example",
      query: many(100_000, () => ({ key: "a", value: "b" })),
    }),
  ]),
  [`${SIZE} path variables`]: postman([
    get("a", {
      host: "https://a.example",
      path: many(SIZE, (at) => `:v${at}`),
      variable: many(SIZE, (at) => ({ key: `v${at}`, value: "x" })),
    }),
  ]),
  "a protocol of slashes": postman([get("a", { protocol: `${"/".repeat(300_000)}x`, host: "a" })]),
  "130,000 variables of a folder": postman([
    {
      name: "f",
      item: [get("a", "https://a.example")],
      variable: many(130_000, (at) => ({ key: `v${at}`, value: "1" })),
    },
  ]),
  "doubling variables": postman([get("a", "{{v0}}/x")], {
    variable: many(60, (at) => ({ key: `v${at}`, value: `{{v${at + 1}}}{{v${at + 1}}}` })),
  }),
  "doubling variables with a value": postman([get("a", "{{v0}}/x")], {
    variable: [
      ...many(60, (at) => ({ key: `v${at}`, value: `{{v${at + 1}}}{{v${at + 1}}}` })),
      { key: "v60", value: "x" },
    ],
  }),
  "circular variables": postman([get("a", "{{v0}}/x")], {
    variable: many(30, (at) => ({ key: `v${at}`, value: `{{v${(at + 1) % 30}}}{{v${(at + 7) % 30}}}` })),
  }),
  "a name of underscores": postman([get("a", "https://a.example")], {
    variable: [{ key: `_a${"_".repeat(300_000)}x`, value: "1" }],
  }),
  "a script with deep members": postman([tested(`pm.expect(${"a.".repeat(50_000)}b).to.eql(1)`)]),
  "open template tags": insomniaText("{{".repeat(200_000)),
  "open statement tags": insomniaText("{%".repeat(200_000)),
  [`${SIZE} resources`]: {
    _type: "export",
    __export_format: 4,
    resources: [
      { _id: "w", _type: "workspace", name: "W" },
      ...many(SIZE, (at) => ({
        _id: `r${at}`,
        parentId: "w",
        _type: "request",
        name: "a",
        method: "GET",
        url: "https://a.example",
      })),
    ],
  },
  [`${SIZE} folders with variables`]: insomnia(
    many(SIZE, (at) => ({ name: `f${at}`, children: [], environment: { [`v${at}`]: at } })),
  ),
  [`${SIZE} archived requests`]: {
    log: { entries: many(SIZE, () => ({ request: { method: "GET", url: "https://a.example/x" } })) },
  },
  "an input that contains itself six times": arazzo(
    { inputs: { $ref: "#/components/inputs/a" } },
    { components: { inputs: { a: { allOf: many(6, () => ({ $ref: "#/components/inputs/a" })) } } } },
  ),
  "8,000 inputs of one name": arazzo({
    inputs: {
      properties: Object.fromEntries(many(8000, (at) => [`a${String.fromCodePoint(0x4e00 + at)}`, {}])),
    },
  }),
  "20,000 nested jumps": arazzo({
    steps: steps(20_000, {
      onSuccess: [{ type: "end", name: "e", criteria: [{ condition: "$statusCode == 200" }] }],
    }),
  }),
  "a condition of spaces": arazzo({
    steps: steps(2, {
      onSuccess: [{ type: "end", criteria: [{ condition: `a${" ".repeat(100_000)}b c` }] }],
    }),
  }),
  [`${SIZE} criteria to retry`]: arazzo({
    steps: steps(1, {
      successCriteria: many(SIZE, (at) => ({ condition: `$statusCode != ${at}` })),
      onFailure: [{ type: "retry", name: "r", retryLimit: 2 }],
    }),
  }),
  [`${SIZE} replacements`]: arazzo({
    steps: steps(1, {
      requestBody: {
        payload: Object.fromEntries(many(SIZE, (at) => [`k${at}`, 1])),
        replacements: many(SIZE, (at) => ({ target: `/k${at}`, value: 2 })),
      },
    }),
  }),
  "a server of slashes": openapi(`https://a.example${"/".repeat(300_000)}x`),
  "a URL of commas": `curl 'https://a.example/{${",".repeat(300_000)}'`,
  "a form of open quotes": `curl -F 'a=${'"\\'.repeat(150_000)}' https://a.example`,
  [`${SIZE} commands`]: "curl https://a.example/x\n".repeat(SIZE),
}

const bru = (name: string, blocks: string) => ({
  "c/bruno.json": { version: "1", name: "C", type: "collection" },
  "c/a.bru": `meta {\n  name: ${name}\n}\npost {\n  url: https://a.example\n  ${blocks}`,
})

describe("an import finishes in seconds", () => {
  it.each(Object.entries(sources))("of %s", async (_, source) => {
    const folder = await folderWith({ source, "openapi.json": openapi("https://a.example") })
    const { exitCode, stderr } = await importInto(folder, ["source", "--into", "p", "--dry-run"])
    expect(stderr).toBe("")
    expect([0, 1]).toContain(exitCode)
  })

  it.each([
    [
      "spaces in a part",
      `body: multipartForm\n}\nbody:multipart-form {\n  a: x${" ".repeat(300_000)}y\n}\n`,
      0,
    ],
    [
      "open content types",
      `body: multipartForm\n}\nbody:multipart-form {\n  a: ${"@contentType(".repeat(30_000)}\n}\n`,
      0,
    ],
    ["spaces before a name without a value", `body: none\n}\nheaders {\n${" ".repeat(300_000)}a\n}\n`, 2],
    ["open quotes in JSON", `body: json\n}\nbody:json {\n  ${'"\\'.repeat(150_000)}\n}\n`, 0],
  ])("of a Bruno file with %s", async (name, blocks, code) => {
    const folder = await folderWith(bru(name, blocks))
    const { exitCode, stderr } = await importInto(folder, ["c", "--into", "p", "--dry-run"])
    expect(stderr).not.toContain("bug")
    expect(exitCode).toBe(code)
  })
})
