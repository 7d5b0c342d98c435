// Applies every offered "did you mean" to the corpus of mistakes. Each must solve its problem and cause no other.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Diagnostic } from "vscode-languageserver-protocol"
import { afterAll, describe, expect, it } from "vitest"
import { sized } from "../harness/full-size.ts"
import { triedMistakes } from "../mistakes/corpus/index.ts"
import { copyProject, onlyPlaceOf, projectNames } from "../mistakes/seed-mistake.ts"
import type { ProjectName } from "../mistakes/mistake.ts"
import { openEditor, type Editor } from "./editor.ts"

const folder = mkdtempSync(join(tmpdir(), "callsheet-did-you-mean-"))
const editors = new Map<ProjectName, { readonly root: string; readonly editor: Editor }>()
let applied = 0

afterAll(async () => {
  for (const { editor } of editors.values()) await editor.close()
  rmSync(folder, { recursive: true, force: true })
})

function editorOf(project: ProjectName) {
  const known = editors.get(project)
  if (known !== undefined) return known
  const root = join(folder, project)
  if (!existsSync(root)) copyProject(project, root)
  const opened = { root, editor: openEditor(root) }
  editors.set(project, opened)
  return opened
}

const textOf = ({ code, message }: Diagnostic): string => `${String(code)} ${JSON.stringify(message)}`

/** Returns the problems of all files, by file and text. Lines don't change in a repair. */
async function problemsOf(editor: Editor): Promise<readonly string[]> {
  const found = await editor.diagnoseAll()
  return [...found].flatMap(([uri, all]) => all.map((each) => `${uri} ${textOf(each)}`))
}

describe('every offered "did you mean"', () => {
  for (const { kind, id, project, file, edit, more } of triedMistakes) {
    if (!("find" in edit) || more !== undefined) continue
    it(`${kind}: ${id}`, async () => {
      const { root, editor } = editorOf(project)
      const valid = readFileSync(join(root, file), "utf8")
      const at = onlyPlaceOf(valid, edit.find, file)
      const wrong = valid.slice(0, at) + edit.replace + valid.slice(at + edit.find.length)
      editor.type(file, wrong)
      let before: readonly string[] | undefined
      for (const diagnostic of await editor.diagnose(file)) {
        const { range } = diagnostic
        const offered = await editor.actions(file, { range, diagnostics: [diagnostic], only: ["quickfix"] })
        const action = offered.find(({ title }) => title.startsWith("Replace "))
        if (action === undefined) continue
        before ??= await problemsOf(editor)
        editor.apply(action.edit)
        const after = await problemsOf(editor)
        const gone = `${editor.uriOf(file)} ${textOf(diagnostic)}`
        expect(after, action.title).not.toContain(gone)
        expect(
          after.filter((problem) => before?.includes(problem) !== true),
          action.title,
        ).toEqual([])
        applied++
        editor.type(file, wrong)
      }
      editor.type(file, valid)
    })
  }

  it("is offered often", () => {
    expect(applied).toBeGreaterThanOrEqual(sized(15, 40))
  })

  it.each(projectNames)("leaves nothing to do in %s", async (project) => {
    expect(await problemsOf(editorOf(project).editor)).toEqual([])
  })
})
