import { describe, expect, it } from "vitest"
import { CallsheetError } from "@callsheet/format"
import { reportError } from "./report-error.ts"
import { plain, type Output } from "./screen.ts"

function report(error: unknown, debug = false): string {
  let text = ""
  const output: Output = {
    write: (more) => void (text += more),
    isTerminal: false,
    isLive: false,
    columns: () => 80,
    style: plain,
  }
  expect(reportError(error, { output, debug })).toBe(2)
  return text
}

describe("reportError", () => {
  it("reports what was misused and what to do", () => {
    const error = new CallsheetError({
      code: "usage",
      message: "no such thing",
      hint: 'did you mean "that"?',
    })
    expect(report(error)).toBe('no such thing (usage)\n  hint: did you mean "that"?\n')
  })

  it("lists all problems, each with its position", () => {
    const problems = [
      { code: "field-type", severity: "error", message: "a", file: "apis/x.json", line: 4, column: 3 },
      { code: "level-unset", severity: "warning", message: "b\u001b[2J", file: "apis/y.json", hint: "c" },
    ] as const
    expect(report(new CallsheetError({ code: "usage", message: "two" }, { problems }))).toBe(
      "apis/x.json:4:3: a (field-type)\nwarning: apis/y.json: b\\u001b[2J (level-unset)\n  hint: c\n",
    )
  })

  it("asks in one line to report a bug", () => {
    expect(report(new TypeError("x is not a function"))).toBe(
      "this is a bug in callsheet (TypeError): please report it, and include the output of the same command with --debug\n",
    )
    expect(report(null)).toContain("a bug in callsheet (object)")
  })

  it("shows a stack under --debug, and no message that may quote a value", () => {
    const quoting = Object.assign(new TypeError("Invalid URL: S3CRET"), { code: "ERR_INVALID_URL" })
    const ofTheEngine = new TypeError("Cannot use 'in' operator to search for 'a' in S3CRET")
    const ofLines = new RangeError("a\n    at S3CRET")
    const errors = [quoting, ofTheEngine, ofLines, new SyntaxError("Unexpected token S3CRET")]
    for (const error of [...errors, new Error("S3CRET")]) {
      expect(report(error, true)).toMatch(/\n +at /)
      expect(report(error, true)).not.toContain("S3CRET")
    }
  })
})
