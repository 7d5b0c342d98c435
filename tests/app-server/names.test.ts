// Names that would lead out of the project, in every call that takes one. None reaches a handler, and no
// response reveals whether its target exists.

import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { shapes, Shape } from "@callsheet/format"
import { calls, type FileName } from "@callsheet/server/calls"
import { fileName } from "../../packages/server/src/calls/files.ts"
import {
  apiName,
  checkApiName,
  environmentName,
  requestName,
  runName,
  subjectName,
  workflowName,
} from "../../packages/server/src/calls/names.ts"
import { placeOf } from "../../packages/server/src/files/file-context.ts"
import { namePairs, odd } from "./attack-names.ts"
import { requestText, sendAll } from "./raw-client.ts"
import { json, startTestApp, type TestApp } from "./start-test-app.ts"
import { tell } from "../harness/tell.ts"

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

/** Valid names of each kind. */
const good = {
  api: "shop",
  environment: "local",
  request: "mine",
  workflow: "checkout",
  run: "20260101T000000000Z-0123456789abcdef",
}

/** The kind of name in a field, by the field's shape. */
const namedBy = new Map<Shape, keyof typeof good>([
  [apiName, "api"],
  [environmentName, "environment"],
  [requestName, "request"],
  [workflowName, "workflow"],
  [subjectName, "workflow"],
  [runName, "run"],
])

/** Names may be null too. */
const nameIn = (shape: Shape): keyof typeof good | undefined =>
  shape.is === "either" ? shape.of.map((one) => namedBy.get(one)).find(Boolean) : namedBy.get(shape)

/** A file of each kind, by the kinds of the parts of its name. */
const goodFiles = [
  { kind: "workflow", workflow: "checkout" },
  { kind: "script", workflow: "checkout", script: "checks/total" },
  { kind: "request", api: "shop", resource: "orders", request: "mine" },
  { kind: "schema", api: "shop" },
  { kind: "environment", api: "shop", environment: "local" },
] as const satisfies readonly FileName[]

/** Values of the other fields, by name. */
const fillers: Readonly<Record<string, unknown>> = {
  operation: "x",
  plan: "x",
  fetched: "x",
  login: "x",
  scheme: "x",
  sources: [{ name: "shop.json", text: "{}" }],
  text: "x",
  environments: {},
  inputs: {},
  etag: null,
  level: null,
  verify: null,
  variable: "apiKey",
  purpose: "show",
  parameters: [],
  set: {},
  unset: [],
  change: { do: "delete", name: "apiKey" },
  files: [],
  asNoise: false,
  keepsState: false,
}

function goodValue(name: string, shape: Shape): unknown {
  const named = nameIn(shape)
  if (named !== undefined) return good[named]
  return shape === fileName ? goodFiles[0] : fillers[name]
}

interface NamedField {
  readonly call: string
  readonly field: string
  readonly kind: string
  readonly allowed: string
  /** The input with this name at that position. */
  readonly holding: (name: string) => unknown
}

/** Every field of every call that takes a name, or a part of one, and the valid kinds of names. */
const fields = Object.entries(calls).flatMap(([call, { input }]) => {
  const declared = Object.entries<shapes.Field>(input.fields)
  const others = Object.fromEntries(
    declared
      .filter(([, { required }]) => required)
      .map(([name, { shape }]) => [name, goodValue(name, shape)]),
  )
  return declared.flatMap(([field, { shape }]): readonly NamedField[] => {
    if (shape === fileName)
      return goodFiles.flatMap(({ kind: of, ...parts }) =>
        Object.entries(parts).map(([part, allowed]) => ({
          call,
          field: `${part} of the ${of} that is the ${field}`,
          kind: part,
          allowed,
          holding: (name) => ({ ...others, [field]: { kind: of, ...parts, [part]: name } }),
        })),
      )
    if (shape.is === "map" && shape.checkKey === checkApiName)
      return [
        {
          call,
          field: `an API of ${field}`,
          kind: "api",
          allowed: "shop",
          holding: (name) => ({ ...others, [field]: { [name]: "local" } }),
        },
        {
          call,
          field: `an environment of ${field}`,
          kind: "environment",
          allowed: "local",
          holding: (name) => ({ ...others, [field]: { shop: name } }),
        },
      ]
    const kind = nameIn(shape)
    if (kind === undefined) return []
    return [{ call, field, kind, allowed: good[kind], holding: (name) => ({ ...others, [field]: name }) }]
  })
})

/** The kinds of names that are free text: some that look like an attack are valid names. */
const freeKinds = ["script", "resource", "request"]

/** Decides whether every system treats each part of a path as a name, and none as a separator. */
const isHarmless = (path: string): boolean =>
  !/[\\:\u0000-\u001f]/.test(path) &&
  path
    .split("/")
    .every((part) => part !== "" && part !== "." && !part.startsWith("..") && !/[. ]$/.test(part))

/** The path of the file that an input names: whole, or by the parts of a saved request's name. */
function pathOf(input: unknown): string {
  const { file, ...parts } = input as { readonly file?: FileName }
  return placeOf(file ?? ({ ...parts, kind: "request" } as FileName)).file
}

describe("a name", () => {
  it.each(fields)(
    "that is invalid is rejected before any handler: $field of $call",
    async ({ call, field, kind, allowed, holding }) => {
      const isFree = freeKinds.includes(kind)
      // A workflow can have a name that an API can't: `Shop`.
      const pairs = namePairs().filter(([name]) => kind === "api" || isFree || !odd.includes(name))
      const session = await app.enter()
      const headers = [["host", app.host] as const, json, ...session]
      const answersOf = async (names: readonly string[]) => {
        const bodies = names.map((name) => JSON.stringify(holding(name)))
        const requests = bodies.map((body) =>
          requestText({ method: "POST", target: `/api/${call}`, headers, body }),
        )
        return (await sendAll(app.port, requests)).map(({ status, body }) => `${status} ${body}`)
      }
      const answers = await answersOf(pairs.flat())
      expect(answers).toHaveLength(2 * pairs.length)
      const wrong = pairs.flatMap(([there], at) => {
        const [first, second] = answers.slice(2 * at)
        const isRefused = first?.startsWith("400 ") === true
        return first !== second || !(isRefused || isFree) ? [there] : []
      })
      expect(wrong).toEqual([])
      const taken = app.calls.map(([, input]) => pathOf(input))
      expect(taken.filter((path) => !isHarmless(path))).toEqual([])
      if (!isFree) expect(taken).toEqual([])
      expect(new Set(pairs.flat()).size).toBeGreaterThan(500)
      // The name was rejected.
      const before = app.calls.length
      expect(await answersOf([allowed])).toEqual([expect.stringMatching(/^200 /)])
      expect(app.calls).toHaveLength(before + 1)
      tell(
        `names for ${field} of ${call}: ${new Set(pairs.flat()).size} tries: 0 successes, ${taken.length} plain names`,
      )
    },
  )

  it("is not repeated in the response that rejects it", async () => {
    const answer = await app.post("/api/operations.list", { api: "../s3cret-name" }, await app.enter())
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      { code: "api-name", message: "api: no API can have this name" },
    ])
  })

  it("reaches the handler if the format allows it", async () => {
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

  it.each(wrong)("is rejected if it is %j", async (input, code) => {
    const answer = await app.post("/api/operations.list", input, await app.enter())
    expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([400, code])
    expect(app.calls).toEqual([])
  })

  it.each(['{"api":"shop","__proto__":{}}', "{", "", '{"api":"shop"}x', '\ufeff{"api":"shop"}', "\xff"])(
    "is rejected if its text is %j",
    async (body) => {
      const headers = [json, ...(await app.enter())]
      const answer = await app.send({ method: "POST", target: "/api/operations.list", headers, body })
      expect(answer.status).toBe(400)
      expect(app.calls).toEqual([])
    },
  )
})
