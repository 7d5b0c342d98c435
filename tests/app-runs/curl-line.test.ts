// Row 6: a request as a curl command, read by a real shell, whatever its texts contain.

import { execFile } from "node:child_process"
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BodyType, JsonValue, RequestView } from "@callsheet/format"
import { curlLine } from "../../packages/web/src/runs/save/curl-line.ts"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "callsheet-curl-"))
  // Prints its arguments, each followed by a NUL, and its input.
  await writeFile(join(folder, "curl"), `#!/bin/sh\nprintf '%s\\0' "$@" >"$OUT"\ncat >"$OUT.in"\n`)
  await chmod(join(folder, "curl"), 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Called {
  readonly words: readonly string[]
  readonly input: string
}

/** The arguments that curl gets from a shell that runs the line. */
async function called(line: string): Promise<Called> {
  const out = join(folder, "out")
  const env = { PATH: `${folder}:${process.env["PATH"]}`, OUT: out }
  const running = promisify(execFile)("sh", ["-c", line], { env, cwd: folder })
  running.child.stdin?.end()
  await running
  const words = (await readFile(out, "utf8")).split("\0").slice(0, -1)
  return { words, input: await readFile(`${out}.in`, "utf8") }
}

const json = { "content-type": "application/json" }
const post = (body: JsonValue, headers: RequestView["headers"] = json): RequestView => ({
  method: "POST",
  url: "https://api.example/orders",
  headers: headers ?? {},
  body,
})

async function wordsOf(request: RequestView, type?: BodyType): Promise<readonly string[]> {
  const made = curlLine(request, type)
  if (made === undefined) throw new Error("no command")
  return (await called(made.line)).words
}

const nasty = [
  "it's",
  `"double" \`date\` $(date) $HOME \\ !!`,
  "two\nlines\tand a tab",
  "@file",
  "-o /tmp/x",
  "; rm -rf / #",
  "👍 ü \u202e",
  "&|<>*?[]{}~",
  "",
]

describe("a curl command", () => {
  it("has one argument per value", async () => {
    const request = { method: "PUT", url: "https://a.example/x?y=1&z=%27", headers: { accept: "text/html" } }
    expect(await wordsOf(request)).toEqual(["-X", "PUT", request.url, "-H", "accept: text/html"])
    expect(await wordsOf({ method: "GET", url: "https://a.example/" })).toEqual(["https://a.example/"])
    expect(await wordsOf({ method: "HEAD", url: "https://a.example/" })).toEqual([
      "--head",
      "https://a.example/",
    ])
    expect(await wordsOf({ method: "GET", url: "https://a.example/[a]" })).toContain("--globoff")
  })

  it("omits headers that curl adds by itself, and lets it decode", async () => {
    const headers = {
      host: "a.example",
      "content-length": "3",
      connection: "keep-alive",
      "accept-encoding": "gzip",
      "user-agent": "callsheet/1.0.0",
      "x-empty": "",
      "x-two": ["a", "b"],
    }
    expect(await wordsOf({ method: "GET", url: "https://a.example/", headers })).toEqual([
      "https://a.example/",
      "-H",
      "x-empty;",
      "-H",
      "x-two: a",
      "-H",
      "x-two: b",
      "--compressed",
    ])
  })

  it.each(nasty)("keeps every character of a text, a header and a method's body: %j", async (text) => {
    const words = await wordsOf(post(text, { "content-type": "text/plain", "x-note": text }), "text")
    expect(words.slice(-2)).toEqual(["--data-raw", text])
    expect(words).toContain(text === "" ? "x-note;" : `x-note: ${text}`)
    expect((await wordsOf(post({ text, list: [text] }))).at(-1)).toBe(JSON.stringify({ text, list: [text] }))
    expect(
      (await wordsOf(post({ [text]: text }, { "content-type": "multipart/form-data; boundary=x" }))).slice(1),
    ).toEqual(["--form-string", `${text}=${text}`])
  })

  it.each(["\u001b[201~\rreboot", "a\u0000b", "100%\u0007 \\ it's ü\u009b", "last line\r\n"])(
    "passes characters that a terminal may interpret as keys through curl's input: %j",
    async (text) => {
      const made = curlLine(post(text, { "content-type": "text/plain" }), "text")
      expect(made?.line).toMatch(/^[\x20-\x7e]*$/)
      const { words, input } = await called(made?.line ?? "")
      expect(words.slice(-2)).toEqual(["--data-binary", "@-"])
      expect(input).toBe(text)
    },
  )

  it("writes bodies as they were sent", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    expect((await wordsOf(post({ a: ["1", 2], b: "x y&z" }, form))).at(-1)).toBe("a=1&a=2&b=x+y%26z")
    expect((await wordsOf(post({ big: 12345678901234567890n }))).at(-1)).toBe(`{"big":12345678901234567890}`)
    expect((await wordsOf(post("plain"))).at(-1)).toBe(`"plain"`)
    expect((await wordsOf(post(`{"a": 1}`))).at(-1)).toBe(`{"a": 1}`)
    expect((await wordsOf(post(`{"a": 1}`), "json")).at(-1)).toBe(`"{\\"a\\": 1}"`)
    expect((await wordsOf(post("files/a b.pdf (12 bytes)", {}), "file")).slice(-4)).toEqual([
      "-H",
      "content-type:",
      "--data-binary",
      "@files/a b.pdf",
    ])
    expect(await wordsOf({ method: "GET", url: "https://a.example/", body: "x", headers: json })).toContain(
      "-X",
    )
  })

  it("writes the parts of a form, with files by their path, and leaves the boundary to curl", async () => {
    const multipart = { "content-type": "multipart/form-data; boundary=callsheet-1" }
    const body = {
      note: "@not a file",
      data: { a: `";'` },
      scan: { file: `in "it".pdf`, filename: "a;b", contentType: "application/pdf" },
      many: ["1", "2"],
    }
    expect(await wordsOf(post(body, multipart))).toEqual([
      "https://api.example/orders",
      "--form-string",
      "note=@not a file",
      "-F",
      `data="{\\"a\\":\\"\\\\\\";'\\"}";type=application/json`,
      "-F",
      `scan=@"in \\"it\\".pdf";filename="a;b";type=application/pdf`,
      "--form-string",
      "many=1",
      "--form-string",
      "many=2",
    ])
    expect(curlLine(post({ note: "\u001b" }, multipart))).toBeUndefined()
    expect(curlLine(post("no form", multipart))).toBeUndefined()
  })

  it("says whether secrets are missing", () => {
    expect(curlLine(post({ a: 1 }))?.hasSecrets).toBe(false)
    expect(curlLine(post({ a: "***" }))?.hasSecrets).toBe(true)
    expect(curlLine(post({}, { ...json, authorization: "Bearer ***" }))?.hasSecrets).toBe(true)
  })
})
