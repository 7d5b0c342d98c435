import { CallsheetError, type JsonValue, type RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { createBugs } from "../session/bugs.ts"
import { MASK } from "./mask.ts"
import { createOutlet, type CompleteListener, type CompleteListeners, type OutletOptions } from "./outlet.ts"
import type { RunSecret } from "../session/session-options.ts"

const written = (text: string): RunEvent => ({ type: "log.written", run: 0, block: 1, text })
const made = (outputs: Record<string, JsonValue>): RunEvent => ({
  type: "outputs.made",
  run: 0,
  block: 1,
  outputs,
})

function stored(listener: CompleteListener): CompleteListeners {
  const events: { event: RunEvent; learned: number }[] = []
  const add = (event: RunEvent, learned: number): void => void events.push({ event, learned })
  return { listeners: [listener], kept: { add, [Symbol.iterator]: () => events.values() } }
}

/** Creates an outlet with the secret `kn0wn`. Collects the events of both kinds of listeners. */
function listened(options: Partial<OutletOptions> = {}) {
  const live: RunEvent[] = []
  const complete: RunEvent[] = []
  const outlet = createOutlet(["kn0wn"], {
    exchanges: true,
    isConcurrent: false,
    bugs: createBugs(undefined),
    watch: [],
    listen: [(event) => live.push(event)],
    complete: stored({ listen: (event) => complete.push(event) }),
    ...options,
  })
  return { ...outlet, live, complete }
}

describe("an outlet", () => {
  it("masks known secrets for every listener", () => {
    const { emit, end, live, complete } = listened()
    emit(written("is kn0wn"))
    expect(live).toEqual([written("is ***")])
    expect(complete).toEqual([])
    end()
    expect(complete).toEqual(live)
  })

  it("passes complete listeners the same events as live ones, if no secret was learned since", () => {
    const { emit, end, keepSecret, live, complete } = listened()
    emit(made({ a: "t0ken-42" }))
    keepSecret("t0ken-42", "a")
    emit(made({ a: "b" }))
    end()
    expect(complete[1]).toBe(live[1])
    expect(complete).toEqual([made({ a: "***" }), made({ a: "b" })])
  })

  it("passes on a long stream in order, and masks earlier events again for secrets learned later", () => {
    const { emit, end, keepSecret, complete } = listened()
    const text = (number: number): string => `${number} t0ken-42`
    for (let number = 0; number < 5000; number++) {
      if (number === 2500) keepSecret("t0ken-42", "a")
      emit(written(text(number)))
    }
    end()
    expect(complete).toEqual(Array.from({ length: 5000 }, (_, number) => written(`${number} ***`)))
  })

  it("stores only the events that are read", () => {
    const heard: string[] = []
    const read = { listen: ({ type }: RunEvent) => heard.push(type), reads: ["log.written"] } as const
    const complete = stored(read)
    const { emit, end } = listened({ complete })
    emit(made({}))
    emit(written("a"))
    end()
    expect(heard).toEqual(["log.written"])
    expect([...complete.kept]).toHaveLength(1)
  })

  it("masks stored events again when it passes them on", () => {
    let again: RunEvent | undefined
    const first = written("kn0wn and t0ken-42")
    const { emit, keepSecret } = listened({
      listen: [(event, latest) => void (again = latest.event(event === first ? event : first))],
    })
    emit(written("a"))
    expect(again).toBe(first)
    keepSecret("t0ken-42", "a")
    emit(written("b"))
    expect(again).toEqual(written("kn0wn and ***"))
  })

  it("masks a learned secret that contains a known one", () => {
    const { emit, end, keepSecret, complete } = listened()
    emit(written("is a-kn0wn-b"))
    keepSecret("a-kn0wn-b", "a")
    end()
    expect(complete).toEqual([written("is ***")])
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

  it("RP-03: masks before it truncates", () => {
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
