// Integers beyond 2^53 are numbers in every output, with all digits that were received or sent.

import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"
import { assert, echo, request, shopFiles } from "./shop-project.ts"

const id = "12345678901234567890"
const negative = "-9007199254740993"
const other = "12345678901234567891"
const body = `{"id":${id},"list":[${negative},{"deep":${other}}],"text":"${id}"}`

let api: ApiServer
let folder: string
const files = ["json", "ndjson", "har", "html", "junit", "ctrf", "allure"]

beforeAll(async () => {
  const json = { "content-type": "application/json" }
  let turn = 0
  api = await startApi({
    "GET /echo": () => ({
      headers: json,
      body: turn++ === 0 ? body : body.replaceAll(other, "12345678901234567892"),
    }),
    "POST /echo": { headers: json, body },
  })
  const blocks = [
    echo("get"),
    request("send", {
      operation: "POST /echo",
      overrides: { body: { own: "{{get.response.body.id}}", text: "{{get.response.body.text}}" } },
    }),
    { id: "out", type: "transform", transforms: { copied: "get.response.body.id" } },
    assert("check", ["get.response.body.id", "equals", 1], ["get.response.body.list.0", "greaterThan", 0]),
  ]
  folder = await createFolder(shopFiles(api.url, blocks))
  const reporters = files.flatMap((name) => ["--reporter", `${name}=out/${name}`])
  for (const record of ["a", "b"])
    await callsheet(
      ["run", "w", "--record", `out/${record}.callsheet`, ...(record === "a" ? reporters : [])],
      { folder },
    )
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

/** The text as it is shown: without markup, escapes and quotes inside of JSON strings. */
const plain = (text: string): string =>
  text
    .replaceAll(/&(?:quot|#34);/g, '"')
    .replaceAll("&#x2F;", "/")
    .replaceAll('\\"', '"')
    .replaceAll(/<[^>]*>/g, "")

describe.each(files.filter((name) => name !== "allure"))("%s", (name) => {
  it("shows big integers as numbers", async () => {
    const text = plain((await readText(folder, `out/${name}`)) ?? "")
    expect(text).toMatch(new RegExp(`"id": ?${id}\\b`))
    expect(text).toMatch(new RegExp(`"deep": ?${other}\\b`))
    expect(text).toContain(negative)
    // The text that was received as a text stays one.
    expect(text).toMatch(new RegExp(`"text": ?"${id}"`))
    expect(text).not.toContain(`"${negative}"`)
    expect(text).not.toContain(`"${other}"`)
  })
})

it("the terminal shows them as numbers", async () => {
  const { stdout } = await callsheet(["run", "w"], { folder })
  expect(stdout).toContain(`received  ${id}`)
  expect(stdout).toMatch(new RegExp(`"id": ?${id}`))
})

it("a record and a replay of it show them as numbers", async () => {
  const { stdout } = await callsheet(["replay", "out/a.callsheet", "--json"], { folder })
  expect(stdout).toContain(`"id":${id},`)
  expect(stdout).toContain(`"own":${id},"text":"${id}"`)
  expect(stdout).toContain(`"copied":${id}`)
  expect(stdout).toContain(`"actual":${negative}`)
})

it("diff shows both of them as numbers", async () => {
  const { stdout } = await callsheet(["diff", "out/a.callsheet", "out/b.callsheet", "--json"], { folder })
  expect(stdout).toMatch(new RegExp(`(?<!")${other}(?!")`))
  expect(stdout).toMatch(/(?<!")12345678901234567892(?!")/)
  expect(stdout).not.toContain(`"${other}"`)
})

it("run() gives them as text, which JSON.stringify can write", async () => {
  const { run } = (await import(String(new URL("../../packages/cli/dist/index.js", import.meta.url)))) as {
    run: (options: object) => Promise<object>
  }
  const report = await run({ project: folder, workflows: ["w"] })
  expect(JSON.stringify(report)).toContain(`"id":"${id}"`)
})
