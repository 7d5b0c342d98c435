import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { createFileReader } from "./document-folders.ts"
import { openProjectFolder } from "./project-folder.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

it("reads a file once and returns the same text to every caller, whatever happens to the file", () => {
  const root = temporaryProject({ "apis/shared/a.yaml": "a: 1" })
  const project = openProjectFolder(root)
  const before = createFileReader(project)("apis/shared/a.yaml")
  writeFileSync(join(root, "apis/shared/a.yaml"), "a: 2")
  const after = createFileReader(project)("apis/shared/a.yaml")
  expect(before).toMatchObject({ ok: true, value: { file: "apis/shared/a.yaml", text: "a: 1" } })
  expect(after).toBe(before)
})

it.each([
  ["gone.yaml", "file-unreadable", "can't read the file: it does not exist"],
  ["apis", "file-unreadable", "expected a file but found a directory"],
  [
    "../a.yaml",
    "link-outside",
    'references must stay inside the project and the directories in "documents" of callsheet.json',
  ],
  ["/etc/hostname", "link-outside", "the path leads outside the project"],
])("reports why %s can't be read, without repeating the path", (path, code, message) => {
  const read = createFileReader(openProjectFolder(temporaryProject({ "apis/a.yaml": "" })))
  expect(read(path)).toMatchObject({ ok: false, problem: { code, message } })
})

it("returns the bytes of a text too, unless they contain more than the text", () => {
  const files = { "apis/a.json": `{"é": 1}`, "apis/b.json": "\ufeff{}" }
  const read = createFileReader(openProjectFolder(temporaryProject(files)))
  expect(read("apis/a.json")).toMatchObject({
    value: { text: `{"é": 1}`, bytes: new TextEncoder().encode(`{"é": 1}`) },
  })
  expect(read("apis/b.json")).toEqual({ ok: true, value: { file: "apis/b.json", text: "{}" } })
})
