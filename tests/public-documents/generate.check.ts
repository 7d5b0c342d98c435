// generate with OpenAPI documents of many vendors: every project is valid, and generating again changes nothing.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { stringifyJson, type Problem } from "@callsheet/format"
import { generate, validateProject, type Generated } from "@callsheet/language"
import { readDocument } from "@callsheet/openapi"
import { readProject } from "@callsheet/project"
import { publicDocuments } from "./documents.ts"

describe("generate with public documents", () => {
  for (const document of publicDocuments)
    it(`makes a valid project of ${document.name}, and the same again`, async () => {
      const root = mkdtempSync(join(tmpdir(), "callsheet-generate-"))
      try {
        write(root, `apis/api/openapi.${document.extension}`, document.text())
        const made = await generateIn(root)
        const { helpers, suites } = made
        for (const file of made.files)
          write(root, file.path, "value" in file ? stringifyJson(file.value, { indent: 2 }) : file.text)
        write(root, "callsheet.json", stringifyJson({ version: 1, helpers, suites }))
        expect(made.workflows.length).toBeGreaterThan(0)
        expect(await errorsIn(root)).toEqual([])
        const again = await generateIn(root, new Set(made.files.map(({ path }) => path)))
        expect(again.files.filter(({ path }) => !path.includes("/environments/"))).toEqual(
          made.files.filter(({ path }) => !path.includes("/environments/")),
        )
        expect(again.suites).toEqual(suites)
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    })
})

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

async function generateIn(root: string, generatedFiles: ReadonlySet<string> = new Set()): Promise<Generated> {
  const project = readProject(root, { workflows: "all", apis: "all" })
  const apis = await Promise.all(
    [...project.apis.values()].map(async (api) => {
      const { document } = await readDocument(api.document!, { readFile: api.readFile, readsWhole: true })
      return { api, document: document! }
    }),
  )
  const workflowNames = project.workflowNames.filter(
    (name) => !generatedFiles.has(`apis/workflow/${name}.json`),
  )
  return generate({ apis, workflowNames, generatedFiles, choice: {} })
}

async function errorsIn(root: string): Promise<readonly Problem[]> {
  const project = readProject(root, { workflows: "all", apis: "all" })
  const problems = await validateProject({
    project,
    describe: () =>
      Promise.resolve({
        ok: true,
        exports: ["containsItem"],
        complete: true,
        values: {},
        imports: [],
        lazyImports: [],
        io: [],
      }),
    checkFile: () => undefined,
  })
  return problems.filter(({ severity }) => severity === "error").slice(0, 10)
}
