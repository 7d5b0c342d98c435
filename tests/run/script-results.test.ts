import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto } from "../import/import-into.ts"
import { runBlocks, shopFiles } from "./shop-project.ts"

/** What the functions of assert blocks return, how a warning names it, and the kinds of blocks with that warning. */
const returns: readonly (readonly [code: string, returned: string, kinds: readonly string[]])[] = [
  ["() => 1 > 2", "false", ["assert", "script"]],
  ["() => 1 < 2", "true", ["assert", "script"]],
  ["async () => false", "false", ["assert", "script"]],
  ["() => Promise.resolve().then(async () => false)", "false", ["assert", "script"]],
  ["() => ({ then: (done: (value: boolean) => void) => done(false) })", "false", ["assert", "script"]],
  [`() => new Error("wrong")`, "an instance of Error", ["assert", "script"]],
  ["() => () => { throw new Error('never called') }", "a function", ["assert", "script"]],
  [
    "function* () { throw new Error('never run') }",
    "a generator, whose body has not run",
    ["assert", "script"],
  ],
  ["async function* () {}", "a generator, whose body has not run", ["assert", "script"]],
  // A script block may produce these on the way.
  [`() => "the total is wrong"`, 'the string "the total is wrong"', ["assert"]],
  ["() => [].push(1 as never)", "the number 1", ["assert"]],
  [`() => ["too low"]`, "an array", ["assert"]],
  ["() => ({ ok: false })", "an object", ["assert"]],
  ["() => 2n ** 70n", "a big integer", ["assert"]],
  ["() => {}", "nothing", []],
  ["async (ctx: any) => ctx.sleep(1)", "nothing", []],
  ["() => null", "null", []],
  ["() => new (class Assertion {})()", "the object of an assertion library", []],
  [`() => new Response("x")`, "a Response", []],
]

describe("a value that an assert or script function returns", () => {
  it("is a warning if nothing reads it and its author may expect that", async () => {
    const calls = returns.flatMap(([code, returned, kinds], at) =>
      ["assert", "script"].map((type) => ({ type, code, returned, name: `${type}${at}`, kinds })),
    )
    const { report, exitCode, run } = await runBlocks(
      calls.map(({ type, name }) => ({ id: name, type, script: { name: "s", exportName: name } })),
      {
        files: () => ({
          "apis/workflow/scripts/w/s.ts": calls
            .map(({ name, code }) => `export const ${name} = ${code}\n`)
            .join(""),
        }),
      },
    )
    expect([exitCode, ...new Set(run.blocks.map(({ status }) => status))]).toEqual([0, "passed"])
    expect(
      (report?.warnings ?? []).map(({ code, message }) => `${code}: ${message.replace(/ \(to fail .*/, "")}`),
    ).toEqual(
      calls.flatMap(({ type, name, returned, kinds }) =>
        kinds.includes(type)
          ? `script-result-ignored: the function "${name}" returned ${returned}, which callsheet doesn't read`
          : [],
      ),
    )
  })

  it("fails a strict run, says what to do, and warns once in a loop", async () => {
    const check = { id: "check", type: "assert", script: { name: "s", exportName: "fn" } }
    const files = () => ({ "apis/workflow/scripts/w/s.ts": "export const fn = () => false" })
    const { exitCode, stderr } = await runBlocks([check], { files, words: ["--strict"] })
    expect(exitCode).toBe(1)
    expect(stderr).toContain("(script-result-ignored)")
    expect(stderr).toContain(
      "to fail the block, use ctx.expect(…), ctx.assert(condition, message) or throw; otherwise, return nothing",
    )
    const loop = { id: "l", type: "loop", mode: "times", count: 3, blocks: [check] }
    const { report } = await runBlocks([loop], { files })
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
  const code = `if (!pm.environment.get("token")) pm.sendRequest("http://127.0.0.1:1/other", () => {})`
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
