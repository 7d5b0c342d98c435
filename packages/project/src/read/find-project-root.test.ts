import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { findProjectRoot, isProjectRoot } from "./find-project-root.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

describe("findProjectRoot", () => {
  it("finds the nearest parent directory that contains apis", () => {
    const root = temporaryProject({
      "apis/shop/openapi.json": "",
      "inner/apis/x/y": "",
      "inner/deep/er/file": "",
    })
    expect(findProjectRoot(root)).toBe(root)
    expect(findProjectRoot(join(root, "apis/shop"))).toBe(root)
    expect(findProjectRoot(join(root, "inner/deep/er"))).toBe(join(root, "inner"))
    expect(findProjectRoot(join(root, "not/there/yet"))).toBe(root)
  })

  it("ignores a file with the directory's name", () => {
    const root = temporaryProject({ apis: "" })
    expect(isProjectRoot(root)).toBe(false)
    mkdirSync(join(root, "a"))
    expect(findProjectRoot(join(root, "a"))).not.toBe(root)
  })

  it("finds nothing at the root of the disk", () => {
    expect(findProjectRoot("/")).toBeUndefined()
  })
})
