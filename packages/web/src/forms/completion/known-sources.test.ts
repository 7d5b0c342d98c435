import { afterEach, expect, it, vi } from "vitest"
import { reportQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { seenOf } from "./known-sources.ts"

const block = { id: "login", type: "request", status: "passed", durationMs: 3 }
const run = { workflow: "checkout", status: "passed", blocks: [block] }

const answers: Readonly<Record<string, unknown>> = {
  "runs.latest": { runs: [{ run: "r1", workflow: "checkout" }], going: [] },
  "runs.read": { report: { runs: [run] } },
}

const serve = (): void => {
  vi.stubGlobal("fetch", (path: string) => {
    const name = Object.keys(answers).find((known) => path.endsWith(known)) ?? ""
    return Promise.resolve(Response.json(answers[name]))
  })
}

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

it("shows what a comparison of runs has loaded before", async () => {
  serve()
  await queryClient.fetchQuery(reportQuery("r1"))
  expect(await seenOf("checkout", "login")).toEqual([block])
})

it("leaves the last report in the form that a comparison of runs needs", async () => {
  serve()
  expect(await seenOf("checkout", "login")).toEqual([block])
  expect(await queryClient.fetchQuery(reportQuery("r1"))).toEqual(run)
})
