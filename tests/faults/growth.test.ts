// Text from outside takes time in proportion to its length, however it repeats. Before, most of these took over 20 seconds.

import { describe, expect, it } from "vitest"
import { parsePath, parseTemplate, readRows, urlCredentials } from "@callsheet/format"
import { parsePathTemplate, readBaseUrl } from "@callsheet/openapi"
import {
  encodeLiteral,
  encodeReserved,
  encodeReservedInPath,
} from "../../packages/openapi/src/request/percent.ts"

const COUNT = 50_000
/** Linear code takes a tenth of this on an idle machine. */
const MAX_MS = 8_000

const inputs = {
  declarations: { a: { type: "string" as const }, b: { type: "number" as const } },
  given: new Set<string>(),
}

/** Reads a data file in chunks, as a run does. Returns the number of rows and problems. */
function read(file: string, text: string): number {
  const bytes = new TextEncoder().encode(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
    bytes.subarray(at * 65_536, (at + 1) * 65_536),
  )
  return [...readRows(file, chunks, inputs)].length
}

const each = (make: (at: number) => string, separator = ","): string =>
  Array.from({ length: COUNT }, (_, at) => make(at)).join(separator)

const within = (action: () => unknown): unknown => {
  const started = performance.now()
  const result = action()
  expect(performance.now() - started).toBeLessThan(MAX_MS)
  return result
}

describe("a data file", () => {
  it.each<readonly [string, string, string, number]>([
    ["unknown columns", "a.csv", `${each((at) => `c${at}`)}\n1\n`, COUNT + 1],
    ["one column again and again", "a.csv", `${each(() => "a")}\n1\n`, COUNT],
    ["columns without a name", "a.csv", `${each(() => "")}\n1\n`, COUNT + 1],
    ["wide rows", "a.csv", `a,b\n${`${each(() => "1")}\n`.repeat(10)}`, 10],
    ["rows with a wrong cell", "a.csv", `a,b\n${each(() => "x,y", "\n")}`, COUNT],
    ["rows with a wrong cell, and CR", "a.csv", `a,b\r${each(() => "x,y", "\r")}`, COUNT],
    ["one long cell", "a.csv", `a,b\n"${'""'.repeat(50 * COUNT)}",1\n`, 1],
    ["unknown fields in one object", "a.json", `[{${each((at) => `"c${at}":1`)}}]`, COUNT],
    ["unknown fields in many objects", "a.json", `[${each((at) => `{"c${at}":1}`)}]`, COUNT],
    ["fields of a wrong type", "a.json", `[${each(() => '{"b":"x"}')}]`, COUNT],
    ["deep arrays", "a.json", `[{"a":${"[".repeat(COUNT)}${"]".repeat(COUNT)}}]`, 1],
    ["lines that are not JSON", "a.ndjson", each(() => "x", "\n"), COUNT],
    ["blank lines", "a.ndjson", `${"\n".repeat(10 * COUNT)}x`, 1],
    ["blank lines with spaces and CR", "a.ndjson", `${" \r\n".repeat(5 * COUNT)}x`, 1],
    ["one long line", "a.ndjson", `{"a":"${"x".repeat(100 * COUNT)}"}`, 1],
  ])("with %s is read in time", { timeout: 60_000 }, (_, file, text, expected) => {
    expect(within(() => read(file, text))).toBeGreaterThanOrEqual(expected === 1 ? 1 : expected)
  })

  it("has the right position for each problem of a long row and of the rows after it", () => {
    const text = `a,b,c\n1,x\n${"2,y,1\n".repeat(30_000)}`
    const chunks = [new TextEncoder().encode(text)]
    const last = [...readRows("a.csv", chunks, inputs)].at(-1)
    expect(last).toMatchObject({ ok: false, problem: { line: 30_002, column: 3 } })
  })
})

describe("a text", () => {
  const repeated: readonly (readonly [string, string])[] = [
    "{{",
    "{{a}}",
    "}}",
    "{",
    "\\",
    "\\{{",
    "%",
    "%2",
    "%25",
    "a[",
    "[0]",
    '["',
    '\\"',
    "/",
    "://",
    "@",
    "a:",
    " ",
    "\n",
    "?",
    ".a",
  ].map((part) => [part, part.repeat(400_000 / part.length)])

  it.each(repeated)("of 400 KB that repeats %j is read in time", { timeout: 60_000 }, (_, text) => {
    within(() => {
      parseTemplate(text)
      parsePath(text)
      parsePath(`a[${JSON.stringify(text)}]`)
      readBaseUrl(`http://${text}`)
      parsePathTemplate(text)
      urlCredentials(`http://a:b${text}@host`)
      urlCredentials(text)
      for (const encode of [encodeLiteral, encodeReserved, encodeReservedInPath]) encode(text)
    })
  })

  it("of 400 KB before an @ is a credential", () => {
    const user = "é".repeat(200_000)
    expect(urlCredentials(`http://${user}@host`)[0]).toBe(user)
  })
})
