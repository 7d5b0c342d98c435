import { expect, it } from "vitest"
import { type Files, readerOf } from "../testing/problems-in.ts"
import { readAhead } from "./document-files.ts"

/** Returns which files are read for a document with this text, if `files` exist. */
function asked(text: string, files: Files = {}) {
  const paths: string[] = []
  readAhead({ file: "apis/shop/openapi.json", text }, readerOf(files, paths))
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
  // The reader of the project refuses what is outside of it.
  [`{"$ref": "../../../etc/passwd"}`, ["../etc/passwd"]],
  [`{"$ref": "/etc/passwd"}`, []],
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
