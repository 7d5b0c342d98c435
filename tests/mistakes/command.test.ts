// A dozen of the mistakes through the built command, as a user and a CI job see them.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatProblem, hasErrors, type Problem } from "@callsheet/format"
import { afterAll, describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { mistakes } from "./corpus/index.ts"
import { missed } from "./corpus/missed.ts"
import { judge } from "./judge.ts"
import { copyProject, projectNames, seedMistake } from "./seed-mistake.ts"

const folder = mkdtempSync(join(tmpdir(), "callsheet-mistakes-command-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const findable = mistakes.filter(({ kind, id }) => !Object.hasOwn(missed, `${kind}: ${id}`))
const dozen = Array.from({ length: 12 }, (_, index) => findable[Math.floor((index * findable.length) / 12)]!)

describe("the built callsheet validate", () => {
  it.each(projectNames)("exits with 0 and prints no problem for %s", async (project) => {
    const root = join(folder, `valid-${project}`)
    copyProject(project, root)
    const { exitCode, stdout, stderr } = await callsheet(["validate", "--json"], { folder: root })
    expect(JSON.parse(stdout), stderr).toEqual({ ok: true, problems: [] })
    expect(exitCode).toBe(0)
  })

  it.each(dozen.map((mistake) => [`${mistake.kind}: ${mistake.id}`, mistake] as const))(
    "finds %s",
    async (_, mistake) => {
      const root = mkdtempSync(join(folder, "seeded-"))
      copyProject(mistake.project, root)
      const line = seedMistake(mistake, root)
      const { exitCode, stdout, stderr } = await callsheet(["validate", "--json"], { folder: root })
      const { problems } = JSON.parse(stdout) as { readonly problems: readonly Problem[] }
      const said = `${problems.map(formatProblem).join("\n")}\n${stderr}`
      expect(judge({ mistake, folder: root, line }, problems).found, said).toBe(true)
      expect(exitCode).toBe(hasErrors(problems) ? 1 : 0)
    },
  )
})
