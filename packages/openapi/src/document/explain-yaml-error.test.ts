import { describe, expect, it } from "vitest"
import { formatProblem } from "@callsheet/format"
import { explainYamlError } from "./explain-yaml-error.ts"
import { readDocument } from "./read-document.ts"

const saidOf = async (lines: string): Promise<string> => {
  const text = `openapi: 3.0.3\ninfo:\n  title: t\n  version: '1'\n${lines}\npaths: {}\n`
  const { problems } = await readDocument({ file: "a.yaml", text })
  return problems.map((problem) => `${formatProblem(problem)} hint: ${problem.hint}`).join("\n")
}

describe("a YAML file that can't be parsed", () => {
  it.each<readonly [lines: string, place: string, message: string, hint: string]>([
    ["  description: Note: see below", "5:20", "contains a colon", `description: "Note: see below"`],
    ["tags:\n  - summary: Returns: the list", "6:21", "contains a colon", `summary: "Returns: the list"`],
    ["  url: http://a:80/b: c", "5:21", "contains a colon", `url: "http://a:80/b: c"`],
    ["  pattern: ^\\d+: x$", "5:16", "contains a colon", `pattern: '^\\d+: x$'`],
    ["  description: @see the docs", "5:16", "starts with @", `description: "@see the docs"`],
    ["  description: `code` is text", "5:16", "starts with `", 'description: "`code` is text"'],
    ["  description: %done", "5:16", "starts with %", `"%done"`],
    ["  description: *bold* text", "5:23", "starts with *", `"*bold* text"`],
    ["  description: {id} of the order", "5:21", "starts with {", `"{id} of the order"`],
    ["  description: [beta] lists", "5:23", "starts with [", `"[beta] lists"`],
    ["  pattern: [a-z]+", "5:17", "starts with [", `pattern: "[a-z]+"`],
    [`  description: "A" and more`, "5:20", `after the closing "`, `description: '"A" and more'`],
    ["  description: 'it's here'", "5:20", "after the closing '", `description: "'it's here'"`],
    [
      "  description: > folded text",
      "5:18",
      "after > must start on the next line",
      `description: "folded text"`,
    ],
    [`  pattern: "^\\d+$"`, "5:15", "\\d means nothing in double quotes", `pattern: '^\\d+$'`],
    ["  a:\n\tb: 1", "6:1", "no tabs", "indent with spaces"],
    ["  summary:List\n  b: 1", "6:4", "needs a blank after its colon", "summary:List"],
  ])("because of %j says what to write", async (lines, place, message, hint) => {
    const said = await saidOf(lines)
    expect(said).toContain(`a.yaml:${place}: `)
    expect(said).toContain(message)
    expect(said).toContain(hint)
    expect(said).toContain("(yaml-syntax)")
  })

  it.each<readonly [lines: string, message: string]>([
    ["  a: 1\n   b: 2", "bad indentation of a mapping entry"],
    ["  description: text\n    more: text", "bad indentation of a mapping entry"],
    ["  a: 1\n  a: 2", "duplicate key"],
    ["  a: [1, 2", "deficient indentation"],
    ["  a: [b, c: d: e]", "missed comma between flow collection entries"],
  ])("because of %j has the parser's reason", async (lines, message) => {
    expect(await saidOf(lines)).toContain(message)
  })

  it("has a short hint for a long line", async () => {
    const said = await saidOf(`  description: Note: ${"long ".repeat(10_000)}`)
    expect(said).toContain("contains a colon")
    expect(said.length).toBeLessThan(300)
  })

  it("takes linear time for a long line of hyphens", () => {
    const line = "- ".repeat(200_000)
    const reason = "bad indentation of a mapping entry"
    expect(explainYamlError(line, { reason, position: line.length - 1 })).toMatchObject({ message: reason })
  })
})
