// Checks the problems of callsheet.json: its own, and those of the workflows, environments and inputs that it names.

import { describe, expect, it } from "vitest"
import { findingsOf, linesOf } from "../testing/project-of.ts"
import { create, expects, get, shop } from "../testing/shop.ts"

const environments = {
  ...shop.environments,
  "live.json": { baseUrl: "http://127.0.0.1:1", level: "production" },
  "eu.json": { extends: "live" },
}

const workflows = {
  seed: { version: 1, blocks: [create, expects("create.response.status", "equals", 201)] },
  pay: {
    version: 1,
    inputs: {
      id: { type: "string", required: true },
      count: { type: "number" },
      gift: { type: "boolean", required: true, default: false },
    },
    blocks: [
      get("order", "{{id}}"),
      { id: "out", type: "transform", transforms: { total: "order.response.body.total" } },
    ],
  },
  cancel: { version: 1, inputs: { id: { type: "string", required: true } }, blocks: [get("gone", "{{id}}")] },
}

const files = (settings: object) => ({
  workflows,
  apis: { shop: { ...shop, environments } },
  settings: { version: 1, ...settings },
})
const findings = (settings: object) => findingsOf(files(settings))
const suite = (parts: object) => findings({ suites: { s: { workflows: [], ...parts } } })
const pay = (more: object) => ({ workflow: "pay", inputs: { id: "1" }, ...more })
const finallyOf = (id: string) =>
  suite({ before: ["seed"], workflows: [pay({ finally: [{ workflow: "cancel", inputs: { id } }] })] })
const main = (id: unknown, before: unknown[] = ["seed"]) =>
  suite({ before, workflows: [{ workflow: "pay", inputs: { id } }] })

describe("callsheet.json", () => {
  it("has no findings if it is right", async () => {
    expect(
      await findings({
        defaults: { env: { shop: "local" } },
        suites: {
          s: {
            before: [
              { workflow: "seed", as: "first" },
              { workflow: "pay", inputs: { id: "{{first.create.response.body.id}}", count: "2" } },
            ],
            workflows: [
              {
                workflow: "pay",
                as: "again",
                inputs: { id: "{{pay.out.total}}-{{$uuid}}", count: "{{pay.out.total}}", gift: true },
                env: { shop: "live" },
                data: "there/rows.csv",
                finally: [
                  {
                    workflow: "cancel",
                    inputs: { id: "{{order.response.body.id}}{{env.shop.size}}" },
                    finally: [{ workflow: "cancel", inputs: { id: "{{gone.response.body.id}}" } }],
                  },
                ],
              },
            ],
            finally: [{ workflow: "cancel", inputs: { id: "{{first.create.response.body.id}}" } }],
            env: { shop: "local" },
          },
        },
      }),
    ).toEqual([])
  })

  it.each<[object, string]>([
    [{ env: { shp: "local" } }, 'error api-unknown: the API "shp" does not exist | did you mean "shop"?'],
    [{ env: { shop: "locl" } }, 'error env-missing: the API "shop" has no environment "locl"'],
    [{ env: { shop: "live" } }, 'the environment "live" of "shop" is a production environment'],
    [{ env: { shop: "eu" } }, 'the environment "eu" of "shop" is a production environment'],
  ])("reports the defaults %j", async (defaults, expected) => {
    expect(await findings({ defaults })).toEqual([expect.stringContaining(expected)])
  })

  it("warns about the address of a document whose API doesn't exist, and where", async () => {
    const address = "https://shop.test/openapi.json"
    expect(await findings({ sources: { shop: address } })).toEqual([])
    expect(await findings({ sources: { shop: address, shpo: address } })).toEqual([
      'warning api-unknown: the API "shpo" does not exist | did you mean "shop"?',
    ])
    const settings = `{\n  "version": 1,\n  "sources": {\n    "shpo": "${address}"\n  }\n}\n`
    expect(await linesOf({ ...files({}), settings })).toEqual([
      'callsheet.json:4:5: the API "shpo" does not exist (api-unknown)',
    ])
  })

  it.each<[object, string]>([
    [{ env: { pay: "local" }, workflows: ["seed"] }, 'error api-unknown: the API "pay" does not exist'],
    [{ workflows: [{ workflow: "seed", env: { shop: "x" } }] }, 'error env-missing: the API "shop" has no'],
    [{ workflows: [] }, 'warning field-value: "workflows" is empty: the suite runs nothing'],
    [
      { workflows: ["sed"] },
      'error workflow-unknown: the project has no workflow "sed" | did you mean "seed"?',
    ],
    [{ workflows: ["x-*"] }, 'error workflow-unknown: no workflow matches "x-*"'],
    [{ workflows: ["seed", "seed"] }, 'error id-duplicate: "seed" is already the name of the entry at'],
    [{ workflows: ["pay"] }, 'warning input-missing: the workflow "pay" requires the input "id"'],
    [{ workflows: ["seed"], finally: ["cancel"] }, 'error input-missing: the workflow "cancel" requires'],
    [{ workflows: ["seed"], before: ["cancel"] }, 'error input-missing: the workflow "cancel" requires'],
    [{ workflows: [pay({ inputs: { id: "1", idd: 1 } })] }, 'error input-unknown: the workflow "pay"'],
    [{ workflows: [pay({ inputs: { id: 1 } })] }, 'error input-type: the input "id" is declared as a string'],
    [{ workflows: [pay({ inputs: { id: "1", count: "x" } })] }, 'the input "count" is declared as a number'],
    [{ workflows: [pay({ inputs: { id: "1", count: null } })] }, 'the input "count" is declared as a number'],
    [
      { workflows: [pay({ inputs: { id: { a: 1 } } })] },
      'error input-type: the input "id" is declared as a string',
    ],
    [{ workflows: [pay({ data: "rows.csv" })] }, "error file-unreadable: it is not there"],
    [{ workflows: [pay({ data: "../rows.csv" })] }, "error link-outside: it is outside"],
  ])("reports the suite %j", async (parts, expected) => {
    expect(await suite(parts)).toEqual([expect.stringContaining(expected)])
  })

  it("takes required inputs from rows, and inputs of a pattern from any of its workflows", async () => {
    expect(await suite({ workflows: [{ workflow: "pay", data: "there/rows.csv" }] })).toEqual([])
    const inputs = { id: "1", count: 2 }
    expect(await suite({ workflows: [{ workflow: "*", inputs }] })).toEqual([])
    expect(await suite({ workflows: [{ workflow: "*", inputs: { ...inputs, x: 1 } }] })).toEqual([
      expect.stringContaining('declare the input "x"'),
    ])
  })

  it.each([
    [
      "{{sed.create.response.body.id}}",
      'error token-unresolved: suites.s.workflows[0].inputs.id: {{sed.create.response.body.id}}: nothing is named "sed" here | did you mean "seed"?',
    ],
    ["{{seed}}", 'error token-unresolved: suites.s.workflows[0].inputs.id: {{seed}}: "seed" is an entry'],
    ["{{seed.creat.response}}", 'the workflow "seed" has no block "creat" | did you mean "create"?'],
    ["{{seed.check.x}}", 'the block "check" has no result, because its type is "assert"'],
    [
      "{{seed.create.body}}",
      'error token-unresolved: suites.s.workflows[0].inputs.id: {{seed.create.body}}: create has no property "body"',
    ],
    [
      "{{seed.create.response.body.idd}}",
      'warning token-unresolved: suites.s.workflows[0].inputs.id: {{seed.create.response.body.idd}}: create.response.body has no property "idd" | did you mean "id"?',
    ],
    [
      "{{seed.create.response.body.lines}}",
      'warning input-type: "id" is declared as a string, but its value is an array',
    ],
    ["{{order.response.body.id}}", 'nothing is named "order" here'],
    ["{{id}}", 'nothing is named "id" here'],
    ["{{$uid}}", '"$uid" is not a dynamic value'],
    ["{{$index}}", '"$index" exists only inside a loop'],
    ["{{env.shp.size}}", 'this workflow sends no request to an API named "shp"'],
    ["{{env.shop.siz}}", 'the API "shop" doesn\'t declare a variable "siz"'],
  ])("reports %s in a main entry", async (id, expected) => {
    expect(await main(id)).toEqual([expect.stringContaining(expected)])
  })

  it("warns about undocumented steps only if the document excludes them or has a similar name", async () => {
    expect(await main("{{seed.create.response.body.extra.other}}")).toEqual([])
    expect(await main("{{seed.create.response.body.zzz}}")).toEqual([
      expect.stringContaining("warning token-unresolved: suites.s.workflows[0].inputs.id"),
    ])
  })

  it("lets an entry of before read only earlier ones", async () => {
    const reader = { workflow: "pay", inputs: { id: "{{seed.create.response.body.id}}" } }
    expect(await suite({ before: ["seed", reader], workflows: ["seed*"] })).toEqual([])
    expect(await suite({ before: [reader, "seed"], workflows: ["seed*"] })).toEqual([
      expect.stringContaining('nothing is named "seed" here'),
    ])
  })

  it.each([
    ["{{seed.create.response.body.id}}", []],
    ["{{order.response.body.id}}", []],
    ["{{out.total}}", ['warning input-type: "id" is declared as a string, but its value is a number']],
    ["{{ordr.response.body.id}}", ['nothing is named "ordr" here | did you mean "order"?']],
    ["{{gone.response.body.id}}", ['nothing is named "gone" here']],
  ])("reads blocks of the entry in its finally: %s", async (id, expected) => {
    expect(await finallyOf(id)).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  it("reports a name that is both a block and an entry", async () => {
    const before = [{ workflow: "seed", as: "order" }]
    const last = [{ workflow: "cancel", inputs: { id: "{{order.response.body.id}}" } }]
    expect(await suite({ before, workflows: [pay({ finally: last })] })).toEqual([
      expect.stringContaining('"order" is both a block of this entry\'s workflow and an entry of "before"'),
    ])
  })

  it("doesn't report names that may be those of an entry with an error", async () => {
    expect(await main("{{gone.create.response.body.id}}", [{ workflow: "sed", as: "gone" }])).toEqual([
      expect.stringContaining("workflow-unknown"),
    ])
  })

  it("reports the file's own problems with their positions", async () => {
    expect(await linesOf({ ...files({}), settings: '{\n  "version": 1,\n  "suits": {}\n}\n' })).toEqual([
      'callsheet.json:3:3: unknown field "suits" (field-unknown)',
    ])
  })
})

/** Independent mistakes in different parts of the file. Each changes it, and says the start of its finding. */
const mistakes: Readonly<Record<string, { in: Settings; says: string }>> = {
  "an unknown field": { in: { suits: {} }, says: 'unknown field "suits"' },
  "another version": { in: { version: 2 }, says: '"version" must be the number 1' },
  "a number as the size of documents": { in: { maxDocumentSize: 7 }, says: "maxDocumentSize is a number" },
  "an unknown reporter": { in: { defaults: { reporters: ["print"] } }, says: '"print" is not a reporter' },
  "a negative number of jobs": { in: { defaults: { jobs: -1 } }, says: "defaults.jobs is -1" },
  "the environment of an unknown API": { in: { defaults: { env: { shp: "local" } } }, says: '"shp"' },
  "the address of an unknown API": {
    in: { sources: { shpo: "https://shop.test/openapi.json" } },
    says: '"shpo"',
  },
  "an unknown environment": { in: { defaults: { env: { shop: "lcal" } } }, says: '"lcal"' },
  "a suite that is a list": { in: { suites: { a: [] } }, says: "suites.a is an array" },
  "a suite without workflows": {
    in: { suites: { b: { finally: ["nobody"] } } },
    says: '"workflows" is missing',
  },
  "the name of a suite": {
    in: { suites: { "c d": { workflows: ["nothing"] } } },
    says: '"c d" is not a valid name',
  },
  "an unknown workflow": { in: { suites: { e: { workflows: ["sed"] } } }, says: '"sed"' },
  "a pattern without a match": {
    in: { suites: { f: { workflows: ["x*"] } } },
    says: 'no workflow matches "x*"',
  },
  "an entry that is a number": {
    in: { suites: { g: { workflows: ["seed", 5] } } },
    says: "suites.g.workflows[1] is a number",
  },
  "an entry without a workflow": {
    in: { suites: { h: { workflows: [{ flow: "seed" }] } } },
    says: 'suites.h.workflows[0]: "workflow" is missing',
  },
  "inputs that are a text": {
    in: { suites: { i: { workflows: [{ workflow: "pay", inputs: "1" }] } } },
    says: "suites.i.workflows[0].inputs is a string",
  },
  "an input of another type": {
    in: { suites: { j: { workflows: [pay({ inputs: { id: "1", count: "x" } })] } } },
    says: '"count"',
  },
  "a placeholder without a block": {
    in: {
      suites: {
        k: { before: ["seed"], workflows: [{ workflow: "pay", inputs: { id: "{{seed.nothing}}" } }] },
      },
    },
    says: "suites.k.workflows[0].inputs.id",
  },
  "data of cleanup": {
    in: { suites: { l: { workflows: ["seed"], finally: [pay({ data: "x.csv" })] } } },
    says: 'only an entry of "workflows"',
  },
}

type Settings = Readonly<Record<string, unknown>>

/** Puts parts of a file together. */
const merged = (parts: readonly Settings[]): Settings => {
  const all: Record<string, unknown> = { version: 1 }
  for (const part of parts)
    for (const [key, value] of Object.entries(part))
      all[key] =
        typeof value === "object" && typeof all[key] === "object"
          ? merged([all[key] as Settings, value as Settings])
          : value
  for (const key of ["defaults", "suites", "env"]) {
    const inner = all[key]
    if (typeof inner === "object" && inner !== null) delete (inner as Record<string, unknown>)["version"]
  }
  return all
}

describe("mistakes in different parts of callsheet.json", () => {
  const parts = Object.values(mistakes)

  it("are all reported if two come together, and nothing else is", async () => {
    const alone = await Promise.all(parts.map((part) => findings(merged([part.in]))))
    for (const [at, part] of parts.entries()) expect(alone[at]?.join("\n"), part.says).toContain(part.says)
    for (const [first, one] of parts.entries())
      for (const [second, other] of parts.entries()) {
        if (second <= first) continue
        const found = await findings(merged([one.in, other.in]))
        const wanted = [...(alone[first] ?? []), ...(alone[second] ?? [])]
        expect([...found].sort(), `${one.says} and ${other.says}`).toEqual([...new Set(wanted)].sort())
      }
  })

  it("are all reported if all come together", async () => {
    const found = (await findings(merged(parts.map((part) => part.in)))).join("\n")
    for (const part of parts) expect(found).toContain(part.says)
    // A mistake in a part that can be read although its own shape is wrong.
    expect(found).toContain('"nobody"')
    expect(found).toContain('"nothing"')
  })
})
