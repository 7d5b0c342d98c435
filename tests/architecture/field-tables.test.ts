// Generates the lists of fields in docs/reference from the shapes. After a change of a shape: npx vitest run
// tests/architecture -u

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { format } from "oxfmt"
import { expect, it } from "vitest"
import { renewTables, tableNames, tablesIn } from "./field-tables.ts"

const pathOf = (page: string): string =>
  fileURLToPath(new URL(`../../docs/reference/${page}.md`, import.meta.url))
const pages = [
  "workflow-files",
  "blocks",
  "environment-files",
  "requests",
  "callsheet-json",
  "user-file",
  "../guide/baseline",
  "../guide/probe",
]

it.each(pages)("has the tables of the shapes in %s.md", async (page) => {
  const path = pathOf(page)
  const text = readFileSync(path, "utf8").replaceAll("\r\n", "\n")
  const { code } = await format(path, renewTables(text), { printWidth: 110 })
  await expect(code).toMatchFileSnapshot(path)
})

it("has each table on at least one page", () => {
  const used = new Set(pages.flatMap((page) => tablesIn(readFileSync(pathOf(page), "utf8"))))
  expect([...used].sort()).toEqual([...tableNames].sort())
})
