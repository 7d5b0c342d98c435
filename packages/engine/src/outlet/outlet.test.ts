import { CallsheetError, type JsonValue, type RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { createBugs } from "../session/bugs.ts"
import { MASK } from "./mask.ts"
import { createOutlet, type OutletOptions } from "./outlet.ts"
import { SessionLog } from "./session-log.ts"
import type { RunSecret } from "../ports.ts"

const written = (text: string): RunEvent => ({ type: "log.written", run: 0, block: 1, text })
const made = (outputs: Record<string, JsonValue>): RunEvent => ({
  type: "outputs.made",
  run: 0,
  block: 1,
  outputs,
})

/** Creates an outlet with the secret `kn0wn`. Collects the events live and in a log. */
function listened(options: Partial<OutletOptions> = {}) {
  const live: RunEvent[] = []
  const log = new SessionLog()
  const outlet = createOutlet(["kn0wn"], {
    exchanges: true,
    isConcurrent: false,
    bugs: createBugs(undefined),
    watch: [],
    listen: [(event) => live.push(event), log.append],
    ...options,
  })
  return { ...outlet, live, log }
}

describe("an outlet", () => {
  it("masks known secrets for every listener", () => {
    const { emit, live, log } = listened()
    emit(written("is kn0wn"))
    expect(live).toEqual([written("is ***")])
    expect([...log]).toEqual(live)
  })

  it("has a log that masks earlier events again for secrets learned later", () => {
    const { emit, keepSecret, live, log } = listened()
    emit(made({ a: "t0ken-42" }))
    expect([...log][0]).toBe(live[0])
    keepSecret("t0ken-42", "a")
    emit(made({ a: "t0ken-42" }))
    emit(made({ a: "b" }))
    expect(live[0]).toEqual(made({ a: "t0ken-42" }))
    expect([...log]).toEqual([made({ a: "***" }), made({ a: "***" }), made({ a: "b" })])
    expect([...log][2]).toBe(live[2])
  })

  it("moves its log to another store, masked again", () => {
    const { emit, keepSecret, log } = listened()
    emit(written("t0ken-42"))
    keepSecret("t0ken-42", "a")
    const store: RunEvent[] = []
    log.moveTo(store)
    emit(written("b"))
    expect(store).toEqual([written("***"), written("b")])
    expect([...log]).toEqual(store)
  })

  it("masks a learned secret that contains a known one", () => {
    const { emit, keepSecret, log } = listened()
    emit(written("is a-kn0wn-b"))
    keepSecret("a-kn0wn-b", "a")
    expect([...log]).toEqual([written("is ***")])
  })

  it("truncates values, unless exchanges are read", () => {
    const long = { a: "x".repeat(5000) }
    const cut = listened({ exchanges: false })
    cut.emit(made(long))
    expect(cut.live).toEqual([made({ a: `${"x".repeat(4000)}… (5000 characters)` })])
    const whole = listened()
    whole.emit(made(long))
    expect(whole.live).toEqual([made(long)])
  })

  it("masks before it truncates", () => {
    const { emit, live } = listened({ exchanges: false })
    emit(made({ a: `${"x".repeat(3998)}kn0wn${"y".repeat(2000)}` }))
    expect(live).toEqual([made({ a: `${"x".repeat(3998)}**… (6003 characters)` })])
  })

  it("masks a misuse and leaves any other error unchanged", () => {
    const { errorOf } = listened()
    const misuse = new CallsheetError({ code: "usage", message: "no kn0wn", hint: "try kn0wn" })
    expect(errorOf(misuse)).toMatchObject({ code: "usage", message: "no ***", hint: "try ***" })
    for (const error of [new Error("kn0wn"), new CallsheetError({ code: "usage", message: "no" })])
      expect(errorOf(error)).toBe(error)
  })
})

describe("the secrets that a session finds", () => {
  it("are masked and reported with their position", () => {
    const reported: RunSecret[] = []
    const { keepSecret, secrets } = listened({ onSecret: (secret) => reported.push(secret) })
    for (const value of ["t0ken-42", "t0ken-42", "kn0wn"])
      expect(keepSecret(value, "a.response")).toBeUndefined()
    expect(secrets.text("Bearer t0ken-42")).toBe(`Bearer ${MASK}`)
    expect(reported).toEqual([{ name: "a.response", value: "t0ken-42" }])
  })

  it("are limited by count, and known ones don't count", () => {
    const { keepSecret } = listened()
    for (let count = 0; count < 99_999; count++) keepSecret(count, "n")
    const last = "the last one"
    expect([keepSecret(last, "n"), keepSecret(last, "n"), keepSecret(100_000n, "n")]).toEqual([
      undefined,
      undefined,
      expect.objectContaining({
        code: "secrets-unmasked",
        message: expect.stringContaining("the limit is 100000"),
      }),
    ])
    expect([keepSecret(last, "n"), keepSecret(7, "n")]).toEqual([undefined, undefined])
  })

  it("are limited by size", () => {
    const { keepSecret, secrets } = listened()
    const refusals = Array.from({ length: 64 }, (_, index) =>
      keepSecret(String(index).padStart(512 * 1024, "x"), "n"),
    )
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([])
    expect(keepSecret("more", "n")).toMatchObject({
      message: expect.stringMatching(/the limit is 100000 secrets with 33554432 characters/),
    })
    expect(secrets.text("and more")).toBe("and more")
  })
})
