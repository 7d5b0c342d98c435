// `--reporter allure`: a directory that Allure's own reader reads, with a place for everything that a suite does.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Answer } from "../harness/api-server.ts"
import { hostile, openNightly } from "./nightly-suite.ts"
import { outlineOf, readAllure } from "./read-allure.ts"
import { echo, request, shopFiles } from "./shop-project.ts"

it("has a result for each run of a suite, with steps, attachments, labels and retries", async () => {
  const { api, folder, run } = await openNightly()
  const { exitCode, stdout } = await run("--reporter=allure=results")
  expect(exitCode).toBe(1)
  expect(stdout).toContain("buy (row 2)")
  const { results, attached, globals, metadata } = await readAllure(join(folder, "results"))
  // Two runs can start in the same millisecond.
  const order = ["sign-in (before)", "flaky", "buy (row 1)", "buy (row 2)", "late", "clean-up (cleanup)"]
  const placeOf = ({ name = "", flaky = false }: (typeof results)[number]): number =>
    order.indexOf(name) + (flaky ? 0.5 : 0)
  results.sort((one, other) => placeOf(one) - placeOf(other))
  const labels = (name: string) => (result: (typeof results)[number]) =>
    result.labels?.find((label) => label.name === name)?.value
  expect(
    results.map((result) => [
      result.name,
      result.status,
      labels("parentSuite")(result),
      labels("suite")(result),
      labels("tag")(result),
    ]),
  ).toEqual([
    ["sign-in (before)", "passed", "nightly", "sign-in", "before"],
    ["flaky", "failed", "nightly", "flaky", undefined],
    ["flaky", "passed", "nightly", "flaky", undefined],
    ["buy (row 1)", "passed", "nightly", "buy", undefined],
    ["buy (row 2)", "failed", "nightly", "buy", undefined],
    ["late", "skipped", "nightly", "late", undefined],
    ["clean-up (cleanup)", "passed", "nightly", "clean-up", "finally"],
  ])
  const [, first, second, good, bad, late] = results
  expect(second).toMatchObject({ historyId: first?.historyId, testId: first?.testId, flaky: true })
  expect(second?.uuid).not.toBe(first?.uuid)
  expect(bad).toMatchObject({ testId: good?.testId, fullName: "nightly › buy" })
  expect(bad?.historyId).not.toBe(good?.historyId)
  expect(bad?.parameters).toMatchObject([
    { name: "row", value: "2" },
    { name: "sku", value: '"BAD"', excluded: true },
  ])
  expect(bad?.message).toMatch(/^check: /)
  expect(bad?.trace).toContain("sku does not equal")
  expect(late?.message).toBe("--bail ended the run")
  expect(outlineOf(bad?.steps)).toEqual([
    "order: POST /orders 201 passed",
    "  + Exchange",
    "twice passed",
    "  [0] passed",
    "    look: GET /echo 200 passed",
    "      + Exchange",
    "  [1] passed",
    "    look: GET /echo 200 passed",
    "      + Exchange",
    "check failed",
    '  sku does not equal "BAD" failed',
    "check-order passed",
    "  order.response.status equals 201 passed",
    "+ Warnings",
  ])
  const exchanges = [...attached.values()].filter((text) => text.startsWith("{"))
  expect(exchanges.map((text) => JSON.parse(text) as unknown)).toContainEqual({
    request: expect.objectContaining({ method: "POST", url: `${api.url}/orders`, body: { sku: "BAD" } }),
    response: expect.objectContaining({ status: 201, body: { id: 7 } }),
  })
  expect(globals).toMatchObject([{ attachments: [{ name: "Leftovers" }], errors: [] }])
  expect([...attached.values()].some((text) => text.includes(`${api.url}/orders/7`))).toBe(true)
  expect(metadata).toContainEqual({ allure_environment: [{ name: "shop", values: ["local"] }] })
})

it("has the same history for the same runs of another session, beside the results of the first", async () => {
  const { call, folder } = await openNightly()
  const ids = async () => (await readAllure(join(folder, "results"))).results
  await call("run", "sign-in", "--repeat=2", "--env=local", "--reporter=allure=results")
  await call("run", "sign-in", "--repeat=2", "--env=local", "--reporter=allure=results")
  const results = await ids()
  expect(new Set(results.map(({ uuid }) => uuid)).size).toBe(4)
  expect(new Set(results.map(({ historyId }) => historyId)).size).toBe(2)
  expect(new Set(results.map(({ testId }) => testId)).size).toBe(1)
})

it("says that a run could not start, and what failed a session whose runs passed", async () => {
  const { call, folder } = await openNightly({ "GET /orders": { status: 404, body: {} } })
  const words = ["run", "sign-in", "--strict"]
  expect(await call(...words, "--env=nowhere", "--reporter=allure=broken")).toMatchObject({ exitCode: 2 })
  const broken = await readAllure(join(folder, "broken"))
  expect(broken.results).toMatchObject([{ status: "broken", message: expect.stringContaining("nowhere") }])
  expect(await call(...words, "--env=local", "--reporter=allure=strict")).toMatchObject({ exitCode: 1 })
  const { results, globals, attached } = await readAllure(join(folder, "strict"))
  expect(results).toMatchObject([{ status: "passed" }])
  expect(outlineOf(results[0]?.steps)).toContain("+ Warnings")
  expect([...attached.values()].join("\n")).toContain("status-unread")
  expect(globals).toMatchObject([{ errors: [{ message: expect.stringContaining("--max-warnings") }] }])
})

it("lists a skipped group as one step, and parallel iterations in the order in which they started", async () => {
  let answer: ((answer: Answer) => void) | undefined
  const first = new Promise<Answer>((resolve) => (answer = resolve))
  const slow = {
    "/items/0": () => first,
    "/items/2": () => {
      answer?.({ body: {} })
      return { body: {} }
    },
  }
  const get = request("get", { operation: "getItem", overrides: { params: { path: { id: "{{i}}" } } } })
  const { call, folder } = await openNightly({ ...slow, "*": { body: {} } }, (url) =>
    shopFiles(
      url,
      [
        {
          id: "all",
          type: "loop",
          mode: "times",
          count: 3,
          execution: "parallel",
          iteratorVar: "i",
          blocks: [get],
        },
        {
          id: "maybe",
          type: "condition",
          if: { source: "word", operator: "equals", value: "other" },
          then: [{ id: "inner", type: "group", blocks: [echo("never")] }],
          else: [],
        },
      ],
      { inputs: { word: { type: "string", default: "x" } } },
    ),
  )
  const { exitCode, stderr } = await call("run", "w", "--env=local", "--reporter=allure=results")
  expect(exitCode, stderr).toBe(0)
  const { results } = await readAllure(join(folder, "results"))
  expect(outlineOf(results[0]?.steps).filter((line) => !line.includes("+"))).toEqual([
    "all passed",
    "  [0] passed",
    "    get: GET /items/0 200 passed",
    "  [1] passed",
    "    get: GET /items/1 200 passed",
    "  [2] passed",
    "    get: GET /items/2 200 passed",
    "maybe passed",
    "  inner skipped",
  ])
})

it("contains no command and no control character, whatever a server sends", async () => {
  const { run, folder } = await openNightly({ "POST /orders": { status: 500, body: hostile } })
  await run("--reporter=allure=results")
  const { attached } = await readAllure(join(folder, "results"))
  expect([...attached.values()].join("\n")).toContain("onerror=alert(1)")
  for (const name of readdirSync(join(folder, "results")))
    expect(readFileSync(join(folder, "results", name), "utf8"), name).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##[a-z]*\[/m,
    )
})

it("needs a directory, and refuses to write over a file before anything is sent", async () => {
  const { api, call, folder } = await openNightly()
  const words = ["run", "sign-in", "--env=local"]
  const missing = await call(...words, "--reporter=allure")
  expect(missing).toMatchObject({ exitCode: 2, stdout: "" })
  expect(missing.stderr).toContain("--reporter allure=allure-results")
  writeFileSync(join(folder, "results"), "mine")
  const refused = await call(...words, "--reporter=allure=results")
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" })
  expect(refused.stderr).toContain(`can't write the report "results": a part of its path is a file`)
  expect(readFileSync(join(folder, "results"), "utf8")).toBe("mine")
  expect(api.requests).toEqual([])
})

it("keeps other files in the directory", async () => {
  const { call, folder } = await openNightly()
  mkdirSync(join(folder, "results"))
  writeFileSync(join(folder, "results", "categories.json"), "[]")
  await call("run", "sign-in", "--env=local", "--reporter=allure=results")
  expect(readdirSync(join(folder, "results"))).toHaveLength(4)
  expect(readFileSync(join(folder, "results", "categories.json"), "utf8")).toBe("[]")
})
