import { createReportFold, type RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { createEventVerifier } from "./verify-events.ts"

const logged = (text: string): RunEvent => ({ type: "log.written", run: 0, block: 1, text })

/** Returns the output of a run that knows a secret, logs a text, and captures another secret. */
function verified(text: string, { value = "k3y-canary-77", late = "l8-canary", isHeard = true } = {}) {
  const { onSecrets, hear, verify } = createEventVerifier()
  onSecrets([{ name: "shop.apiKey", value }])
  hear(logged(text), isHeard)
  onSecrets([{ name: "signin.response.body.token", value: late }])
  return () => verify(createReportFold().report)
}

const leaked = (name: string) =>
  expect.objectContaining({
    code: "secret-leaked",
    message: `the events or the report contain the values of these secrets: ${name}`,
  })

describe("the events of a verified run", () => {
  it("may contain what was masked", () => {
    expect(verified("*** passed")).not.toThrow()
    expect(verified("passed", { value: "passed" })).not.toThrow()
  })

  it("contain no secret without an error that names it", () => {
    expect(verified('"k3y-canary-77"')).toThrow(leaked("shop.apiKey"))
  })

  it("contain no secret learned later without an error, if a listener received them", () => {
    expect(verified("l8-canary")).toThrow(leaked("signin.response.body.token"))
    expect(verified("l8-canary", { isHeard: false })).not.toThrow()
  })
})

it("finds a secret in an unmasked report", () => {
  const { onSecrets, verify } = createEventVerifier()
  onSecrets([{ name: "shop.apiKey", value: "k3y-canary-77" }])
  const { report, apply } = createReportFold()
  apply({
    type: "run.started",
    run: 0,
    workflow: "w",
    startedAt: "2026-11-21T10:00:00.000Z",
    environments: {},
    inputs: { key: "k3y-canary-77" },
  })
  expect(() => verify(report)).toThrow(leaked("shop.apiKey"))
})
