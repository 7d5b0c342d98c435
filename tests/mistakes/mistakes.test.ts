// Checks the reports of `validate` for common mistakes. Each is made in a copy of a valid project, which is used again.

import { existsSync, mkdtempSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatProblem, type Problem } from "@callsheet/format"
import { afterAll, describe, expect, it } from "vitest"
import { mistakes } from "./corpus/index.ts"
import { missed } from "./corpus/missed.ts"
import { validEdits } from "./corpus/valid.ts"
import { judge, type Judgment } from "./judge.ts"
import type { Edit, ProjectName } from "./mistake.ts"
import { copyFile, copyProject, makeEdit, projectNames, seedMistake } from "./seed-mistake.ts"
import { closeScripts, validate } from "./validate.ts"

const folder = mkdtempSync(join(tmpdir(), "callsheet-mistakes-"))
const judged = new Map<string, Judgment>()

afterAll(async () => {
  await closeScripts()
  rmSync(folder, { recursive: true, force: true })
  writeSync(1, `${summary()}\n`)
})

describe("validate reports nothing for valid projects", () => {
  for (const project of projectNames) {
    it(`finds no error and no warning in ${project}`, async () => {
      expect((await validate(copyOf(project))).map(readable)).toEqual([])
    })
  }
})

describe("validate finds no error in unusual but valid edits", () => {
  for (const { id, project, file, edit, warns } of validEdits) {
    it(id, async () => {
      const root = copyOf(project)
      makeEdit(root, file, edit)
      const problems = await validate(root)
      restore(project, [{ file, edit }])
      const unwanted = problems.filter(({ severity }) => warns !== true || severity === "error")
      expect(unwanted.map(readable)).toEqual([])
    })
  }
})

describe("validate finds mistakes", () => {
  it("has a unique name for each", () => {
    expect(new Set(mistakes.map(({ kind, id }) => `${kind}: ${id}`)).size).toBe(mistakes.length)
  })

  for (const mistake of mistakes) {
    const name = `${mistake.kind}: ${mistake.id}`
    it(name, async () => {
      const root = copyOf(mistake.project)
      const line = seedMistake(mistake, root)
      const problems = await validate(root)
      const judgment = judge({ mistake, folder: root, line }, problems)
      restore(mistake.project, [mistake, ...(mistake.more ?? [])])
      judged.set(name, judgment)
      const wanted = `${mistake.file}:${line ?? ""} ${JSON.stringify(mistake.expected)}`
      const said = `${wanted}\nsaid:\n${problems.map(readable).join("\n")}`
      expect(judgment.found, said).toBe(!Object.hasOwn(missed, name))
    })
  }
})

function copyOf(project: ProjectName): string {
  const root = join(folder, project)
  if (!existsSync(root)) copyProject(project, root)
  return root
}

/** Reverts edits of a copy. Removes the copy if they created or removed files. */
function restore(
  project: ProjectName,
  edits: readonly { readonly file: string; readonly edit: Edit }[],
): void {
  if (edits.every(({ edit }) => "find" in edit))
    for (const { file } of edits) copyFile(project, file, copyOf(project))
  else rmSync(copyOf(project), { recursive: true })
}

const readable = (problem: Problem): string =>
  `${problem.severity} ${formatProblem(problem)}${problem.hint === undefined ? "" : ` hint: ${problem.hint}`}`

function summary(): string {
  const names = [...judged.keys()]
  const lost = names.filter((name) => judged.get(name)?.found === false)
  const kinds = new Set(names.map((name) => name.split(":", 1)[0])).size
  const others = [...judged.values()].reduce((count, judgment) => count + judgment.others.length, 0)
  const found = names.length - lost.length
  return [
    ...lost.map((name) => `not found: ${name}${Object.hasOwn(missed, name) ? ` (${missed[name]})` : ""}`),
    `found ${found} of ${names.length} mistakes of ${kinds} kinds (${((100 * found) / names.length).toFixed(1)} %); ` +
      `${others} further problems were reported; ${validEdits.length} unusual but valid edits`,
  ].join("\n")
}
