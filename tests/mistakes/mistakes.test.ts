// Checks the reports of `validate` for common mistakes. Each is made in a copy of a valid project, which is used again.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { changeText, formatProblem, type Problem } from "@callsheet/format"
import { repairOf } from "@callsheet/language"
import { afterAll, describe, expect, it } from "vitest"
import { sized } from "../harness/full-size.ts"
import { mistakes, triedMistakes } from "./corpus/index.ts"
import { missed } from "./corpus/missed.ts"
import { notRepaired } from "./corpus/not-repaired.ts"
import { validEdits } from "./corpus/valid.ts"
import { judge, type Judgment } from "./judge.ts"
import type { Edit, ProjectName } from "./mistake.ts"
import { copyFile, copyProject, makeEdit, projectNames, seedMistake } from "./seed-mistake.ts"
import { closeScripts, validate } from "./validate.ts"

const folder = mkdtempSync(join(tmpdir(), "callsheet-mistakes-"))
const judged = new Map<string, Judgment>()
/** Hints that name what was probably meant, although no repair can write it, by the name of the mistake. */
const withoutRepair = new Map<string, string>()
let repairs = 0

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

  for (const mistake of triedMistakes) {
    const name = `${mistake.kind}: ${mistake.id}`
    it(name, async () => {
      const root = copyOf(mistake.project)
      const line = seedMistake(mistake, root)
      const problems = await validate(root)
      const judgment = judge({ mistake, folder: root, line }, problems)
      const left = await problemsAfterRepairs(root, problems)
      restore(mistake.project, [mistake, ...(mistake.more ?? [])])
      judged.set(name, judgment)
      const wanted = `${mistake.file}:${line ?? ""} ${JSON.stringify(mistake.expected)}`
      const said = `${wanted}\nsaid:\n${problems.map(readable).join("\n")}`
      expect(judgment.found, said).toBe(!Object.hasOwn(missed, name))
      expect(left).toEqual([])
      for (const problem of problems.filter(suggestsName))
        if (repairOf(problem) === undefined) withoutRepair.set(name, readable(problem))
    })
  }

  it("knows the repair of each misspelled name, with few exceptions", () => {
    const expected = Object.keys(notRepaired).filter((name) => judged.has(name))
    expect([...withoutRepair.keys()].toSorted()).toEqual(expected.toSorted())
    expect(repairs).toBeGreaterThan(sized(20, 60))
  })
})

const suggestsName = ({ hint = "" }: Problem): boolean => hint.includes("did you mean ")

/** Repairs each problem that has a repair, on its own. Returns the problems that are still reported then. */
async function problemsAfterRepairs(root: string, problems: readonly Problem[]) {
  const left: string[] = []
  for (const problem of problems) {
    const repair = repairOf(problem)
    if (repair === undefined) continue
    repairs++
    const path = join(root, repair.file)
    const text = readFileSync(path, "utf8")
    writeFileSync(path, changeText(text, [repair.change]))
    const after = (await validate(root)).map(formatProblem)
    writeFileSync(path, text)
    if (after.includes(formatProblem(problem))) left.push(readable(problem))
  }
  return left
}

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
