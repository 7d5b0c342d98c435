// A replay runs the current files against recorded responses.

import { readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  blocksOf,
  check,
  key,
  document as shop,
  openProject,
  send,
  token,
  withoutTimes,
  type ReplayProject,
} from "./replay-project.ts"

const header = (name: string, value: string) => ({ params: { header: { [name]: value } } })

const everything = {
  version: 1,
  blocks: [
    send("token", "getToken", { body: { at: "{{$isoTimestamp}}", id: "{{$uuid}}", n: "{{$randomInt}}" } }),
    send("create", "createOrder", {
      ...header("authorization", "Bearer {{token.response.body.token}}"),
      body: { sku: "A-1", now: "{{$timestamp}}", ref: "{{$uuid}}", tenant: "{{tenant}}" },
    }),
    check("created", "create.response.status", 201),
    check("who", "token.response.body.user", "ann"),
    {
      id: "poll",
      type: "loop",
      mode: "until",
      until: { source: "get.response.body.status", operator: "equals", value: "done" },
      delayMs: 300,
      blocks: [send("get", "getOrder", { params: { path: { id: "{{create.response.body.id}}" } } })],
    },
    {
      id: "pages",
      type: "loop",
      mode: "times",
      count: 3,
      iteratorVar: "page",
      execution: "parallel",
      blocks: [
        send("list", "listOrders", { params: { query: { page: "{{page}}", id: "{{$uuid}}" } } }),
        check("is-page", "list.response.body.page", "{{page}}", "notEquals"),
      ],
    },
    send("big", "getOrder", { params: { path: { id: "8" } } }),
    { id: "keep", type: "transform", transforms: { id: "big.response.body.id" } },
    {
      id: "many",
      type: "loop",
      mode: "forEach",
      source: "list.response.body.items",
      iteratorVar: "item",
      blocks: [check("has-id", "item.id", undefined, "exists")],
    },
  ],
}

let project: ReplayProject
const edited = "apis/workflow/everything.json"
async function run(words: readonly string[]) {
  const result = await project.call(["run", ...words, "--var", `shop.baseUrl=${project.api.url}`, "--json"])
  expect(result.stderr).toBe("")
  return result
}

beforeAll(async () => {
  project = await openProject({
    [edited]: everything,
    "apis/workflow/masked.json": {
      version: 1,
      blocks: [
        send("token", "getToken"),
        send("use", "listOrders", header("authorization", "Bearer {{token.response.body.token}}")),
        check("secret", "token.response.body.token", token),
        check("there", "token.response.body.token", undefined, "exists"),
        check("other-part", "token.response.body", { token: 5, user: "bob" }),
        check("name", "token.response.body.user", "ann"),
      ],
    },
    "apis/workflow/signin.json": { version: 1, blocks: [send("token", "getToken")] },
    "apis/workflow/down.json": {
      version: 1,
      onFailure: "continue",
      blocks: [send("down", "getDown"), check("after", "down.response.status", undefined, "notExists")],
    },
    "callsheet.json": {
      version: 1,
      suites: {
        all: {
          before: [{ as: "setup", workflow: "signin" }],
          workflows: [
            { as: "first", workflow: "rows", inputs: { sku: "{{setup.token.response.body.user}}" } },
            { as: "second", workflow: "rows", inputs: { sku: "{{$uuid}}" }, finally: ["down"] },
          ],
          finally: [{ as: "last", workflow: "rows", inputs: { sku: "z" } }],
        },
      },
    },
    "apis/workflow/rows.json": {
      version: 1,
      inputs: { sku: { type: "string", required: true }, size: { type: "number", default: 1 } },
      blocks: [
        send("create", "createOrder", { body: { sku: "{{sku}}", size: "{{size}}", id: "{{$uuid}}" } }),
        check("same", "create.response.body.order.sku", "{{sku}}"),
      ],
    },
    "rows.csv": "sku\na\nb\nc\n",
  })
})
afterAll(async () => {
  await project.api.close()
  await rm(project.folder, { recursive: true })
})

describe("a replay of unchanged files", () => {
  it("repeats the recorded report offline, with the same clock, seed and responses", async () => {
    const recorded = await run(["everything", "--record=r"])
    expect(recorded.exitCode).toBe(0)
    const sent = project.api.requests.length
    const { exitCode, report } = await project.call(["replay", "r", "--json"])
    expect(exitCode).toBe(0)
    expect(report).toMatchObject({ replayed: true, status: "passed" })
    expect(withoutTimes(report)).toEqual(withoutTimes(recorded.report))
    expect(project.api.requests).toHaveLength(sent)
  })

  it("needs neither secrets nor the time that the run waited", async () => {
    await run(["everything", "--record=r"])
    await project.edit("apis/shop/environments/local.secrets.env", () => "")
    await project.edit(edited, (text) => text.replace(/"delayMs":\s*300/, '"delayMs":600000'))
    const { exitCode, report } = await project.call(["replay", "r", "--json"])
    await project.edit("apis/shop/environments/local.secrets.env", () => `apiKey=${key}\n`)
    await project.edit(edited, () => JSON.stringify(everything))
    expect(exitCode).toBe(0)
    expect(report?.status).toBe("passed")
  })

  it("repeats the failure of a request", async () => {
    const recorded = await run(["down", "--record=r"])
    const { exitCode, report } = await project.call(["replay", "r", "--json"])
    expect(exitCode).toBe(1)
    expect(blocksOf(report)["down"]?.error).toEqual(blocksOf(recorded.report)["down"]?.error)
    expect(blocksOf(report)["down"]?.error?.code).toBe("request-failed")
  })

  it.each([
    ["rows of a file", ["rows", "--data=rows.csv"], 3],
    ["repetitions", ["rows", "--repeat=2", "--input=sku=x", "--input=size=5"], 2],
    ["retries", ["down", "--retries=2"], 3],
    ["jobs", ["everything", "masked", "--jobs=2"], 2],
    ["a suite with setup and cleanup", ["--suite=all"], 5],
    ["a shard", ["everything", "rows", "--input=sku=x", "--shard=2/2"], 1],
  ])("pairs the runs of %s", async (_, words, count) => {
    const recorded = await run([...words, "--record=r"])
    if (words[0] === "rows") await project.edit("rows.csv", (text) => text.replace("b", "changed"))
    const { exitCode, report, stderr } = await project.call(["replay", "r", "--json"])
    if (words[0] === "rows") await project.edit("rows.csv", (text) => text.replace("changed", "b"))
    expect(report?.runs).toHaveLength(count)
    const plain = (text: unknown) =>
      JSON.stringify(text).replaceAll(/"(?:failed|undecidable|message)":?/g, "")
    expect(report?.runs.map((one) => one.counts)).toHaveLength(recorded.report?.runs.length ?? 0)
    expect(
      plain(
        report?.runs.map((one) => [one.workflow, one.entry, one.row, one.repeat, one.attempt, one.inputs]),
      ),
    ).toBe(
      plain(
        recorded.report?.runs.map((one) => [
          one.workflow,
          one.entry,
          one.row,
          one.repeat,
          one.attempt,
          one.inputs,
        ]),
      ),
    )
    expect(JSON.stringify(report)).not.toContain("requestDifference")
    expect(JSON.stringify(report)).not.toContain("replay-missing")
    expect(stderr).not.toContain("replay-missing")
    expect(exitCode).toBeLessThan(2)
  })
})

describe("a replay of edited files", () => {
  beforeEach(async () => {
    await project.edit(edited, () => JSON.stringify(everything))
    await run(["everything", "--record=r"])
  })
  afterAll(() => project.edit(edited, () => JSON.stringify(everything)))

  it("judges a changed assertion", async () => {
    await project.edit(edited, (text) => text.replace('"ann"', '"bob"'))
    const { exitCode, report } = await project.call(["replay", "r", "--json"])
    expect(exitCode).toBe(1)
    expect(blocksOf(report)["who"]?.assertions).toMatchObject([
      { expected: "bob", actual: "ann", status: "failed" },
    ])
  })

  it("shows how a request differs, which fails only with --strict", async () => {
    await project.edit(edited, (text) =>
      text
        .replace('"A-1"', '"A-2"')
        .replace('"query":{', '"query":{"size":"2",')
        .replace("Bearer {{", "Token {{"),
    )
    const lenient = await project.call(["replay", "r", "--json"])
    expect(lenient.exitCode).toBe(0)
    const { create, list } = blocksOf(lenient.report)
    expect(create?.requestDifference).toEqual([
      { what: "header", path: "authorization", recorded: "Bearer ***", now: "Token ***" },
      { what: "body", path: "sku", recorded: "A-1", now: "A-2" },
    ])
    expect(list?.requestDifference).toMatchObject([{ what: "url" }])
    const strict = await project.call(["replay", "r", "--json", "--strict"])
    expect(strict.exitCode).toBe(1)
    expect(blocksOf(strict.report)["create"]).toMatchObject({
      status: "failed",
      error: { code: "replay-different" },
    })
    const { stdout } = await project.call(["replay", "r"])
    expect(stdout).toContain('request body sku: recorded "A-1", now "A-2"')
  })

  it("fails a request that was never recorded", async () => {
    await project.edit(edited, (text) =>
      text.replace('"id":"big"', '"id":"new"').replace("big.resp", "new.resp"),
    )
    const { exitCode, report } = await project.call(["replay", "r", "--json"])
    expect(exitCode).toBe(1)
    expect(blocksOf(report)["new"]?.error).toMatchObject({
      code: "replay-missing",
      message: 'the record contains no response for "new" (run the workflow again with --record)',
    })
  })

  it("fails a poll that goes on longer than the recorded one", async () => {
    await project.edit(edited, (text) => text.replace('"value":"done"', '"value":"gone"'))
    const { report } = await project.call(["replay", "r", "--json"])
    expect(blocksOf(report)["poll"]?.iterations?.map(({ status }) => status)).toEqual([
      "passed",
      "passed",
      "passed",
      "failed",
    ])
    expect(blocksOf(report)["get"]?.error?.message).toContain('no response for "get" in iteration 3')
  })

  it("checks responses against the current document", async () => {
    await project.edit(edited, (text) => text.replace('"version":1', '"version":1,"validateContracts":true'))
    await project.edit("apis/shop/openapi.json", (text) => {
      const document = JSON.parse(text) as typeof shop
      const content = { "application/json": { schema: { required: ["total"] } } }
      Object.assign(document.paths["/orders"].post.responses, { 201: { description: "", content } })
      return JSON.stringify(document)
    })
    const { report } = await project.call(["replay", "r", "--json"])
    expect(blocksOf(report)["create"]?.contract).toMatchObject({
      status: "failed",
      problems: [{ path: "/body/total" }],
    })
  })
})

describe("a masked value", () => {
  beforeAll(async () => {
    await run(["masked", "--record=m"])
  })

  it("makes an assertion undecidable, unless the verdict doesn't depend on it", async () => {
    const { exitCode, report } = await project.call(["replay", "m", "--json"])
    const { secret, there, use, name, ...blocks } = blocksOf(report)
    expect(exitCode).toBe(1)
    expect(secret).toMatchObject({ status: "passed", assertions: [{ status: "undecidable" }] })
    expect(there?.assertions).toMatchObject([{ status: "passed" }])
    expect(blocks["other-part"]?.assertions).toMatchObject([{ status: "failed" }])
    expect(name?.status).toBe("skipped")
    expect(use?.requestDifference).toBeUndefined()
    const strict = await project.call(["replay", "m", "--json", "--strict"])
    expect(blocksOf(strict.report)["secret"]).toMatchObject({
      status: "failed",
      assertions: [{ status: "failed" }],
    })
  })

  it.each([
    [
      "condition",
      {
        type: "condition",
        if: { source: "token.response.body.token", operator: "equals", value: "x" },
        then: [],
      },
    ],
    [
      "until",
      {
        type: "loop",
        mode: "until",
        until: { source: "token.response.body.token", operator: "equals", value: "x" },
        blocks: [check("in", "token.response.status", 200)],
      },
    ],
    [
      "loop",
      {
        type: "loop",
        mode: "forEach",
        source: "token.response.body.token",
        blocks: [check("in", "token.response.status", 200)],
      },
    ],
  ])("ends the run with an error if a %s depends on it", async (_, block) => {
    const file = "apis/workflow/masked.json"
    const before = readFileSync(join(project.folder, file), "utf8")
    await project.edit(file, () =>
      JSON.stringify({
        version: 1,
        onFailure: "continue",
        blocks: [
          send("token", "getToken"),
          { id: "unsure", ...block },
          check("after", "token.response.status", 200),
        ],
      }),
    )
    const { exitCode, report, stderr } = await project.call(["replay", "m", "--json"])
    await project.edit(file, () => before)
    expect(exitCode).toBe(2)
    expect(report?.runs[0]).toMatchObject({ status: "error", error: { code: "replay-undecidable" } })
    expect(blocksOf(report)["after"]?.status).toBe("skipped")
    expect(stderr).toContain("depends on a value that is masked in the record (replay-undecidable)")
  })

  it("never shows a secret, wherever the files quote it", async () => {
    await project.edit("apis/workflow/masked.json", (text) =>
      text.replace('"ann"', `"${key}"`).replace('"id":"use"', `"id":"use","description":"sends ${key}"`),
    )
    for (const words of [["--json"], [], ["--strict"]]) {
      const { stdout, stderr } = await project.call(["replay", "m", ...words])
      expect(stdout + stderr).not.toContain(key)
    }
  })
})

describe("a record", () => {
  it("that is cut replays as far as it goes, and says so", async () => {
    await run(["everything", "rows", "--input=sku=x", "--record=r"])
    const lines = gunzipSync(readFileSync(join(project.folder, "r")))
      .toString()
      .split("\n")
    const until = lines.findIndex((line) => line.includes('"id":"poll"'))
    writeFileSync(join(project.folder, "cut"), gzipSync(`${lines.slice(0, until).join("\n")}\n`))
    const { exitCode, report, stderr } = await project.call(["replay", "cut", "--json"])
    expect(stderr).toContain('the record "cut" is incomplete: it ends after 0 runs')
    expect(stderr).toContain("not replayed, because the record doesn't contain them: rows")
    expect(blocksOf(report)["who"]?.status).toBe("passed")
    expect(blocksOf(report)["get"]?.error?.code).toBe("replay-missing")
    expect(exitCode).toBe(2)
  })

  it("that is cut doesn't pass, even if all requests in it do, and reports say so", async () => {
    await run(["rows", "--input=sku=x", "--record=r"])
    const lines = gunzipSync(readFileSync(join(project.folder, "r")))
      .toString()
      .split("\n")
    const until = lines.findIndex((line) => line.includes('"type":"run.finished"'))
    writeFileSync(join(project.folder, "cut"), gzipSync(`${lines.slice(0, until).join("\n")}\n`))
    const cut = 'the record "cut" is incomplete: it ends after 0 runs'
    const { exitCode, report } = await project.call(["replay", "cut", "--json"])
    expect([exitCode, report?.status, report?.runs.map(({ status }) => status)]).toEqual([
      2,
      "failed",
      ["passed"],
    ])
    expect(report?.warnings).toEqual([
      expect.objectContaining({ code: "record-invalid", message: expect.stringContaining(cut) as string }),
    ])
    expect((await project.call(["replay", "cut"])).stdout).toContain(cut)
  })

  it("replays only the workflows that are named, if it contains them", async () => {
    await run(["everything", "rows", "--input=sku=x", "--record=r"])
    const { report } = await project.call(["replay", "r", "rows", "--json"])
    expect(report?.runs.map(({ workflow }) => workflow)).toEqual(["rows"])
    const other = await project.call(["replay", "r", "down"])
    expect(other.exitCode).toBe(2)
    expect(other.stderr).toContain('the record "r" contains no run of "down"')
  })

  it("of version 1.0 replays, too", async () => {
    await run(["rows", "--input=sku=x", "--record=r"])
    const text = gunzipSync(readFileSync(join(project.folder, "r"))).toString()
    const old = text
      .replace(/"callsheetRecord":"1\.\d"/, '"callsheetRecord":"1.0"')
      .replace('"inputs":["sku"]', '"x":1')
      .replace(/,"recorded":\{"seed":\d+,/, ',"recorded":{"seed":1,')
    writeFileSync(join(project.folder, "old"), gzipSync(old))
    const { exitCode, report } = await project.call(["replay", "old", "--json"])
    expect(exitCode).toBe(0)
    expect(blocksOf(report)["create"]?.requestDifference).toMatchObject([{ what: "body", path: "id" }])
  })
})
