import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto } from "../import/import-into.ts"
import { runBlocks, shopFiles, type ShopOptions } from "./shop-project.ts"

const call = (type: "assert" | "script", code: string, words: ShopOptions["words"] = []) =>
  runBlocks([{ id: "check", type, script: { name: "s", exportName: "fn" } }], {
    words,
    files: () => ({ "apis/workflow/scripts/w/s.ts": code }),
  })

const warned = async (type: "assert" | "script", code: string) => {
  const { report, exitCode, stderr } = await call(type, code)
  expect([exitCode, report?.runs[0]?.blocks[0]?.status], stderr).toEqual([0, "passed"])
  return (report?.warnings ?? []).map(
    ({ code: which, message }) => `${which}: ${message.replace(/ \(to fail .*/, "")}`,
  )
}
const ignored = (returned: string) =>
  `script-result-ignored: the function "fn" returned ${returned}, which callsheet doesn't read`

describe("a value that an assert or script function returns", () => {
  it.each([
    ["false", "() => 1 > 2", "false"],
    ["true", "() => 1 < 2", "true"],
    ["a promise of false", "async () => false", "false"],
    ["a promise in a promise", "() => Promise.resolve().then(async () => false)", "false"],
    ["a thenable", "() => ({ then: (done: (value: boolean) => void) => done(false) })", "false"],
    ["an Error", `() => new Error("wrong")`, "an instance of Error"],
    ["a function", "() => () => { throw new Error('never called') }", "a function"],
    ["a generator", "function* () { throw new Error('never run') }", "a generator, whose body has not run"],
    ["an async generator", "async function* () {}", "a generator, whose body has not run"],
  ])("is a warning in both kinds: %s", async (_name, code, returned) => {
    const script = `export const fn = ${code}`
    expect(await warned("assert", script)).toEqual([ignored(returned)])
    expect(await warned("script", script)).toEqual([ignored(returned)])
  })

  it.each([
    ["text", `() => "the total is wrong"`, 'the string "the total is wrong"'],
    ["a number", "() => [].push(1 as never)", "the number 1"],
    ["a list of errors", `() => ["too low"]`, "an array"],
    ["an object", "() => ({ ok: false })", "an object"],
    ["a big integer", "() => 2n ** 70n", "a big integer"],
  ])("is a warning only in assert, if a script block may produce it on the way: %s", async (_n, code, it) => {
    const script = `export const fn = ${code}`
    expect(await warned("assert", script)).toEqual([ignored(it)])
    expect(await warned("script", script)).toEqual([])
  })

  it.each([
    ["nothing", "() => {}"],
    ["a promise of nothing", "async (ctx: any) => ctx.sleep(1)"],
    ["null", "() => null"],
    ["the object of an assertion library", "() => new (class Assertion {})()"],
    ["a Response", `() => new Response("x")`],
  ])("isn't a warning: %s", async (_name, code) => {
    expect(await warned("assert", `export const fn = ${code}`)).toEqual([])
    expect(await warned("script", `export const fn = ${code}`)).toEqual([])
  })

  it("fails a strict run, says what to do, and warns once in a loop", async () => {
    const { exitCode, stderr } = await call("assert", "export const fn = () => 1 > 2", ["--strict"])
    expect(exitCode).toBe(1)
    expect(stderr).toContain("(script-result-ignored)")
    expect(stderr).toContain(
      "to fail the block, use ctx.expect(…), ctx.assert(condition, message) or throw; otherwise, return nothing",
    )
    const check = { id: "check", type: "assert", script: { name: "s", exportName: "fn" } }
    const { report } = await runBlocks(
      [{ id: "l", type: "loop", mode: "times", count: 3, blocks: [check] }],
      {
        files: () => ({ "apis/workflow/scripts/w/s.ts": "export const fn = () => false" }),
      },
    )
    expect(report?.warnings).toHaveLength(1)
  })
})

describe("a script with a syntax error", () => {
  it.each([["validate"], ["run", "w"]])(
    "shows its line with a mark under the token: callsheet %s",
    async (...words) => {
      const check = { id: "check", type: "script", script: { name: "s", exportName: "fn" } }
      const { stdout, stderr } = await callsheet(words, {
        files: {
          ...shopFiles("http://127.0.0.1:1", [check]),
          "apis/workflow/scripts/w/s.ts": "export const fn = () => {\n  return }}\n",
        },
      })
      expect(stdout + stderr).toMatch(
        /apis\/workflow\/scripts\/w\/s\.ts:2:11: Unexpected token "}" \(script-syntax\)\n {2}2 \| {3}return }}\n {4}\| {11}\^\n/,
      )
    },
  )
})

describe("an imported script that nobody has translated", () => {
  const code = `pm.test("is fresh", () => pm.expect(Date.now()).to.be.below(0))`
  const collection = {
    info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    item: [
      {
        name: "Get",
        request: { method: "GET", url: "http://127.0.0.1:1/get" },
        event: [{ listen: "prerequest", script: { exec: [code] } }],
      },
    ],
  }

  it("is skipped with the reason untranslated and a warning", async () => {
    const folder = await folderWith({ "shop.json": collection })
    await importInto(folder, ["shop.json"])
    const { report } = await callsheet(["run", "shop", "--json", "--on-failure", "continue"], { folder })
    const block = report?.runs[0]?.blocks.find(({ type }) => type === "script")
    expect(block).toMatchObject({ status: "skipped", reason: "untranslated" })
    expect(report?.runs[0]?.counts.skipped).toBe(1)
    expect(report?.warnings).toContainEqual(
      expect.objectContaining({
        code: "import-todo",
        message: expect.stringMatching(
          /^the imported script "getBefore" is not translated yet, so its block was skipped/,
        ) as string,
      }),
    )
    const { stdout } = await callsheet(["run", "shop"], { folder })
    expect(stdout).toContain("skipped (untranslated)")
  })

  it.each([
    ["in a group", (block: object) => ({ id: "g", type: "group", blocks: [block] })],
    ["in a loop", (block: object) => ({ id: "l", type: "loop", mode: "times", count: 2, blocks: [block] })],
  ])("doesn't stop what follows, and fails a strict run: %s", async (_name, wrap) => {
    const script = { id: "todo", type: "script", script: { name: "s", exportName: "fn" } }
    const files = () => ({
      "apis/workflow/scripts/w/s.ts": `export const fn = (ctx: any) => { try { ctx.untranslated() } catch {} }\nexport const after = (ctx: any) => ctx.log("after")`,
    })
    const after = { id: "after", type: "script", script: { name: "s", exportName: "after" } }
    const { report, exitCode } = await runBlocks([wrap(script), after], { files, words: ["--strict"] })
    expect(exitCode).toBe(1)
    expect(report?.runs[0]?.blocks[1]).toMatchObject({ status: "passed", logs: ["after"] })
    const [{ blocks, iterations } = {}] = report?.runs[0]?.blocks ?? []
    for (const list of [blocks, ...(iterations ?? []).map((one) => one.blocks)])
      for (const block of list ?? [])
        expect(block).toMatchObject({ status: "skipped", reason: "untranslated" })
  })
})
