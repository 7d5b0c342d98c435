// An editor shows the problems that `callsheet validate` reports, for every mistake of the corpus.

import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sized } from "../harness/full-size.ts"
import { triedMistakes } from "../mistakes/corpus/index.ts"
import type { Mistake } from "../mistakes/mistake.ts"
import { copyFile, copyProject, projectNames, seedMistake } from "../mistakes/seed-mistake.ts"
import { pulls, startEditor, type Editor } from "./client.ts"
import { createValidation, diagnosticsByUri, problemsByUri } from "./same-problems.ts"

const validation = createValidation()
afterAll(async () => void (await validation.close()))

const watching = {
  ...pulls,
  workspace: { ...pulls.workspace, didChangeWatchedFiles: { dynamicRegistration: true } },
}

describe.each(projectNames)("an editor with the project %s", (name) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "callsheet-lsp-conformance-")))
  const root = join(folder, name)
  let editor: Editor

  beforeAll(async () => {
    copyProject(name, root)
    editor = await startEditor({ folder: root, capabilities: watching })
  })

  afterAll(async () => {
    await editor.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  const noteDisk = (mistake: Mistake): Promise<void> =>
    editor.notify("workspace/didChangeWatchedFiles", {
      changes: [mistake, ...(mistake.more ?? [])].flatMap(({ file, edit }) =>
        [file, ...("rename" in edit ? [edit.rename] : [])].map((path) => ({
          uri: editor.uri(path),
          type: 2,
        })),
      ),
    })

  it("shows no problem", async () => {
    expect(await editor.pullAll()).toEqual(new Map())
  })

  const own = triedMistakes
    .filter(({ project }) => project === name)
    .filter((_, index) => index % sized(3, 1) === 0)

  it.each(own.map((mistake) => [`${mistake.kind}: ${mistake.id}`, mistake] as const))(
    "shows what validate reports for %s",
    async (_, mistake) => {
      seedMistake(mistake, root)
      const expected = problemsByUri(root, await validation.validate(root))
      await noteDisk(mistake)
      expect(diagnosticsByUri(await editor.pullAll())).toEqual(expected)
      const uri = editor.uri(mistake.file)
      const pulled = await editor.pull(mistake.file)
      expect(diagnosticsByUri(new Map([[uri, pulled]]))[uri]).toEqual(expected[uri])
      const broken = "find" in mistake.edit ? readFileSync(join(root, mistake.file), "utf8") : undefined
      restore(mistake)
      await noteDisk(mistake)
      if (broken === undefined || mistake.more !== undefined) return
      await showsUnsaved(mistake.file, broken, expected)
    },
  )

  /** At once, while all files are checked, and afterward. */
  async function showsUnsaved(file: string, broken: string, expected: ReturnType<typeof problemsByUri>) {
    const uri = editor.uri(file)
    await editor.pullAll()
    await editor.open(file, broken)
    const early = await editor.pull(file)
    const all = diagnosticsByUri(await editor.pullAll())
    await editor.close(file)
    expect(all).toEqual(expected)
    expect(diagnosticsByUri(new Map([[uri, early]]))[uri]).toEqual(expected[uri])
  }

  function restore(mistake: Mistake): void {
    const edits = [mistake, ...(mistake.more ?? [])]
    if (edits.every(({ edit }) => "find" in edit)) for (const { file } of edits) copyFile(name, file, root)
    else {
      rmSync(root, { recursive: true })
      copyProject(name, root)
    }
  }
})
