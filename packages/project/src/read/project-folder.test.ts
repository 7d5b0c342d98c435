import { execFileSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readProjectFile } from "./project-folder.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

const project = () => {
  const outside = temporaryProject({ "secret.txt": "S3CRET" })
  const root = temporaryProject({
    "files/a.bin": Buffer.from([0, 255, 10]),
    "files/b/c.txt": "c",
    "apis/x/y": "",
  })
  symlinkSync(join(outside, "secret.txt"), join(root, "files/link.txt"))
  symlinkSync(outside, join(root, "files/folder"))
  symlinkSync("b/c.txt", join(root, "files/inside.txt"))
  return { root, outside }
}

const codeOf = (read: () => unknown): unknown => {
  try {
    read()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return undefined
}

describe("readProjectFile", () => {
  it("returns the bytes of a file inside the project, through links inside it too", () => {
    const { root } = project()
    expect([...readProjectFile(root, "files/a.bin")]).toEqual([0, 255, 10])
    expect(Buffer.from(readProjectFile(root, "files/b/../b/c.txt")).toString()).toBe("c")
    expect(Buffer.from(readProjectFile(root, "./files/inside.txt")).toString()).toBe("c")
  })

  it("rejects every way out of the project", () => {
    const { root, outside } = project()
    const ways = [
      "../secret.txt",
      "files/../../x",
      `${outside}/secret.txt`,
      "/etc/passwd",
      "files/link.txt",
      "files/folder/secret.txt",
      "\\\\host\\x",
      "C:\\x",
      "..",
    ]
    for (const way of ways)
      expect([way, codeOf(() => readProjectFile(root, way))]).toEqual([way, "link-outside"])
    expect(codeOf(() => readProjectFile(join(root, "files"), "../apis/x/y"))).toBe("link-outside")
  })

  it("rejects what is not a regular file, is missing, is unnamed or is too large", () => {
    const { root } = project()
    execFileSync("mkfifo", [join(root, "pipe")])
    for (const path of ["files", "pipe", "files/none.txt", "", ".", "a\0b", "files/a.bin/x"]) {
      expect([path, codeOf(() => readProjectFile(root, path))]).toEqual([path, "file-unreadable"])
    }
    expect(codeOf(() => readProjectFile(root, "files/a.bin", 2))).toBe("file-unreadable")
  })

  it("quotes the path as given, never an absolute one", () => {
    const { root } = project()
    expect(() => readProjectFile(root, "files/none.txt")).toThrow('"files/none.txt"')
    expect(() => readProjectFile(root, "files/none.txt")).not.toThrow(root)
  })
})
