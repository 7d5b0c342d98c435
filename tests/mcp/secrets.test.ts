// Searches the results of every tool for secrets, in every encoding that a server echoes.

import { expect, it } from "vitest"
import { askAsAgent } from "../canaries/agent.ts"
import { canaries } from "../canaries/canaries.ts"
import { hitsIn } from "../canaries/judge.ts"
import { projectFiles, startEcho, valuesOf } from "../canaries/project.ts"
import { variablesOf } from "../canaries/sinks.ts"
import { serve } from "./serve.ts"

it("finds no secret in any result", async () => {
  const some = [0, 11, 15, 24, 31, 33, 36, 37].flatMap((index) => canaries[index] ?? [])
  const [shop, other] = [await startEcho(() => some), await startEcho(() => some)]
  const files = projectFiles({ shop: shop.url, other: other.url }, some)
  const texts = await askAsAgent(files, variablesOf(valuesOf(other.url, some)), some)
  await Promise.all([shop.close(), other.close()])
  expect(texts.size).toBeGreaterThan(60)
  expect([...texts].flatMap(([name, text]) => hitsIn(name, text, some))).toEqual([])
}, 120_000)

it("shows no short or empty secret in files and variables", async () => {
  const secret = { type: "string", required: false, secret: true }
  const blocks = [
    { id: "pin", type: "assert", assertions: [{ source: "pin", operator: "equals", value: "7q" }] },
  ]
  const agent = await serve({
    "apis/shop/environments/schema.json": { version: 1, variables: { pin: secret, none: secret } },
    "apis/shop/environments/local.json": {},
    "apis/shop/environments/local.secrets.env": 'pin=7q\nnone=""\n',
    "apis/workflow/check.json": { version: 1, blocks },
  })
  const { text } = await agent.call("read_file", { path: "apis/workflow/check.json" })
  const { variables } = await agent.call("read_file", { path: "apis/shop/environments/local.json" })
  await agent.close()
  expect(JSON.parse(text)).toMatchObject({ blocks: [{ assertions: [{ value: "***" }] }] })
  expect(variables).toMatchObject([
    { name: "pin", value: "***", secret: true },
    { name: "none", value: "***", secret: true },
  ])
})
