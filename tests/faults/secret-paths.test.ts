// Paths built from a secret: a part of it becomes a name in them, which no masker recognizes.

import { describe, expect, it } from "vitest"
import { assert, echo, runBlocks } from "../run/shop-project.ts"

const halves = ["l3ft-half", "r1ght-half"] as const
const secret = halves.join(".")
const token = "{{env.shop.token}}"

const loopOver = (source: string) => ({
  id: "loop",
  type: "loop",
  mode: "forEach",
  source,
  iteratorVar: "item",
  blocks: [echo("inner")],
})
const until = (source: string) => ({
  id: "poll",
  type: "loop",
  mode: "until",
  maxIterations: 1,
  until: { source, operator: "exists" },
  blocks: [echo("inner")],
})
const transform = { id: "made", type: "transform", transforms: { out: `look.response.${token}` } }
const condition = (value: string) => ({
  id: "branch",
  type: "condition",
  if: { source: "look.response.status", operator: "equals", value },
  then: [],
})

describe("a path that contains a secret", () => {
  it.each<readonly [string, readonly unknown[]]>([
    ["of an assertion", [assert("check", [`look.response.body.${token}`, "equals", 1])]],
    ["of a block", [assert("check", [`${token}.response.status`, "equals", 200])]],
    ["of an API", [assert("check", [`env.${token}.x`, "equals", 200])]],
    ["of a variable", [assert("check", [`env.shop.${token}`, "equals", 200])]],
    ["in brackets", [assert("check", [`look["response"].body.${token}[0]`, "notExists"])]],
    ["below a text", [assert("check", [`look.response.headers.date.${token}`, "exists"])]],
    ["of a token", [echo("again", { q: `{{look.response.body.${token}}}` })]],
    ["of a loop", [loopOver(`look.response.body.${token}`)]],
    ["of a loop's check", [until(`look.response.body.${token}`)]],
    ["of a condition", [condition(`{{look.response.body.${token}}}`)]],
    ["that a transform omitted", [transform, assert("check", ["made.out", "equals", 1])]],
    ["below what a transform omitted", [transform, assert("check", [`made.out.${token}`, "equals", 1])]],
  ])("%s shows no part of it", async (_, blocks) => {
    for (const words of [["--verify-no-leak"], ["--reporter=junit=j.xml", "--debug"]]) {
      const { exitCode, stdout, stderr } = await runBlocks([echo("look"), ...blocks], {
        words: [...words, "--on-failure=continue"],
        files: () => ({ "apis/shop/environments/local.secrets.env": `token=${secret}\n` }),
      })
      const text = stdout + stderr
      expect(text).toMatch(
        /contains a secret, so it is not shown|because \\"look\.response\.\*\*\*\\" did not/,
      )
      for (const half of halves) expect(text).not.toContain(half)
      expect(exitCode).toBe(blocks.some((block) => JSON.stringify(block).includes("notExists")) ? 0 : 1)
    }
  })
})
