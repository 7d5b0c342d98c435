// Long values: a failure shows where they differ, and what a server says about its error.

import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startApi, type Answer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { assert, echo, runBlocks, shopFiles } from "./shop-project.ts"

interface Outputs {
  readonly pretty: string
  readonly junit: string
  readonly github: string
  readonly html: string
}

/** Runs an assertion on a response with every reporter that people read, without one that needs whole values. */
async function outputsOf(answer: Answer, [source, value]: readonly [string, unknown]): Promise<Outputs> {
  const api = await startApi({ "GET /echo": answer })
  const folder = await createFolder(
    shopFiles(api.url, [echo("get"), assert("check", [source, "equals", value])]),
  )
  try {
    const files = ["junit=out/junit.xml", "html=out/report.html", "github"]
    const words = ["run", "w", "--reporter", "pretty", ...files.flatMap((file) => ["--reporter", file])]
    const { exitCode, stdout, stderr } = await callsheet(words, {
      folder,
      env: { GITHUB_WORKSPACE: folder },
    })
    expect(exitCode, stderr).toBe(1)
    const at = stdout.indexOf("::error")
    return {
      pretty: stdout.slice(0, at),
      github: decodeURIComponent(stdout.slice(at).replaceAll("%25", "%2525")),
      junit: unescape(await readFile(join(folder, "out/junit.xml"), "utf8")),
      html: unescape(
        (await readFile(join(folder, "out/report.html"), "utf8")).replaceAll(/<style>.*?<\/style>/gs, ""),
      ),
    }
  } finally {
    await api.close()
    await rm(folder, { recursive: true })
  }
}

const unescape = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(" ")

const text = words(1200)
const changed = (from: string, to: string): string => text.replace(from, to)

const items = (count: number, price: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => ({ id: index, price: price(index) }))

describe("two long values", () => {
  it.each<[string, Answer, readonly [string, unknown], readonly [string, string]]>([
    ["at their end", { body: { t: text } }, ["get.response.body.t", `${text}!`], ['word1199"', 'word1199!"']],
    [
      "at their start",
      { body: { t: `A${text}` } },
      ["get.response.body.t", `B${text}`],
      ['"Aword0', '"Bword0'],
    ],
    [
      "in the middle",
      { body: { t: text } },
      ["get.response.body.t", changed("word600 ", "WORD600 ")],
      ["word600 ", "WORD600 "],
    ],
    [
      "beyond the limit of excerpts",
      { body: { t: words(9000) } },
      ["get.response.body.t", words(9000).replace("word8000 ", "WORD8000 ")],
      ["word8000 ", "WORD8000 "],
    ],
    [
      "by a word that only one has",
      { body: { t: text } },
      ["get.response.body.t", changed("word700 ", "")],
      ["word699 word700 word701", "word699 word701"],
    ],
    [
      "in a text body",
      { headers: { "content-type": "text/plain" }, body: text },
      ["get.response.body", changed("word800", "w800")],
      ["word799 word800", "word799 w800"],
    ],
    [
      "in a header",
      { headers: { "x-long": text }, body: {} },
      ['get.response.headers["x-long"]', changed("word500 ", "w500 ")],
      ["word499 word500 ", "word499 w500 "],
    ],
    [
      "in a member of an object",
      { body: { a: { t: text, n: 1 } } },
      ["get.response.body", { a: { t: changed("word900 ", "w900 "), n: 1 } }],
      ["word899 word900 ", "word899 w900 "],
    ],
    [
      "in a late item of a long list",
      { body: items(3000, () => 1) },
      ["get.response.body", items(3000, (index) => (index === 2900 ? 1234 : 1))],
      ["[2900].price", "1234"],
    ],
    [
      "by an item at the end of a long list",
      { body: items(700, () => 1) },
      ["get.response.body", items(701, () => 1)],
      ["[700]", "nothing"],
    ],
    [
      "by a kind of item",
      { body: items(800, () => 1) },
      ["get.response.body", items(800, (index) => (index === 790 ? "1" : 1))],
      ["[790].price", '"1"'],
    ],
  ])("show how they differ %s", async (_, answer, check, parts) => {
    const outputs = await outputsOf(answer, check)
    for (const [name, output] of Object.entries(outputs))
      for (const part of parts) expect(output, name).toContain(part)
  })

  it.each([
    ["a no-break space", "a b", "a\u00a0b", "\\u00a0"],
    ["a zero-width space", "ab", "a\u200bb", "\\u200b"],
    ["a letter in two code points", "caf\u00e9", "cafe\u0301", "\\u0301"],
    ["a soft hyphen", "ab", "a\u00adb", "\\u00ad"],
    ["a wide space", "a b", "a\u3000b", "\\u3000"],
    ["a variation selector", "\u2764", "\u2764\ufe0f", "\\ufe0f"],
  ])("show %s that looks the same", async (_, expected, received, part) => {
    const outputs = await outputsOf({ body: { t: received } }, ["get.response.body.t", expected])
    for (const [name, output] of Object.entries(outputs)) expect(output, name).toContain(part)
  })
})

it.each([
  ["a text", { t: `${words(90)} pending` }, "get.response.body.t", `${words(90)} done`],
  ["an object", { t: words(90), state: "pending" }, "get.response.body", { t: words(90), state: "done" }],
])("a loop that waits for %s shows how the last one differs", async (_, body, source, value) => {
  const until = { source, operator: "equals", value }
  const loop = { id: "poll", type: "loop", mode: "until", until, maxIterations: 2, blocks: [echo("get")] }
  const { block } = await runBlocks([loop], { routes: { "GET /echo": { body } } })
  expect(block("poll").error?.message).toMatch(/done.*pending/s)
})

describe("the text of an error", () => {
  const error = `The order was refused because ${words(60)}, says the ledger.`
  const traces = Array.from({ length: 900 }, (_, index) => `at Frame${index}`)

  it.each<[string, Answer]>([
    ["in a message", { status: 400, body: { message: error } }],
    ["in a nested error", { status: 422, body: { error: { code: 17, detail: error } } }],
    ["in a list of errors", { status: 422, body: { errors: [{ field: "a", message: error }] } }],
    ["after a long list", { status: 500, body: { trace: traces, message: error } }],
    ["in an error after a long list", { status: 500, body: { trace: traces, error: { message: error } } }],
    ["as text", { status: 503, headers: { "content-type": "text/plain" }, body: error }],
    [
      "of problem details",
      {
        status: 409,
        headers: { "content-type": "application/problem+json" },
        body: JSON.stringify({ title: "Refused", detail: error }),
      },
    ],
    ["in a response with status 200", { status: 200, body: { data: null, errors: [{ message: error }] } }],
  ])("is shown whole %s", async (_, answer) => {
    const { pretty, junit, html } = await outputsOf(answer, ["get.response.status", 201])
    for (const [name, output] of Object.entries({ pretty, junit, html }))
      expect(output, name).toContain(error)
  })
})
