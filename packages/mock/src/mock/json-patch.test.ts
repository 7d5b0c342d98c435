import { expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { applyJsonPatch, applyMergePatch } from "./json-patch.ts"

/** The examples of RFC 6902, appendix A, and values at its edges. */
it.each<[claim: string, value: JsonValue, patch: JsonValue, result: JsonValue]>([
  ["adds a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
  [
    "adds an item",
    { foo: ["bar", "baz"] },
    [{ op: "add", path: "/foo/1", value: "qux" }],
    { foo: ["bar", "qux", "baz"] },
  ],
  ["removes a member", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
  [
    "removes an item",
    { foo: ["bar", "qux", "baz"] },
    [{ op: "remove", path: "/foo/1" }],
    { foo: ["bar", "baz"] },
  ],
  [
    "replaces a value",
    { baz: "qux", foo: "bar" },
    [{ op: "replace", path: "/baz", value: "boo" }],
    { baz: "boo", foo: "bar" },
  ],
  [
    "moves a value",
    { foo: { bar: "baz", waldo: "fred" }, qux: { color: "gray" } },
    [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    { foo: { bar: "baz" }, qux: { color: "gray", thud: "fred" } },
  ],
  [
    "moves an item",
    { foo: ["all", "grass", "cows", "eat"] },
    [{ op: "move", from: "/foo/1", path: "/foo/3" }],
    { foo: ["all", "cows", "eat", "grass"] },
  ],
  [
    "tests values",
    { baz: "qux", foo: ["a", 2, "c"] },
    [
      { op: "test", path: "/baz", value: "qux" },
      { op: "test", path: "/foo/1", value: 2 },
    ],
    { baz: "qux", foo: ["a", 2, "c"] },
  ],
  [
    "adds an object",
    { foo: "bar" },
    [{ op: "add", path: "/child", value: { grandchild: {} } }],
    { foo: "bar", child: { grandchild: {} } },
  ],
  [
    "ignores other members",
    { foo: "bar" },
    [{ op: "add", path: "/baz", value: "qux", xyz: 123 }],
    { foo: "bar", baz: "qux" },
  ],
  [
    "reads escapes",
    { "/": 9, "~1": 10 },
    [
      { op: "test", path: "/~01", value: 10 },
      { op: "remove", path: "/~1" },
    ],
    { "~1": 10 },
  ],
  [
    "appends an item",
    { foo: ["bar"] },
    [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
    { foo: ["bar", ["abc", "def"]] },
  ],
  [
    "replaces the whole value",
    { foo: 1 },
    [{ op: "replace", path: "", value: { bar: null } }],
    { bar: null },
  ],
  [
    "replaces null",
    { foo: null },
    [
      { op: "test", path: "/foo", value: null },
      { op: "replace", path: "/foo", value: 1 },
    ],
    { foo: 1 },
  ],
  [
    "copies a value, and changes only the copy",
    { a: { b: 1 } },
    [
      { op: "copy", from: "/a", path: "/c" },
      { op: "replace", path: "/c/b", value: 2 },
    ],
    { a: { b: 1 }, c: { b: 2 } },
  ],
  ["has no special names", {}, [{ op: "add", path: "/constructor", value: 1 }], { constructor: 1 }],
])("JSON Patch %s", (_, value, patch, result) => {
  const before = JSON.stringify(value)
  expect(applyJsonPatch(value, patch)).toEqual({ ok: true, value: result })
  expect(JSON.stringify(value)).toBe(before)
})

it.each<[fault: string, at: number, value: JsonValue, patch: JsonValue]>([
  ["different", 0, { baz: "qux" }, [{ op: "test", path: "/baz", value: "bar" }]],
  ["different", 0, { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }]],
  ["missing", 0, { foo: "bar" }, [{ op: "add", path: "/baz/bat", value: "qux" }]],
  [
    "missing",
    1,
    { a: 1 },
    [
      { op: "remove", path: "/a" },
      { op: "remove", path: "/a" },
    ],
  ],
  ["missing", 0, { a: 1 }, [{ op: "replace", path: "/b", value: 1 }]],
  ["missing", 0, { a: [1] }, [{ op: "add", path: "/a/2", value: 1 }]],
  ["missing", 0, { a: [1] }, [{ op: "replace", path: "/a/-", value: 1 }]],
  ["missing", 0, { a: [1] }, [{ op: "remove", path: "/a/01" }]],
  ["missing", 0, { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }]],
  ["missing", 0, {}, [{ op: "copy", from: "/toString", path: "/a" }]],
  ["missing", 0, {}, [{ op: "add", path: "/__proto__/polluted", value: 1 }]],
  ["invalid", 0, {}, { op: "add", path: "/a", value: 1 }],
  ["invalid", 0, {}, [null]],
  ["invalid", 0, {}, [{ op: "__proto__", path: "/a", value: 1 }]],
  ["invalid", 0, {}, [{ op: "add", path: "/a" }]],
  ["invalid", 0, {}, [{ op: "add", path: "a", value: 1 }]],
  ["invalid", 0, {}, [{ op: "add", path: "/~2", value: 1 }]],
  ["invalid", 0, {}, [{ op: "move", path: "/a" }]],
])("JSON Patch is %s at operation %i: %j %j", (fault, at, value, patch) => {
  expect(applyJsonPatch(value, patch)).toMatchObject({ ok: false, fault, at })
})

it("JSON Patch can't make a value of any size", () => {
  const doubles = Array.from({ length: 60 }, (_, at) => ({ op: "copy", from: "", path: `/${at}` }))
  expect(applyJsonPatch({ a: "x".repeat(100) }, doubles)).toMatchObject({ ok: false, fault: "too-large" })
  const shifts = Array.from({ length: 1_000 }, () => ({ op: "add", path: "/a/0", value: 0 }))
  const list = Array.from({ length: 100_000 }, () => 0)
  expect(applyJsonPatch({ a: list }, shifts)).toMatchObject({ ok: false, fault: "too-large" })
})

/** The examples of RFC 7396, appendix A, whose values are objects. */
it.each<[value: object, patch: object, result: object]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("a merge patch changes %j by %j to %j", (value, patch, result) => {
  const before = JSON.stringify(value)
  expect(applyMergePatch(value as Record<string, JsonValue>, patch as Record<string, JsonValue>)).toEqual(
    result,
  )
  expect(JSON.stringify(value)).toBe(before)
})
