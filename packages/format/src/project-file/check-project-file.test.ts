// Checks the message and position for each mistake in callsheet.json.

import { describe, expect, it } from "vitest"
import { formatProblem } from "../problems.ts"
import { checkProjectFile } from "./check-project-file.ts"
import { parseSize } from "./project-file-shape.ts"

const check = (value: unknown) =>
  checkProjectFile({ file: "callsheet.json", text: JSON.stringify(value, undefined, 1) })

const suite = (more: object) => ({ version: 1, suites: { nightly: { workflows: ["a"], ...more } } })
const entry = (more: object) => suite({ workflows: [{ workflow: "a", ...more }] })
const defaults = (more: object) => ({ version: 1, defaults: more })

const full = {
  $schema: "x.json",
  version: 1,
  defaults: {
    env: { shop: "local" },
    reporters: ["pretty", "junit=reports/junit.xml"],
    concurrency: 16,
    jobs: 2,
    timeoutMs: 1500,
    retries: 0,
    maxWarnings: 0,
    maxResponseSize: "2MiB",
    seed: 7,
  },
  suites: {
    smoke: { workflows: ["sign-in", "browse-*"] },
    nightly: {
      description: "Everything.",
      before: [{ workflow: "seed-catalog", as: "seed" }],
      workflows: [
        {
          workflow: "checkout",
          inputs: { sku: "{{seed.product.response.body.sku}}", quantity: 2, gift: false, note: null },
          data: "data/orders.csv",
          retries: 1,
          finally: [{ workflow: "cancel", finally: ["report"] }],
          locks: ["ledger"],
          env: { shop: "staging" },
        },
      ],
      finally: ["purge-catalog"],
      env: { shop: "local" },
    },
  },
}

describe("checkProjectFile", () => {
  it("reads every field of the format", () => {
    expect(check(full)).toEqual({ settings: full, problems: [] })
  })

  it.each([
    [{}, '"version" is missing'],
    [{ version: 2 }, '"version" must be the number 1'],
    [{ version: 1, suite: {} }, 'unknown field "suite"'],
    [{ version: 1, suites: [] }, "suites is an array; expected an object"],
    [{ version: 1, suites: { "a b": { workflows: [] } } }, '"a b" is not a valid name for a suite'],
    [{ version: 1, suites: { "": { workflows: [] } } }, '"" is not a valid name for a suite'],
    [{ version: 1, suites: { a: {} } }, 'suites.a: "workflows" is missing'],
    [suite({ tags: [] }), 'suites.nightly: unknown field "tags"'],
    [suite({ description: 1 }), "suites.nightly.description is a number; expected a string"],
    [suite({ env: { shop: 1 } }), "suites.nightly.env.shop is a number; expected a string"],
    [suite({ env: { shop: "" } }), "suites.nightly.env.shop: a name must not be empty"],
    [suite({ workflows: "a" }), "suites.nightly.workflows is a string; expected an array"],
    [
      suite({ before: [1] }),
      "suites.nightly.before[0] is a number; expected the name of a workflow, or an object",
    ],
    [suite({ finally: ["a/b"] }), '"a/b" is not the name of a workflow or a pattern'],
    [suite({ workflows: [{}] }), 'suites.nightly.workflows[0]: "workflow" is missing'],
    [entry({ workflow: "{a,b}" }), '"{a,b}" is not the name of a workflow or a pattern'],
    [entry({ as: "a.b" }), '"a.b" must not contain ".", "[" or "]"'],
    [entry({ as: "" }), "suites.nightly.workflows[0].as: a name must not be empty"],
    [entry({ inputs: { $a: 1 } }), '"$a" must not start with "$"'],
    [entry({ inputs: { a: "{{" } }), "suites.nightly.workflows[0].inputs.a: a placeholder is not closed"],
    [
      entry({ inputs: { a: [{ b: "{{a..b}}" }] } }),
      "inputs.a[0].b: the placeholder {{a..b}} is not a valid path",
    ],
    [entry({ data: 1 }), "suites.nightly.workflows[0].data is a number; expected a string"],
    [entry({ data: "" }), "suites.nightly.workflows[0].data: a name must not be empty"],
    [entry({ retries: -1 }), "suites.nightly.workflows[0].retries is -1; expected 0 or more"],
    [entry({ retries: 0.5 }), "suites.nightly.workflows[0].retries is 0.5; expected a whole number"],
    [entry({ locks: "ledger" }), "suites.nightly.workflows[0].locks is a string; expected an array"],
    [entry({ locks: [" "] }), "suites.nightly.workflows[0].locks[0]: a name must not be empty"],
    [
      entry({ finally: [{ workflow: "a", x: 1 }] }),
      'suites.nightly.workflows[0].finally[0]: unknown field "x"',
    ],
    [entry({ retry: 1 }), 'unknown field "retry"'],
    [defaults({ env: "local" }), "defaults.env is a string; expected an object"],
    [defaults({ reporters: ["prettier"] }), '"prettier" is not a reporter or "<reporter>=<file>"'],
    [defaults({ reporters: ["junit="] }), '"junit=" is not a reporter or "<reporter>=<file>"'],
    [defaults({ concurrency: 0 }), "defaults.concurrency is 0; expected 1 or more"],
    [defaults({ concurrency: 100_001 }), "defaults.concurrency is 100001; expected at most 100000"],
    [defaults({ jobs: "4" }), "defaults.jobs is a string; expected a whole number"],
    [defaults({ timeoutMs: 0 }), "defaults.timeoutMs is 0; expected more than 0"],
    [defaults({ retries: 1.5 }), "defaults.retries is 1.5; expected a whole number"],
    [defaults({ maxWarnings: null }), "defaults.maxWarnings is null; expected a whole number"],
    [defaults({ maxResponseSize: 1000 }), "defaults.maxResponseSize is a number; expected a string"],
    [defaults({ maxResponseSize: "1GB" }), 'defaults.maxResponseSize: "1GB" is not a size'],
    [defaults({ seed: -1 }), "defaults.seed is -1; expected 0 or more"],
    [defaults({ timeout: 1 }), 'defaults: unknown field "timeout"'],
  ])("reports one problem with a position in %j", (value, message) => {
    const { settings, problems } = check(value)
    expect(problems.map(formatProblem)).toEqual([expect.stringContaining(message)])
    expect(problems[0]).toMatchObject({ file: "callsheet.json", line: expect.any(Number) })
    expect(settings).toBeUndefined()
  })

  it("reports the mistakes of a file together, in order", () => {
    const { problems } = check({
      version: 3,
      suites: { a: { workflows: [{ workflow: "b", inputs: { c: "{{}}" } }, 1] } },
    })
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["version-invalid", 2],
      ["token-malformed", 9],
      ["field-type", 12],
    ])
  })

  it("rejects entries that nest too deep, in linear time", () => {
    const text = `{"version":1,"suites":{"s":{"workflows":[${nested(5_000)}]}}}`
    const { problems } = checkProjectFile({ file: "callsheet.json", text })
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/finally\[0\]: entries are nested more than 20 deep$/),
    ])
  })

  it("reports a file that is not JSON", () => {
    expect(checkProjectFile({ file: "callsheet.json", text: "{" }).problems).toMatchObject([
      { code: "json-syntax", line: 1, column: 2 },
    ])
  })
})

const nested = (depth: number): string =>
  '{"workflow":"a","finally":['.repeat(depth) + '"a"' + "]}".repeat(depth)

describe("parseSize", () => {
  it.each([
    ["1", 1],
    ["1000", 1000],
    ["64kib", 65_536],
    ["2MiB", 2_097_152],
    ["0", undefined],
    ["0MiB", undefined],
    ["1.5MiB", undefined],
    ["1 MiB", undefined],
    ["9999999999MiB", undefined],
    ["-1", undefined],
  ])("reads %j as %j", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes)
  })
})
