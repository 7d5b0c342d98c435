import { describe, expect, it } from "vitest"
import { WorkflowNames } from "../scope/places.ts"
import { scriptMentions } from "./script-mentions.ts"

const names = new WorkflowNames({
  inputs: { sku: { type: "string" } },
  blocks: [{ id: "login", type: "request" }],
})

const found = (text: string): readonly string[] =>
  [...scriptMentions({ workflow: "w", script: "s", text }, names)].map(
    ({ named, from, to }) => `${named.is} ${named.name} ${text.slice(from, to)}`,
  )

describe("mentions in a script", () => {
  it.each<readonly [string, readonly string[]]>([
    ['ctx.get("login.response")', ["block login login"]],
    ["ctx.get<{ a: string }[]>('login.response')", ["block login login"]],
    ["context.has(`login`)", ["block login login"]],
    ['ctx.expect("login.response.status")', ["block login login"]],
    ['ctx.get("sku")', ["input sku sku"]],
    ["ctx.inputs.sku", ["input sku sku"]],
    ['ctx.inputs["sku"]', ["input sku sku"]],
    ['ctx.env("shop").key', ["api shop shop", "variable key key"]],
    ['ctx.env("shop")', ["api shop shop"]],
    ['ctx.get("env.shop.key")', ["variable key key"]],
    ['(c: AssertContext) => c.get("login.response")', ["block login login"]],
    ['({ get }: AssertContext) => get("login.response")', ["block login login"]],
    ["export const login = 1", ["export login login"]],
    ["export async function total(", ["export total total"]],
  ])("finds what %s names", (text, mentions) => {
    expect(found(text)).toEqual(mentions)
  })

  it.each(['cache.get("login")', 'headers.has("login")', 'get("login")', '"login"', "ctx.get(login)"])(
    "ignores %s",
    (text) => {
      expect(found(text)).toEqual([])
    },
  )
})
