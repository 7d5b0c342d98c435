import { describe, expect, it } from "vitest"
import { TextEdit } from "./text-edit.ts"

const text = `{
  "blocks": [
    { "id": "a",   "request": {"api": "shop", "overrides": { "params": { "query": { "x": "1" } }, "body": {"n": 9007199254740993} } } }
  ]
}
`
const edit = () => new TextEdit(text, ["blocks", 0])

describe("edits of a form", () => {
  it("change one value and keep every other byte", () => {
    const edited = edit().set(["request", "overrides", "params", "query", "x"], "2").text
    expect(edited).toBe(text.replace('"x": "1"', '"x": "2"'))
  })

  it("remove objects that become empty, if that is requested", () => {
    const upTo = ["request", "overrides"]
    const once = edit().unset(["request", "overrides", "params", "query", "x"], upTo)
    expect(once.read(["request", "overrides"])).toEqual({ body: { n: 9007199254740993n } })
    expect(once.text).toContain('"body": {"n": 9007199254740993}')
    const twice = once.unset(["request", "overrides", "body", "n"], upTo)
    expect(twice.read(["request"])).toEqual({ api: "shop" })
    const other = edit().unset(["request", "overrides", "body", "n"])
    expect(other.read(["request", "overrides", "body"])).toEqual({})
  })

  it("change nothing in a text that doesn't parse", () => {
    expect(new TextEdit("{", []).set(["a"], 1).unset(["b"], []).text).toBe("{")
  })
})
