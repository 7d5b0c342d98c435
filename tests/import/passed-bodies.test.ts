// Values that pass between the parts of a workflow that is split: a whole body can't.

import { expect, it } from "vitest"
import { folderWith, importInto } from "./import-into.ts"

const request = (name: string, path: string, code?: string) => ({
  name,
  request: { method: "GET", url: `https://shop.example${path}` },
  ...(code === undefined ? {} : { event: [{ listen: "test", script: { exec: [code] } }] }),
})

const many = (name: string) =>
  Array.from({ length: 40 }, (_, at) => request(`${name}${at}`, `/${name}/${at}`))

it.each([
  ["pm.response.json()", ["variable value"]],
  ["JSON.stringify(pm.response.json())", ["variable value"]],
  ["pm.response.json().id", []],
])("is a loss if the value is %s", async (value, lost) => {
  const item = [
    { name: "First", item: [request("Set", "/set", `pm.environment.set("value", ${value})`), ...many("a")] },
    { name: "Second", item: [request("Read", "/read?v={{value}}"), ...many("b")] },
  ]
  const folder = await folderWith({ "shop.json": { info: { name: "Shop" }, item } })
  const { result } = await importInto(folder, ["shop.json"])
  expect(result?.workflows.length).toBe(2)
  expect(result?.losses.map(({ what }) => what)).toEqual(lost)
})
