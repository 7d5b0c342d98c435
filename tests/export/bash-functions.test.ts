// The functions of an exported bash script: bash evaluates no text in them.

import { beforeAll, describe, expect, it } from "vitest"
import { exportFrom, projectWith } from "./export-from.ts"
import { hostileFiles } from "./hostile-script.ts"

const id = "{{first.response.body.list[0].id}}"

/** A request that needs every function. */
const later = {
  params: {
    query: { id, time: "{{$uuid}}" },
    header: { "X-Id": id, "X-Trace": "{{first.response.headers.x-trace}}" },
    cookie: { sid: id },
  },
  bodyType: "multipart",
  body: { text: id, json: { n: id } },
}

let script = ""
beforeAll(async () => {
  const folder = await projectWith(hostileFiles("http://127.0.0.1:1", { later }))
  const exported = await exportFrom(folder, ["hostile", "--to", "curl"])
  script = exported.text
})

const matches = (pattern: RegExp): readonly string[] =>
  [...script.matchAll(pattern)].map(([, found = ""]) => found)

/** The variables that contain only numbers, because every assignment of them writes one. */
const numbers = ["at", "code", "low", "RANDOM"]

describe("the functions of an exported script", () => {
  it("are all in this script", () => {
    for (const name of ["stop", "send", "encode", "take", "read_json", "unquote", "utf8", "pick", "uuid"])
      expect(script).toContain(`\n${name}() {`)
  })

  it("calculate only with numbers", () => {
    const arithmetic = matches(/\(\(([^\n]*?)\)\)/g)
    expect(arithmetic.length).toBeGreaterThan(15)
    for (const expression of arithmetic) {
      const plain = expression.replaceAll(/\$\{#text\}|\$#/g, "0")
      expect(plain).not.toMatch(/[$`"'[\]{}]/)
      for (const [name] of plain.matchAll(/[A-Za-z_]\w*/g)) expect(numbers).toContain(name)
    }
  })

  it("assign only numbers to what they calculate with", () => {
    for (const name of numbers) {
      for (const value of matches(new RegExp(`\\b${name}\\+?=(?!=)(\\S*)`, "g")))
        expect(value).toMatch(/^(?:\d|\$\(\()/)
      for (const format of matches(new RegExp(`printf -v ${name} (\\S+)`, "g"))) expect(format).toBe("%d")
      expect(script).not.toMatch(new RegExp(`\\b(?:read|for) (?:-r )?${name}\\b(?! =)`))
    }
  })

  it("cut texts and read arrays only at numbers", () => {
    const withoutLengths = script.replaceAll(/\$\{#[^}]*\}/g, "0")
    const offsets = [...withoutLengths.matchAll(/\$\{\w+(?:\[[^\]]*\])?:([^-?=+}][^}]*)\}/g)]
    expect(offsets.length).toBeGreaterThan(3)
    for (const [, offset] of offsets) expect(offset).toMatch(/^(?:\d+|at:1)$/)
    for (const subscript of matches(/[{\w]\w*\[([^\]]*)\][}:]/g)) expect(subscript).toMatch(/^\d+$/)
  })

  it("use nothing else that evaluates text", () => {
    expect(script).not.toMatch(/\b(?:eval|source|let|declare|typeset|exec|trap|alias|unset)\b/)
    expect(script).not.toMatch(
      /\$\{!|\$\[|\[\[ -v|-(?:eq|ne|lt|le|gt|ge)\b|local -[a-z]|printf -v ["$]|read (?:-r )?["$]|@[PEA]\}/,
    )
  })
})
