// Checks the differences that `callsheet diff` finds, and those that it treats as noise.

import { rm } from "node:fs/promises"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { get, items, openDiffProject, type DiffProject, type Item } from "./diff-project.ts"

let project: DiffProject
beforeAll(async () => {
  project = await openDiffProject()
  await project.record("left")
})
afterAll(async () => {
  await project.api.close()
  await rm(project.folder, { recursive: true })
})
afterEach(() => project.changes.clear())

type Seed = readonly [
  change: (item: Item) => void,
  what: string,
  path?: string | undefined,
  left?: unknown,
  right?: unknown,
]

const seeds: readonly Seed[] = [
  [(one) => (one.status = 201), "status", undefined, 200, 201],
  [(one) => (one.status = 500), "status", undefined, 200, 500],
  [(one) => (one.headers["x-total"] = "4"), "header", "x-total", "3", "4"],
  [(one) => delete one.headers["cache-control"], "header", "cache-control", "no-store", null],
  [(one) => (one.headers["x-new"] = "1"), "header", "x-new", null, "1"],
  [(one) => (one.body["name"] = "coffee"), "body", "name", "tea", "coffee"],
  [(one) => (one.body["price"] = 2.51), "body", "price", 2.5, 2.51],
  [(one) => (one.body["stock"] = 8), "body", "stock", 7, 8],
  [(one) => (one.body.maker.address!.city = "Bern"), "body", "maker.address.city", "Zurich", "Bern"],
  [(one) => (one.body["stock"] = "7"), "body", "stock", 7, "7"],
  [(one) => (one.body["note"] = ""), "body", "note", null, ""],
  [(one) => (one.body["revision"] = "9"), "body", "revision", expect.any(Number), "9"],
  [(one) => (one.body["createdAt"] = 5), "body", "createdAt", expect.any(String), 5],
  [(one) => (one.body["id"] = "none"), "body", "id", expect.any(String), "none"],
  [(one) => delete one.body["name"], "body", "name", "tea", null],
  [(one) => delete one.body["id"], "body", "id", expect.any(String), null],
  [(one) => delete one.body.maker.address, "body", "maker.address", { city: "Zurich" }, null],
  [(one) => (one.body["extra"] = true), "body", "extra", null, true],
  [(one) => (one.body.maker.since = 1999), "body", "maker.since", null, 1999],
  [(one) => one.body.tags.pop(), "body", "tags[2]", "c", null],
  [(one) => one.body.tags.push("d"), "body", "tags[3]", null, "d"],
  [(one) => one.body.lines.reverse(), "body", "lines", [1, 2, 3], [3, 2, 1]],
  [(one) => one.body.lines.shift(), "body", "lines[0]", { id: 1, sku: "A-1", amount: 1 }, null],
  [(one) => (one.body.lines[1]!.sku = "B-3"), "body", "lines[1].sku", "B-2", "B-3"],
]

const contractNoise = new Set(["audit.by", "createdAt", "id", "revision"])

describe("the same server twice", () => {
  it("differs only by noise", async () => {
    await project.record("right")
    const { exitCode, stderr, differences, real } = await project.diff("left", "right")
    expect({ exitCode, stderr, real }).toEqual({ exitCode: 0, stderr: "", real: [] })
    const [first] = items
    const paths = differences.flatMap(({ block, what, path }) =>
      block === first?.id && what === "body" ? [path] : [],
    )
    expect(new Set(paths)).toEqual(contractNoise)
    const { stdout } = await project.call("diff", "left", "right")
    expect(stdout).toMatch(/^no differences \(24 blocks compared\)\nnoise: .* --json lists it\n$/)
  })

  it("equals itself", async () => {
    expect(await project.diff("left", "left")).toMatchObject({ exitCode: 0, differences: [], more: {} })
  })
})

describe("seeded changes", () => {
  it("are all found, and nothing else", async () => {
    const loop = (id: string, count: number) => ({
      id,
      type: "loop",
      mode: "times",
      count,
      iteratorVar: "i",
      blocks: [get(`${id}-get`, 99)],
    })
    const check = (value: number) => ({
      id: "check",
      type: "assert",
      assertions: [{ source: "old.response.body.stock", operator: "equals", value }],
    })
    const old = get("old", 31)
    await project.record("base", [
      ...items,
      old,
      get("gone", 32),
      loop("twice", 3),
      loop("more", 1),
      check(7),
    ])
    for (const [n, [change]] of seeds.entries()) project.changes.set(String(n), change)
    project.changes.set("99", (one) => (one.delayMs = 700))
    const added = [...items.slice(0, 20), get("new", 30), ...items.slice(20)]
    await project.record("changed", [...added, old, loop("twice", 2), loop("more", 2), check(8)])
    const { exitCode, differences, real } = await project.diff("base", "changed")
    expect(exitCode).toBe(1)
    const expected = [
      ...seeds.map(([, what, path, left, right], n) => ({
        block: `item-${n}`,
        what,
        ...(path === undefined ? {} : { path }),
        left,
        right,
      })),
      { block: "new", what: "added", left: null, right: 200 },
      { block: "gone", what: "missing", left: 200, right: null },
      { block: "twice-get", iteration: 2, what: "missing", left: 200, right: null },
      { block: "more-get", iteration: 1, what: "added", left: null, right: 200 },
      { block: "check", what: "status", left: "passed", right: "failed" },
    ]
    const key = ({ block, what }: { block: string; what: string }) => `${block} ${what}`
    const sorted = <T extends { block: string; what: string }>(list: readonly T[]) =>
      list.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
    expect(sorted(real)).toEqual(sorted(expected).map((one) => expect.objectContaining(one)))
    const slow = differences.filter(({ what }) => what === "duration")
    expect(slow.map(({ block, iteration, noise, reason }) => [block, iteration, noise, reason])).toEqual([
      ["twice-get", 0, true, "duration"],
      ["twice-get", 1, true, "duration"],
      ["more-get", 0, true, "duration"],
    ])
  })
})
