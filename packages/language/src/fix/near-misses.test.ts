// Checks the repairs of problems as changes of a text, as an editor asks for them.

import { changeText } from "@callsheet/format"
import { expect, it } from "vitest"
import { projectOf } from "../testing/project-of.ts"
import { create, expects, list, shop } from "../testing/shop.ts"
import { validateProject } from "../validate/validate-project.ts"
import { repairOf } from "./near-misses.ts"

async function repairsIn(text: string) {
  const project = projectOf({ workflows: { w: text }, apis: { shop } })
  const describe = () => Promise.reject(new Error("there are no scripts"))
  const problems = await validateProject({ project, describe, checkFile: () => undefined })
  return problems.map((problem) => repairOf(problem))
}

const workflow = (...blocks: readonly unknown[]): string => JSON.stringify({ version: 1, blocks })
const copy = (source: string) => ({ id: "copy", type: "transform", transforms: { value: source } })

it.each([
  ["a name in brackets", copy('create["response"].body["totl"]'), "totl", "total"],
  ["a header", copy('create.response.headers["X-Request-Id"]'), "X-Request-Id", "x-request-id"],
  ["a name behind escapes", copy('{{$uuid}}"\n\u00e9{{creat.response.status}}'), "{{creat.", "{{create."],
  ["a path of another tool", copy("create.body.total"), "create.body", "create.response.body"],
  ["a key", { ...list, ids: [] }, '"ids"', undefined],
  ["a value of the format", { ...list, type: "requst" }, '"requst"', '"request"'],
])("changes only %s", async (_, block, from, to) => {
  const text = workflow(create, block)
  const repairs = (await repairsIn(text)).filter((repair) => repair !== undefined)
  if (to === undefined) expect(repairs).toEqual([])
  else expect(repairs.map(({ change }) => changeText(text, [change]))).toEqual([text.replace(from, to)])
})

it("says that a repair is of an assertion", async () => {
  const text = workflow(create, expects("creat.response.status", "equals", 201))
  const [repair] = await repairsIn(text)
  expect(repair).toMatchObject({ file: "apis/workflow/w.json", isOfAssertion: true })
})

it("has no repair for a name that may mean several", async () => {
  const text = workflow({ ...list, id: "item1" }, { ...list, id: "item2" }, copy("item3.response.status"))
  expect(await repairsIn(text)).toEqual([undefined])
})
