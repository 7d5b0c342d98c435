import { expect, it } from "vitest"
import type { ReadFile } from "@callsheet/format"
import { readAhead } from "./document-files.ts"

/** Returns which files are read for a document with this text, if `files` exist. */
function asked(text: string, files: Readonly<Record<string, string>> = {}, file = "apis/shop/openapi.json") {
  const paths: string[] = []
  const readFile: ReadFile = (path) => {
    paths.push(path)
    const found = files[path]
    return found === undefined
      ? {
          ok: false,
          problem: { code: "file-unreadable", message: "can't read the file: it does not exist" },
        }
      : { ok: true, value: { file: path, text: found } }
  }
  readAhead({ file, text }, readFile)
  return paths
}

it.each([
  [`{"$ref": "b.json#/B"}`, ["apis/shop/b.json"]],
  [`{"$ref" : "../b.json"}`, ["apis/b.json"]],
  [`a: {$ref: b.yaml}`, ["apis/shop/b.yaml"]],
  [`a:\n  $ref: './b.yaml#/B'\n`, ["apis/shop/b.yaml"]],
  [`a:\n  '$ref': ./b.yaml#/B\n`, ["apis/shop/b.yaml"]],
  [`{"$ref": "a%20b.json"}`, ["apis/shop/a b.json"]],
  [`[{"$ref": "b.json#/B"}, {"$ref": "b.json#/C"}]`, ["apis/shop/b.json"]],
  [`{"$ref": "#/components/schemas/A"}`, []],
  [`{"$ref": "https://example.com/b.json"}`, []],
  [`{"$ref": "../../../etc/passwd"}`, []],
  [`{"$ref": {"type": "string"}}`, []],
])("reads for %s the files %j", (text, paths) => {
  expect(asked(text)).toEqual(paths)
})

it("continues from file to file, and stops at a cycle", () => {
  const files = {
    "apis/shop/b.json": `{"$ref": "sub/c.yaml"}`,
    "apis/shop/sub/c.yaml": `a: {$ref: ../b.json}\nb: {$ref: d.json}`,
  }
  expect(asked(`{"$ref": "b.json"}`, files)).toEqual([
    "apis/shop/b.json",
    "apis/shop/sub/c.yaml",
    "apis/shop/sub/d.json",
  ])
})

it("reads no more files than the limit of a document", () => {
  const files = new Proxy<Record<string, string>>(
    {},
    { get: (_, path) => `{"$ref": "${Number(/(\d+)/.exec(String(path))?.[1] ?? 0) + 1}.json"}` },
  )
  expect(asked(`{"$ref": "0.json"}`, files)).toHaveLength(2000)
})

it.each([
  ["a file has a mark", `{"$ref": "b.json"}`, `{"format": "password"}`, true],
  ["a file has escaped words", `{"$ref": "b.json"}`, `{"format": "p\\u0061ssword"}`, true],
  ["a reference may be escaped", `{"$ref": "b.json", "\\u0024ref": "c.json"}`, "{}", true],
  ["no file has a mark", `{"$ref": "b.json", "format": "password"}`, `{"format": "date"}`, false],
])("reports whether other files may mark secrets: %s", (_, text, other, mayMarkSecrets) => {
  const readFile: ReadFile = (path) => ({ ok: true, value: { file: path, text: other } })
  expect(readAhead({ file: "a.json", text }, readFile)).toEqual({ mayMarkSecrets })
})
