// Checks which entries a suite has, in which order, and what is reported about names.

import type { JsonPointer, SuiteSettings } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { resolveSuite, type SuiteEntry } from "./resolve-suite.ts"

const workflowNames = ["sign-in", "browse-b", "browse-a", "checkout", "cancel", "seed", "purge", "v1.list"]

function resolve(suite: Partial<SuiteSettings>, names: readonly string[] = workflowNames, name = "s") {
  const errors: { at: string; message: string; hint: string | undefined }[] = []
  const { suite: resolved, hasErrors } = resolveSuite({
    settings: { version: 1, suites: { s: { workflows: [], ...suite } } },
    name,
    workflowNames: names,
    report: (pointer: JsonPointer, _, { message, hint }) =>
      void errors.push({ at: pointer.slice(2).join("/"), message, hint }),
  })
  return { suite: hasErrors ? undefined : resolved, errors }
}

const names = (entries: readonly SuiteEntry[] = []) => entries.map(({ name }) => name)
const mainOf = (...workflows: SuiteSettings["workflows"]) => {
  const { suite, errors } = resolve({ workflows })
  expect(errors).toEqual([])
  return names(suite?.main)
}

describe("resolveSuite", () => {
  it("keeps the order of names and sorts what a pattern matches", () => {
    expect(mainOf("checkout", "browse-*", "sign-in")).toEqual(["checkout", "browse-a", "browse-b", "sign-in"])
  })

  it.each([
    ["*", ["browse-a", "browse-b", "cancel", "checkout", "purge", "seed", "sign-in", "v1.list"]],
    ["**", ["browse-a", "browse-b", "cancel", "checkout", "purge", "seed", "sign-in", "v1.list"]],
    ["*-*", ["browse-a", "browse-b", "sign-in"]],
    ["browse-?", ["browse-a", "browse-b"]],
    ["????", ["seed"]],
    ["c*e*", ["cancel", "checkout"]],
    ["*x", []],
    ["v1.*", ["v1.list"]],
    ["v1?list*", ["v1.list"]],
    ["*browse-a*", ["browse-a"]],
  ])("matches whole names with %s", (pattern, expected) => {
    const { suite, errors } = resolve({ workflows: [pattern] })
    expect(names(suite?.main)).toEqual(expected)
    expect(errors.map(({ message }) => message)).toEqual(
      expected.length === 0 ? [`no workflow matches "${pattern}"`] : [],
    )
  })

  it("runs a workflow once for overlapping patterns, at its first match", () => {
    expect(mainOf("browse-b", "browse-*", "*-a", "*-in", "browse-a")).toEqual([
      "browse-b",
      "browse-a",
      "sign-in",
    ])
  })

  it("leaves out of a pattern what an earlier entry runs, also under another name", () => {
    expect(mainOf({ workflow: "browse-a", as: "first" }, "browse-*")).toEqual(["first", "browse-b"])
    const { suite } = resolve({ before: ["sign-in"], workflows: ["*-*"] })
    expect(names(suite?.main)).toEqual(["browse-a", "browse-b"])
  })

  it("gives each workflow of an object's pattern its settings", () => {
    const { suite } = resolve({ workflows: [{ workflow: "browse-*", locks: ["l"], inputs: { a: 1 } }] })
    expect(suite?.main).toMatchObject([
      { name: "browse-a", workflow: "browse-a", locks: ["l"], inputs: { a: 1 } },
      { name: "browse-b", workflow: "browse-b", locks: ["l"], inputs: { a: 1 } },
    ])
  })

  it("gives an entry its own environments, then those of the entry it cleans up after, then the suite's", () => {
    const { suite } = resolve({
      env: { shop: "local", mail: "local" },
      workflows: [{ workflow: "checkout", env: { shop: "staging" }, finally: ["cancel"] }],
      finally: [{ workflow: "purge", env: { mail: "none" } }],
    })
    expect(suite?.main[0]?.env).toEqual({ shop: "staging", mail: "local" })
    expect(suite?.main[0]?.finally[0]?.env).toEqual({ shop: "staging", mail: "local" })
    expect(suite?.finally[0]?.env).toEqual({ shop: "local", mail: "none" })
  })

  it("says where an entry is declared", () => {
    const { suite } = resolve({ workflows: ["checkout", { workflow: "browse-*", finally: ["cancel"] }] })
    expect(suite?.main.map(({ pointer }) => pointer.join("/"))).toEqual([
      "suites/s/workflows/0",
      "suites/s/workflows/1",
      "suites/s/workflows/1",
    ])
    expect(suite?.main[1]?.finally[0]?.pointer.join("/")).toBe("suites/s/workflows/1/finally/0")
  })

  it("lets entries of different finally lists have the same name", () => {
    const last = [{ workflow: "cancel" }]
    const { suite } = resolve({
      workflows: [
        { workflow: "checkout", finally: last },
        { workflow: "seed", finally: last },
      ],
      finally: ["cancel"],
    })
    expect([suite?.main, suite?.finally].map(names)).toEqual([["checkout", "seed"], ["cancel"]])
  })

  it.each<[string, Partial<SuiteSettings>, object]>([
    [
      "an unknown workflow",
      { workflows: ["chekout"] },
      {
        at: "workflows/0",
        message: 'the project has no workflow "chekout"',
        hint: 'did you mean "checkout"?',
      },
    ],
    [
      "an unknown workflow of an object",
      { before: [{ workflow: "nothing" }] },
      { at: "before/0/workflow", message: 'the project has no workflow "nothing"' },
    ],
    [
      "a pattern without a match in a finally",
      { workflows: [{ workflow: "checkout", finally: ["undo-*"] }] },
      { at: "workflows/0/finally/0", message: 'no workflow matches "undo-*"' },
    ],
    [
      "two entries with the workflow's name",
      { workflows: ["seed", "seed"] },
      { at: "workflows/1", message: '"seed" is already the name of the entry at suites.s.workflows[0]' },
    ],
    [
      "an entry with the name of one in before",
      { before: ["seed"], workflows: [{ workflow: "checkout", as: "seed" }] },
      { at: "workflows/0/as", message: '"seed" is already the name of the entry at suites.s.before[0]' },
    ],
    [
      "two entries of one finally",
      { workflows: [{ workflow: "checkout", finally: ["cancel", { workflow: "cancel" }] }] },
      {
        at: "workflows/0/finally/1/workflow",
        message: '"cancel" is already the name of the entry at suites.s.workflows[0].finally[0]',
      },
    ],
    [
      "an object for a workflow that a pattern already runs",
      { workflows: ["browse-*", { workflow: "browse-b", retries: 1 }] },
      {
        at: "workflows/1/workflow",
        message: 'the pattern at suites.s.workflows[0] already runs "browse-b"',
        hint: 'move this entry before it, or set "as" to run the workflow again',
      },
    ],
    [
      "a name for a pattern",
      { workflows: [{ workflow: "browse-*", as: "browse" }] },
      { at: "workflows/0/as", message: '"as" can\'t name the workflows that match "browse-*"' },
    ],
  ])("reports %s", (_, suite, expected) => {
    const { errors, suite: resolved } = resolve(suite)
    expect(errors[0]).toMatchObject(expected)
    expect(resolved).toBeUndefined()
  })

  it("runs a workflow again under another name", () => {
    expect(mainOf("browse-*", { workflow: "browse-b", as: "again" })).toEqual([
      "browse-a",
      "browse-b",
      "again",
    ])
  })

  it.each([
    ["t", 'did you mean "s"?'],
    ["constructor", "callsheet.json has s"],
  ])("refuses the unknown suite %s", (name) => {
    expect(() => resolve({}, workflowNames, name)).toThrow(`the project has no suite "${name}"`)
  })

  it("resolves 10,000 entries and patterns in well under a second", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `w-${String(index).padStart(5, "0")}`)
    const start = performance.now()
    expect(resolve({ workflows: many }, many).suite?.main.length).toBe(10_000)
    expect(resolve({ workflows: ["*"] }, many).suite?.main.length).toBe(10_000)
    expect(resolve({ workflows: many.map((name) => `${name}*`) }, many).suite?.main.length).toBe(10_000)
    const unknown = resolve({ workflows: many.map((name) => `x${name}`) }, many)
    expect(unknown.errors.length).toBe(10_000)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
