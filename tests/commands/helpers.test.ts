// `helpers` in `callsheet.json`: workflows that run only if something names them.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"

const nothing = { version: 1, blocks: [{ id: "t", type: "transform", transforms: { a: "t" } }] }
const names = ["browse-a", "browse-b", "checkout", "remove-cart", "remove-order", "seed", "seed-more"]
const workflows = Object.fromEntries(names.map((name) => [`apis/workflow/${name}.json`, nothing]))
const filesOf = (settings: object) => ({ ...workflows, "callsheet.json": { version: 1, ...settings } })

const helpers = ["seed", "remove-*"]
const ran = async (words: readonly string[], settings: object = { helpers }) => {
  const { report } = await callsheet(["run", ...words, "--json"], { files: filesOf(settings) })
  return report?.runs.map(({ workflow }) => workflow)
}

describe("helpers", () => {
  it.each<readonly [what: string, words: readonly string[], expected: readonly string[]]>([
    ["run --all skips them", ["--all"], ["browse-a", "browse-b", "checkout", "seed-more"]],
    [
      "run --all --grep skips them",
      ["--all", "--grep", "E"],
      ["browse-a", "browse-b", "checkout", "seed-more"],
    ],
    ["run --grep skips them", ["--grep", "seed"], ["seed-more"]],
    ["a name runs one", ["seed"], ["seed"]],
    ["a file runs one", ["apis/workflow/remove-cart.json"], ["remove-cart"]],
    ["a name runs one beside others", ["checkout", "remove-order"], ["checkout", "remove-order"]],
    [
      "shards of --all skip them",
      ["--all", "--shard", "1/1"],
      ["browse-a", "browse-b", "checkout", "seed-more"],
    ],
  ])("%s", async (_, words, expected) => {
    expect(await ran(words)).toEqual(expected)
  })

  it.each<readonly [what: string, suite: object, expected: readonly string[]]>([
    ["a pattern skips them", { workflows: ["*"] }, ["browse-a", "browse-b", "checkout", "seed-more"]],
    ["a narrower pattern skips them", { workflows: ["seed*"] }, ["seed-more"]],
    [
      "a pattern of an object skips them",
      { workflows: [{ workflow: "*e*" }] },
      ["browse-a", "browse-b", "checkout", "seed-more"],
    ],
    [
      "names run them in every list",
      { before: ["seed"], workflows: ["checkout", { workflow: "remove-cart" }], finally: ["remove-order"] },
      ["seed", "checkout", "remove-cart", "remove-order"],
    ],
    [
      "the cleanup of an entry runs one",
      { workflows: [{ workflow: "checkout", finally: ["remove-cart"] }] },
      ["checkout", "remove-cart"],
    ],
  ])("in a suite, %s", async (_, suite, expected) => {
    expect(await ran(["--suite", "s"], { helpers, suites: { s: suite } })).toEqual(expected)
  })

  it.each([
    [
      { helpers: ["sed"] },
      'the project has no workflow "sed" (workflow-unknown)\n  hint: did you mean "seed"?',
    ],
    [
      { helpers: ["seed", "purge-*"] },
      'no workflow matches "purge-*" (workflow-unknown)\n  hint: the project has browse-a',
    ],
    [{ helpers: ["{a,b}"] }, '"{a,b}" is not the name of a workflow or a pattern'],
    [{ helpers: "seed" }, "helpers is a string; expected an array"],
    [{ helpers: [1] }, "helpers[0] is a number; expected a string"],
    [
      { helpers, suites: { s: { workflows: ["remove-*"] } } },
      '"remove-*" matches only helpers, which patterns skip (workflow-unknown)\n  hint: name what to run: "remove-cart", "remove-order"',
    ],
    [
      { suites: { s: { workflows: ["x*"] } } },
      'no workflow matches "x*" (workflow-unknown)\n  hint: the project has',
    ],
  ])("are checked by validate and before a run: %j", async (settings, said) => {
    const { exitCode, stdout } = await callsheet(["validate"], { files: filesOf(settings) })
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(said)])
    const run = await callsheet(["run", ...("suites" in settings ? ["--suite", "s"] : ["--all"])], {
      files: filesOf(settings),
    })
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining(said)])
  })

  it("are checked as workflows by validate", async () => {
    const broken = { "apis/workflow/remove-cart.json": { version: 1, blocks: [{ id: "a" }] } }
    const { exitCode, stdout } = await callsheet(["validate"], {
      files: { ...filesOf({ helpers }), ...broken },
    })
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("apis/workflow/remove-cart.json:")])
    expect(
      (await callsheet(["run", "--all"], { files: { ...filesOf({ helpers }), ...broken } })).exitCode,
    ).toBe(0)
  })

  it("that are all workflows leave nothing to run", async () => {
    const { exitCode, stderr } = await callsheet(["run", "--all"], { files: filesOf({ helpers: ["*"] }) })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('one of the "helpers" in callsheet.json')])
  })
})
