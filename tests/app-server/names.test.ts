// AS-09, SR-11: names that would lead out of the project, in every call that takes one. None reaches a handler, and no answer
// tells whether what it points at is there.

import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { inputKinds } from "../../packages/app/src/api.ts"
import { json, startTestApp, type TestApp } from "./start-test-app.ts"
import { tell } from "./tell.ts"

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

/** Pairs of targets: one that is there on most machines, and one that is nowhere. */
const targets = [
  ["etc/passwd", "etc/passwd-nowhere"],
  ["etc", "nowhere-at-all"],
  ["proc/self/environ", "proc/self/nowhere"],
  ["Windows/win.ini", "Windows/nowhere.ini"],
] as const

const steps = [
  "../",
  "..\\",
  "./../",
  "%2e%2e/",
  "%2e%2e%2f",
  "..%2f",
  "..%5c",
  "%252e%252e%252f",
  "..;/",
  "....//",
  "..%c0%af",
  "．．/",
  "..\u0000/",
]
const depths = [1, 3, 8]
const ends = ["", "\u0000", "\u0000.json", ".", " "]
const roots = [
  "/",
  "//",
  "\\\\?\\C:\\",
  "\\\\server\\share\\",
  "C:/",
  "C:",
  "file:///",
  "~/",
  "/./",
  "shop/../../",
]
const devices = ["con", "NUL", "nul.json", "com1", "LPT1", "aux.", "prn ", "CONIN$", "com¹"]
const odd = [
  "", ".", "..", "...", " ", "shop ", " shop", "shop.", "shop/", "/shop", "shop\\", "shop\u0000", "shop\n", "shop#x", "shop?x",
  "Shop", "SHOP", "ſhop", "shop\u0301", "ｓｈｏｐ", "workflow", "__proto__", "-shop", "_shop", "shop.json", "*", "shop*", "{shop,x}",
  "a".repeat(256) + "/..", "A".repeat(100_000), "\ud800", "shop:stream", "shop::$DATA", "$HOME", "`id`", "$(id)", "%00", "shop%00",
] // prettier-ignore

/** Each name beside one that differs by what it points at alone, where there is such a one. */
function namePairs(): readonly (readonly [string, string])[] {
  const climbing = targets.flatMap(([there, nowhere]) =>
    steps.flatMap((step) =>
      depths.flatMap((depth) =>
        ends.slice(0, depth === 3 ? ends.length : 1).map((end): readonly [string, string] => {
          const up = step.repeat(depth)
          return [`${up}${there}${end}`, `${up}${nowhere}${end}`]
        }),
      ),
    ),
  )
  const absolute = roots.flatMap((root) =>
    targets.map(([there, nowhere]): readonly [string, string] => [`${root}${there}`, `${root}${nowhere}`]),
  )
  return [
    ...climbing,
    ...absolute,
    ...[...devices, ...odd].map((name): readonly [string, string] => [name, name]),
  ]
}

/** A name that is allowed, by the kind of a field. */
const good: Readonly<Record<string, string>> = { api: "shop", environment: "local", workflow: "checkout" }

/** What other fields hold meanwhile. */
const fillers: Readonly<Record<string, unknown>> = { text: "x", bindings: {}, values: {} }

/** Every field of every call that takes a name, and what such a name may be. */
const fields = Object.entries(inputKinds).flatMap(([call, kinds]) =>
  Object.entries(kinds).flatMap(([field, kind]) => (kind in good ? [{ call, field, kind, kinds }] : [])),
)

describe("AS-09: a name", () => {
  it.each(fields)(
    "that is none is refused before any handler: $field of $call",
    async ({ call, field, kind, kinds }) => {
      // What an API may not be called, a workflow may: `Shop`.
      const pairs = namePairs().filter(([name]) => kind === "api" || !odd.includes(name))
      const session = await app.enter()
      const others = Object.fromEntries(
        Object.entries(kinds).map(([name, other]) => [name, good[other] ?? fillers[other]]),
      )
      const answerOf = async (name: string) => {
        const body = JSON.stringify({ ...others, [field]: name })
        const target = `/api/${call}`
        const { status, body: answer } = await app.send({
          method: "POST",
          target,
          headers: [json, ...session],
          body,
        })
        return `${status} ${answer}`
      }
      const wrong: string[] = []
      for (const [there, nowhere] of pairs) {
        const answers = [await answerOf(there), await answerOf(nowhere)]
        if (answers[0] !== answers[1] || answers[0]?.startsWith("400 ") !== true) wrong.push(there)
      }
      expect(wrong).toEqual([])
      expect(app.calls).toEqual([])
      expect(new Set(pairs.flat()).size).toBeGreaterThan(500)
      // It was the name that was refused.
      expect(await answerOf(good[kind] ?? "")).toMatch(/^200 /)
      expect(app.calls).toHaveLength(1)
      tell(`names for ${field} of ${call}: ${new Set(pairs.flat()).size} tries: 0 successes`)
    },
  )

  it("is not repeated in the answer that refuses it", async () => {
    const answer = await app.post("/api/operations.list", { api: "../s3cret-name" }, await app.enter())
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      { code: "api-name", message: "api: no API can have this name" },
    ])
  })

  it("reaches the handler where the format allows it", async () => {
    const answer = await app.post("/api/operations.list", { api: "shop-2_a" }, await app.enter())
    expect(answer.status).toBe(200)
    expect(app.calls).toEqual([["operations.list", { api: "shop-2_a" }]])
  })
})

describe("an input", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [{}, "field-missing"],
    [{ api: null }, "field-type"],
    [{ api: 7 }, "field-type"],
    [{ api: ["shop"] }, "field-type"],
    [{ api: { toString: "shop" } }, "field-type"],
    [{ api: "shop", path: "/etc/passwd" }, "field-unknown"],
    [{ api: "shop", constructor: {} }, "field-unknown"],
    [[], "field-type"],
    ["shop", "field-type"],
    [null, "field-type"],
    [7, "field-type"],
  ]

  it.each(wrong)("is refused where it is %j", async (input, code) => {
    const answer = await app.post("/api/operations.list", input, await app.enter())
    expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([400, code])
    expect(app.calls).toEqual([])
  })

  it.each(['{"api":"shop","__proto__":{}}', "{", "", '{"api":"shop"}x', '\ufeff{"api":"shop"}', "\xff"])(
    "is refused where its text is %j",
    async (body) => {
      const headers = [json, ...(await app.enter())]
      const answer = await app.send({ method: "POST", target: "/api/operations.list", headers, body })
      expect(answer.status).toBe(400)
      expect(app.calls).toEqual([])
    },
  )
})
