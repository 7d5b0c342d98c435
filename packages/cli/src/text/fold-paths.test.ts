import { expect, it } from "vitest"
import { foldPaths } from "./fold-paths.ts"

const files = (directory: string, number: number): readonly string[] =>
  Array.from({ length: number }, (_, at) => `${directory}/${at}.json`)

it("keeps a short list", () => {
  expect(foldPaths(["a/b/c.json", "d.json"], 2)).toEqual(["a/b/c.json", "d.json"])
  expect(foldPaths([], 2)).toEqual([])
})

it("joins the files of the deepest directories until the list is short enough", () => {
  const all = [
    "apis/shop/openapi.json",
    ...files("apis/shop/requests/a", 5),
    ...files("apis/shop/requests/b", 1),
  ]
  expect(foldPaths(all, 3)).toEqual([
    "apis/shop/openapi.json",
    "apis/shop/requests/a/ (5 files)",
    "apis/shop/requests/b/ (1 file)",
  ])
  expect(foldPaths(all, 2)).toEqual(["apis/shop/openapi.json", "apis/shop/requests/ (6 files)"])
  expect(foldPaths(all, 1)).toEqual(["apis/shop/ (7 files)"])
})
