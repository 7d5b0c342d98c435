// A run names everything that `validate` calls an error before its first request. A strict run then sends nothing, and
// so does a suite with wrong data.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, type Files } from "../harness/callsheet.ts"
import { assert, echo, runBlocks, shopFiles } from "./shop-project.ts"

const item = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: { id: { type: "integer" } },
}
const responses = { 200: { description: "", content: { "application/json": { schema: item } } } }
const closed = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/echo": { get: { operationId: "echo", responses: { 200: { description: "" } } } },
    "/item": { get: { operationId: "item", responses } },
    "/items/{id}": {
      get: {
        operationId: "getItem",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses,
      },
    },
  },
}
const call = (id: string, operation: string, more: object = {}) => ({
  id,
  type: "request",
  request: { api: "shop", operation, ...more },
})
const enforced = { validateContracts: true, onFailure: "continue" }

/** Blocks with an error that a run can't know to be fatal, by the code and the words of the warning. */
const doubts: Readonly<
  Record<string, { blocks: readonly unknown[]; code: string; words: string; files?: Files }>
> = {
  "a missing path value": {
    blocks: [call("a", "getItem")],
    code: "path-param-missing",
    words: 'a value for "id"',
  },
  "an empty path value": {
    blocks: [call("a", "getItem", { overrides: { params: { path: { id: "" } } } })],
    code: "path-param-missing",
    words: 'a value for "id"',
  },
  "a missing path value in a branch": {
    blocks: [
      echo("first"),
      {
        id: "when",
        type: "condition",
        if: { source: "first.response.status", operator: "equals", value: 200 },
        then: [call("a", "getItem")],
      },
    ],
    code: "path-param-missing",
    words: 'a value for "id"',
  },
  "a comparison of a status with a text": {
    blocks: [echo("a"), assert("check", ["a.response.status", "equals", "200"])],
    code: "operator-type",
    words: "never equals",
  },
  "a text that is greater than a number": {
    blocks: [echo("a"), assert("check", ["a.response.status", "greaterThan", "a"])],
    code: "operator-type",
    words: "compares only numbers",
  },
  "a property that an enforced contract excludes": {
    blocks: [call("a", "item"), assert("check", ["a.response.body.total", "equals", 1])],
    code: "source-unresolved",
    words: 'no property "total"',
  },
  "a placeholder that an enforced contract excludes": {
    blocks: [call("a", "item"), echo("b", { total: "{{a.response.body.total}}" })],
    code: "token-unresolved",
    words: 'no property "total"',
  },
  "a loop over a number": {
    blocks: [
      call("a", "item"),
      { id: "each", type: "loop", mode: "forEach", source: "a.response.body.id", blocks: [echo("b")] },
    ],
    code: "loop-source",
    words: "a.response.body.id",
  },
  "an unknown name in a placeholder": {
    blocks: [echo("a"), echo("b", { total: "{{c.total}}" })],
    code: "token-unresolved",
    words: 'nothing is named "c"',
  },
  "an export that is not a function": {
    blocks: [echo("a"), { id: "b", type: "script", script: { name: "s", exportName: "five" } }],
    files: { "apis/workflow/scripts/w/s.ts": "export const five = 5\n" },
    code: "script-missing",
    words: '"five"',
  },
  "an import of a missing file": {
    blocks: [echo("a"), { id: "b", type: "script", script: { name: "s", exportName: "run" } }],
    files: {
      "apis/workflow/scripts/w/s.ts": 'import { x } from "./gone"\nexport const run = () => void x\n',
    },
    code: "script-missing",
    words: '"./gone"',
  },
}

describe("an error of validate that doesn't stop a run", () => {
  const run = async (name: string, words: readonly string[], extra: Files = {}) => {
    const { blocks = [], files = {} } = doubts[name] ?? {}
    return runBlocks(blocks, {
      workflow: enforced,
      files: () => ({ "apis/shop/openapi.json": closed, ...files, ...extra }),
      routes: { "GET /item": { body: { id: 1 } } },
      words,
    })
  }

  it.each(Object.entries(doubts))(
    "is a warning with its position before the first request: %s",
    async (name, doubt) => {
      const { report, run: ran } = await run(name, [])
      expect(ran.status).not.toBe("error")
      expect(report?.warnings).toContainEqual(
        expect.objectContaining({
          code: doubt.code,
          message: expect.stringContaining(doubt.words),
          file: expect.stringMatching(/^apis\/workflow\//),
          line: expect.any(Number),
        }),
      )
      const events = (await output(name, "ndjson"))
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as { type: string; warning?: { code: string } })
      const at = events.findIndex(
        ({ type, warning }) => type === "warning.raised" && warning?.code === doubt.code,
      )
      expect(at).toBeGreaterThan(0)
      expect(at).toBeLessThan(events.findIndex(({ type }) => type === "block.started"))
    },
  )

  /** Returns the output in another format. */
  const output = async (name: string, reporter: string): Promise<string> => {
    const { blocks = [], files = {} } = doubts[name] ?? {}
    const api = await startApi({ "GET /item": { body: { id: 1 } }, "*": { body: {} } })
    const all = { ...shopFiles(api.url, blocks, enforced), "apis/shop/openapi.json": closed, ...files }
    const { stdout, stderr } = await callsheet(["run", "w", "--reporter", reporter], { files: all })
    await api.close()
    return stdout + stderr
  }

  it.each(Object.entries(doubts))("keeps a strict run from sending anything: %s", async (name, doubt) => {
    const { exitCode, report, run: ran, requests } = await run(name, ["--strict"])
    expect([exitCode, ran.status, requests.length]).toEqual([2, "error", 0])
    expect(ran.error?.problems).toContainEqual(
      expect.objectContaining({ code: doubt.code, severity: "error" }),
    )
    expect(report?.warnings ?? []).toEqual([])
  })

  it("counts with --max-warnings 0 and the default in callsheet.json as with --strict", async () => {
    const settings = { version: 1, defaults: { maxWarnings: 0 } }
    const both = [
      await run("a missing path value", ["--max-warnings", "0"]),
      await run("a missing path value", [], { "callsheet.json": settings }),
    ]
    expect(both.map(({ exitCode, requests }) => [exitCode, requests.length])).toEqual([
      [2, 0],
      [2, 0],
    ])
    const allowed = await run("a missing path value", ["--max-warnings", "1"])
    expect([allowed.exitCode, allowed.report?.warnings?.length]).toEqual([1, 1])
  })

  it("is in the reports of every kind", async () => {
    for (const reporter of ["pretty", "junit", "html", "github", "ctrf", "ndjson"]) {
      expect(await output("a comparison of a status with a text", reporter), reporter).toMatch(
        /operator-type|never equals/,
      )
    }
  })

  it("is not a warning of a saved request that isn't sent, or of another workflow", async () => {
    const { report, exitCode } = await runBlocks([echo("a")], {
      files: () => ({
        "apis/shop/openapi.json": closed,
        "apis/shop/requests/items/one.json": { version: 1, operation: "getItem" },
        "apis/workflow/other.json": { version: 1, blocks: [call("a", "getItem")] },
      }),
      words: ["--strict"],
    })
    expect([exitCode, report?.warnings ?? []]).toEqual([0, []])
  })
})

describe("a strict call of several workflows", () => {
  it("sends nothing if one of them has an error, and says why the others didn't run", async () => {
    const api = await startApi({})
    const files = {
      ...shopFiles(api.url, [echo("a")]),
      "apis/workflow/late.json": { version: 1, blocks: [call("b", "getItem")] },
      "apis/workflow/broken.json": { version: 1, blocks: [call("b", "nothing")] },
    }
    for (const other of ["late", "broken"]) {
      const { exitCode, report } = await callsheet(["run", "w", other, "--strict", "--json"], { files })
      expect([exitCode, api.requests.length]).toEqual([2, 0])
      expect(report?.runs.map(({ status }) => status)).toEqual(["skipped", "error"])
    }
    const text = await callsheet(["run", "w", "late", "--strict"], { files })
    expect(text.stdout).toContain("w skipped: other workflows of the run could not start")
    await api.close()
  })
})

/** Wrong data files of an entry, with the place and the words of the problem. `LINE` is that of the field. */
const wrongData: Readonly<
  Record<string, readonly [path: string, content: unknown, ...said: readonly string[]]>
> = {
  "a missing file": [
    "data/gone.csv",
    undefined,
    "callsheet.json:9:",
    'workflows[1].data: "data/gone.csv"',
    "does not exist",
  ],
  "a directory": ["apis", undefined, "callsheet.json:9:", "workflows[1].data", "found a directory"],
  "an unknown kind of file": [
    "rows.xlsx",
    "PK",
    "callsheet.json:9:",
    "workflows[1].data",
    ".csv, .json or .ndjson",
  ],
  "a path out of the project": ["../rows.csv", undefined, "callsheet.json:9:", "workflows[1].data"],
  "a wrong cell in the last row": [
    "rows.csv",
    `n\n${"1\n".repeat(3_000)}x\n`,
    "rows.csv:3002:1: ",
    "callsheet.json:9:",
    "workflows[1].data",
  ],
  "an unknown column": ["rows.csv", "n,m\n1,2\n", "rows.csv:1:3: ", "callsheet.json:9:"],
  "a missing column": ["rows.csv", "m\n2\n", "rows.csv:1:1: ", "callsheet.json:9:", '"n"'],
  "a file without rows": ["rows.csv", "n\n", "rows.csv:1:1: ", "callsheet.json:9:", "no rows"],
  "a JSON file that isn't an array": ["rows.json", "{}", "rows.json:1:1: ", "callsheet.json:9:"],
  "a broken line": ["rows.ndjson", '{"n":1}\n{"n":}\n', "rows.ndjson:2:", "callsheet.json:9:"],
}

describe("the data of a suite", () => {
  const suiteOf = (path: string) => `{
  "version": 1,
  "suites": {
    "s": {
      "before": ["w"],
      "workflows": [
        { "workflow": "w", "as": "first" },
        {
          "workflow": "rows", "data": ${JSON.stringify(path)}
        }
      ],
      "finally": [{ "workflow": "w", "as": "last" }]
    }
  }
}
`
  const rows = { version: 1, inputs: { n: { type: "number", required: true } }, blocks: [echo("b")] }

  it.each(Object.entries(wrongData))(
    "keeps the suite from sending anything: %s",
    async (_, [path, content, ...said]) => {
      const api = await startApi({})
      const { exitCode, stderr } = await callsheet(["run", "--suite", "s"], {
        files: {
          ...shopFiles(api.url, [echo("a")]),
          "apis/workflow/rows.json": rows,
          "callsheet.json": suiteOf(path),
          ...(content === undefined ? {} : { [path]: content }),
        },
      })
      expect([exitCode, api.requests.length]).toEqual([2, 0])
      for (const words of said) expect(stderr).toContain(words)
      await api.close()
    },
  )

  it("is all named at once, in every entry", async () => {
    const api = await startApi({})
    const entries = ["one.csv", "two.csv", "three.csv"].map((data) => ({
      workflow: "rows",
      as: data.replace(".csv", ""),
      data,
    }))
    const { exitCode, stderr, report } = await callsheet(["run", "--suite", "s", "--json", "--jobs", "3"], {
      files: {
        ...shopFiles(api.url, [echo("a")]),
        "apis/workflow/rows.json": rows,
        "one.csv": "n\nx\n1\ny\n",
        "three.csv": "n\nz\n",
        "callsheet.json": { version: 1, suites: { s: { workflows: ["w", ...entries] } } },
      },
    })
    expect([exitCode, api.requests.length]).toEqual([2, 0])
    for (const words of ["one.csv:2:1", "one.csv:4:1", '"two.csv"', "three.csv:2:1"])
      expect(stderr).toContain(words)
    expect(report?.runs.map(({ status, reason }) => reason ?? status)).toEqual([
      "refused",
      "error",
      "error",
      "error",
    ])
    await api.close()
  })

  it("given on the command line is typed to its end before the first request", async () => {
    const { exitCode, requests, stderr } = await runBlocks([echo("a")], {
      workflow: { inputs: { n: { type: "number" } } },
      files: () => ({ "rows.csv": `n\n${"1\n".repeat(5_000)}x\n` }),
      words: ["--data", "rows.csv"],
    })
    expect([exitCode, requests.length]).toEqual([2, 0])
    expect(stderr).toContain("rows.csv:5002:1: ")
  })
})
