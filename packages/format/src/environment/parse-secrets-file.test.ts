import { parse } from "dotenv"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createLineFinder } from "../source.ts"
import { parseSecretsFile } from "./parse-secrets-file.ts"

const values = (text: string): [string, string][] =>
  parseSecretsFile(text).entries.map(({ name, value }) => [name, value])
const codes = (text: string) =>
  parseSecretsFile(text).findings.map(({ code, offset }) => [code, createLineFinder(text)(offset).line])
const asDotenv = (text: string) => Object.fromEntries(values(text))

// Fragments that hit the corner cases of the dialect far more often than random characters do.
const pieces = "' \" ` # \\ = : - . a b R é export A= \\n \\r \\' \\\"".split(" ")
const blanks = [" ", "\t", "\n", "\r\n", "\r", "\u00a0", "\v", "\n\n", " #", "export ", "b =", "c: "]
const piece = fc.constantFrom(...pieces, ...blanks)
const joined = (maxLength: number) => fc.array(piece, { maxLength }).map((parts) => parts.join(""))
// Half of the texts are assignments, most of them quoted, because the corner cases are about quotes.
const assignment = fc
  .tuple(
    fc.constantFrom("a=", "export b = ", "c: "),
    fc.constantFrom("'", '"', "`", ""),
    joined(6),
    joined(2),
  )
  .map(([name, quote, content, rest]) => `${name}${quote}${content}${quote}${rest}\n`)
const dotenvText = fc.oneof(
  joined(40),
  fc.array(assignment, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("")),
)

describe("parseSecretsFile", () => {
  it("reads any text as the dotenv package does", () => {
    fc.assert(
      fc.property(dotenvText, (text) => {
        expect(asDotenv(text)).toEqual({ ...parse(text) })
      }),
      { numRuns: 5_000 },
    )
  })

  it("reads random characters as the dotenv package does, unless it reports a problem", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        if (parseSecretsFile(text).findings.length === 0) expect(asDotenv(text)).toEqual({ ...parse(text) })
      }),
      { numRuns: 5_000 },
    )
  })

  it("returns the position of each assignment and its value, so that a writer can replace them", () => {
    fc.assert(
      fc.property(dotenvText, (text) => {
        let last = 0
        for (const entry of parseSecretsFile(text).entries) {
          expect(entry.start).toBeGreaterThanOrEqual(last)
          expect(text.slice(entry.nameStart).startsWith(entry.name)).toBe(true)
          expect(entry.line).toBe(createLineFinder(text)(entry.nameStart).line)
          // dotenv reads the raw text of the value as the same value.
          expect(asDotenv(`x=${text.slice(entry.valueStart, entry.valueEnd)}`)["x"]).toBe(entry.value)
          expect(entry.end).toBeGreaterThanOrEqual(entry.valueEnd)
          last = entry.end
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it("reads export, comments, three kinds of quotes and multi-line values", () => {
    const text = [
      "# a comment",
      "export apiKey=abc # theirs",
      "single='a # \"b\" \\n'",
      'double="line\\nnext"',
      "tick=`it's`",
      'pem="-----BEGIN',
      "MII=",
      '-----END"',
      "colon: yes",
      `two="a" "b"`,
      `escaped="say \\"#1\\""`,
      "last='a\\'",
      "empty=",
    ].join("\r\n")
    expect(values(text)).toEqual([
      ["apiKey", "abc"],
      ["single", 'a # "b" \\n'],
      ["double", "line\nnext"],
      ["tick", "it's"],
      ["pem", "-----BEGIN\nMII=\n-----END"],
      ["colon", "yes"],
      ["two", 'a" "b'],
      ["escaped", 'say \\"#1\\"'],
      ["last", "a\\"],
      ["empty", ""],
    ])
    expect(parseSecretsFile(text).findings).toEqual([])
  })

  it("returns the spans of an assignment and of its value", () => {
    const text = "\n  export key = 'v' # note\nnext=1"
    const [entry] = parseSecretsFile(text).entries
    expect(entry).toMatchObject({ name: "key", value: "v", line: 2, quote: "'" })
    expect(text.slice(entry!.start, entry!.end)).toBe("export key = 'v' # note")
    expect(text.slice(entry!.valueStart, entry!.valueEnd)).toBe("'v'")
  })

  it("accepts names of Object's own properties", () => {
    expect(values("__proto__=1\nconstructor=2")).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ])
  })

  it("reports a block of lines without assignments once, and never quotes them", () => {
    const text = "a=1\nS3CRET one\nS3CRET two\n\n=S3CRET\nmy key=S3CRET\n# fine\nb=2"
    expect(codes(text)).toEqual([
      ["dotenv-syntax", 2],
      ["dotenv-syntax", 5],
    ])
    expect(JSON.stringify(parseSecretsFile(text).findings)).not.toContain("S3CRET")
    expect(values(text)).toEqual([
      ["a", "1"],
      ["b", "2"],
    ])
  })

  it("reports a name and a value on different lines, where dotenv drops the second line", () => {
    expect(codes("a\n=b")).toEqual([["dotenv-syntax", 1]])
    expect(codes("a:\nb=c")).toEqual([["dotenv-syntax", 1]])
    expect(asDotenv("a:\r\nb=c")).toEqual({ ...parse("a:\r\nb=c") })
    expect(codes("a=\n'b'")).toEqual([["dotenv-syntax", 1]])
    expect(codes("a=\nb=c")).toEqual([])
  })

  it("warns about an unclosed quote and about a # that cuts a value short", () => {
    const findings = parseSecretsFile("a=\"open\nb=pass#word\nc=pass #word\nd='pass#word'\ne=#f").findings
    expect(findings.map(({ severity, offset }) => [severity, offset])).toEqual([
      ["warning", 2],
      ["warning", 14],
      ["warning", 49],
    ])
  })

  it("rejects NUL characters and unquoted line separators", () => {
    expect(codes("a=x\0")).toEqual([["dotenv-syntax", 1]])
    expect(codes("a=x\u2028B=c")).toEqual([["dotenv-syntax", 1]])
    expect(codes("a='x\u2028y'")).toEqual([])
  })

  it("ignores the content of a file with conflict markers", () => {
    const text = "a=1\n<<<<<<< HEAD\nb=2\n=======\nb=3\n>>>>>>> other\n"
    expect(parseSecretsFile(text)).toMatchObject({
      entries: [],
      findings: [{ code: "file-conflict", offset: 4 }],
    })
    expect(values("a='\n=======\n'")).toHaveLength(1)
  })

  it("reads a megabyte of any input in linear time", () => {
    const size = 1_000_000
    const texts = [
      "'",
      '"',
      "a='",
      'a="\\"\n',
      "\\",
      "\n",
      "a\n",
      " ",
      "export ",
      "=",
      "a=#",
      "a='\n",
      "\u2028",
    ].map((part) => part.repeat(size / part.length))
    for (const text of [...texts, `a=${"'\\'".repeat(size / 3)}`, `a='${"\\' ".repeat(size / 3)}`]) {
      const start = performance.now()
      parseSecretsFile(text)
      expect(performance.now() - start).toBeLessThan(2_000)
    }
  })
})
