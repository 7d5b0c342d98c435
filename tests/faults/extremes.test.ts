// Files that are too deep, too large, too many or made to be slow, huge numbers, and texts that would move the cursor.

import { rm } from "node:fs/promises"
import {
  checkSavedRequest,
  checkWorkflow,
  conflictMarkerAt,
  formatProblem,
  isApiName,
  isEnvironmentName,
  isVariableName,
  nameKey,
  checkFreeName,
  checkId,
  parseJson,
  parsePath,
  parseSecretsFile,
  parseTemplate,
  setJsonAt,
  setSecret,
  suggest,
} from "@callsheet/format"
import { slug } from "@callsheet/openapi"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { sized } from "../harness/full-size.ts"
import { allOf, eachOf, everyKind, findIn, jsonKinds, kinds, formatKind } from "./every-kind.ts"

const DEPTH = 10_000
const deepArray = (inner = "") => "[".repeat(DEPTH) + inner + "]".repeat(DEPTH)
const deepObject = (inner = "1") => '{"a":'.repeat(DEPTH) + inner + "}".repeat(DEPTH)
/** Every line of standard error is a problem or its hint: no stack, no output of the JavaScript engine. */
const isProblems = (stderr: string) =>
  stderr.split("\n").every((line) => /^$|^  hint: |\([a-z]+(?:-[a-z]+)+\)$/.test(line))

describe("depth", () => {
  it.each([
    ["arrays", deepArray],
    ["objects", deepObject],
  ])("10,000 nested %s in a value of every kind of file are read or reported", async (_, deep) => {
    const { problems, stderr } = await findIn({
      [kinds.workflow]: `{"version":1,"inputs":{"i":{"type":"string","default":${deep()}}},"blocks":[{"id":"a","type":"assert","assertions":[{"source":"i","operator":"equals","value":${deep()}}]}]}`,
      [kinds.request]: `{"version":1,"method":"POST","path":"/","body":${deep()}}`,
      [kinds.schema]: formatKind("schema").replace(
        '"variables": {',
        `"variables": {"deep": {"type": "number", "required": false, "default": ${deep()}},`,
      ),
      [kinds.values]: formatKind("values").replace('"tries": 1', `"tries": ${deep()}`),
      [kinds.json]: formatKind("json").replace('"responses"', `"x-deep": ${deep()}, "responses"`),
      [kinds.yaml]: `${formatKind("yaml")}x-deep: ${deep()}\n`,
    })
    expect(problems.map(({ file, code }) => `${file} ${code}`).sort()).toEqual([
      `${kinds.yaml} yaml-syntax`,
      `${kinds.values} variable-type`,
      `${kinds.schema} variable-type`,
    ])
    expect(stderr).toSatisfy(isProblems)
  })

  it("10,000 levels are distinguished from 10,000 others, and are sent", async () => {
    const api = await startApi({
      "*": (request) => ({ body: request.text, headers: { "content-type": "application/json" } }),
    })
    onTestFinished(api.close)
    const { report, stderr } = await callsheet(["run", "w", "--json"], {
      files: {
        "apis/a/environments/schema.json": {
          version: 1,
          variables: { baseUrl: { type: "string", required: true } },
        },
        "apis/a/environments/local.json": { baseUrl: api.url },
        "apis/a/requests/r/i.json": `{"version":1,"method":"POST","path":"/","body":${deepArray('"x"')}}`,
        "apis/workflow/w.json": `{"version":1,"blocks":[{"id":"r","type":"request","request":{"api":"a","instance":"i"}},{"id":"a","type":"assert","assertions":[
          {"source":"r.response.body","operator":"equals","value":${deepArray('"x"')}},
          {"source":"r.response.body","operator":"notEquals","value":${deepArray('"y"')}}]}]}`,
      },
    })
    expect([stderr, report?.status, api.requests[0]?.text]).toEqual(["", "passed", deepArray('"x"')])
  })

  it("a text that opens 10,000 levels and stops is an error at its end", async () => {
    const { places, stderr } = await findIn(eachOf(jsonKinds, () => "[".repeat(DEPTH)))
    expect(places).toEqual(allOf(jsonKinds, `:1:${DEPTH + 1} json-syntax`))
    expect(stderr).toSatisfy(isProblems)
  })

  it("a script that nests too deeply to compile is reported without the JavaScript engine's own message", async () => {
    const { problems, stderr } = await findIn({ [kinds.script]: `export const check = () => ${deepArray()}` })
    expect(problems).toMatchObject([{ code: "script-syntax", file: "apis/workflow/w.json" }])
    expect(problems[0]?.message).toMatch(/check\.ts:1:\d+: the script is too deeply nested/)
    expect(stderr).not.toMatch(/call stack/i)
  })
})

describe("size", () => {
  const LIMIT = 16 * 1024 * 1024
  const COUNT = sized(34_000, 340_000)
  const block = (index: number) => `{"id":"b${index}","type":"group","blocks":[]}`
  const workflow = (count: number) =>
    `{"version":1,"blocks":[${Array.from({ length: count }, (_, index) => block(index)).join(",")}]}`
  const ofSize = (size: number, text: string) => text.padEnd(size, "\n")
  // Enough heap for the file and its value, and little more.
  const env = { NODE_OPTIONS: "--max-old-space-size=600" }

  it("a workflow of a byte more than the documented limit is an error", async () => {
    const { problems } = await findIn({ [kinds.workflow]: ofSize(LIMIT + 1, workflow(COUNT)) }, { env })
    expect(problems).toMatchObject([
      {
        file: kinds.workflow,
        code: "file-unreadable",
        message: expect.stringMatching(/the limit is 16 MiB$/) as string,
      },
    ])
  })

  it("a workflow of exactly the limit runs", async () => {
    const { exitCode, stdout } = await callsheet(["run", "other"], {
      files: { ...everyKind, [kinds.workflow]: ofSize(LIMIT, workflow(COUNT)) },
      env,
      timeoutMs: 60_000,
    })
    expect([exitCode, /(\d+) passed/.exec(stdout)?.[1]]).toEqual([0, String(COUNT)])
  }, 70_000)

  it("a duplicate id is found in a workflow of any size", async () => {
    const twice = await findIn(
      { [kinds.workflow]: workflow(COUNT).replace(`"b${COUNT - 1}"`, '"b0"') },
      { env, timeoutMs: 60_000 },
    )
    expect(twice.codes).toEqual([`${kinds.workflow} id-duplicate`])
  }, 70_000)
})

describe("numbers", () => {
  const script = '"script":{"name":"x","exportName":"y"}'
  const until = '"mode":"until","until":{"source":"a","operator":"notExists"}'
  /** Returns files with `n` in every numeric field of a workflow and a saved request. */
  const filesWith = (n: string) => ({
    [kinds.workflow]: `{"version":1,"blocks":[
      {"id":"a","type":"loop","mode":"times","count":${n},"blocks":[]},
      {"id":"b","type":"loop",${until},"maxIterations":${n},"blocks":[]},
      {"id":"c","type":"loop",${until},"delayMs":${n},"blocks":[]},
      {"id":"d","type":"loop","mode":"until",${script},"timeoutMs":${n},"blocks":[]},
      {"id":"e","type":"assert",${script},"timeoutMs":${n}},
      {"id":"f","type":"transform",${script},"timeoutMs":${n}},
      {"id":"g","type":"condition",${script},"timeoutMs":${n},"then":[]},
      {"id":"h","type":"script",${script},"timeoutMs":${n}}]}`,
    [kinds.request]: formatKind("request").replace("{", `{"timeoutMs": ${n},`),
  })
  const counts = ["blocks[0].count", "blocks[1].maxIterations"]
  const times = [...[3, 4, 5, 6, 7].map((at) => `blocks[${at}].timeoutMs`), "timeoutMs"]
  const delay = "blocks[2].delayMs"
  const all = [...counts, delay, ...times]
  /** The reported fields, by code. */
  const named = async (n: string) => {
    const { problems } = await findIn(filesWith(n))
    return problems.map(({ code, message }) => `${/^[\w.[\]]+/.exec(message)?.[0]} ${code}`).sort()
  }
  const each = (fields: readonly string[], code: string) => fields.map((field) => `${field} ${code}`).sort()

  it.each([
    ["1e400", "field-value", all],
    ["-1e999999999", "field-value", all],
    ['"NaN"', "field-type", all],
    ['"1"', "field-type", all],
    ["null", "field-type", all],
    ["-1", "field-value", all],
    ["2147483648", "field-value", [delay, ...times]],
    ["1e300", "field-value", all],
    ["99999999999999999999", "field-value", all],
    ["0", "field-value", ["blocks[1].maxIterations", ...times]],
    ["-0", "field-value", ["blocks[1].maxIterations", ...times]],
    ["0.5", "field-value", counts],
  ] as const)(
    "%s is an error in every field that doesn't allow it, and names the field",
    async (n, code, fields) => {
      expect(await named(n)).toEqual(each(fields, code))
    },
  )

  it.each(["NaN", "Infinity", "-Infinity", "0x10", "1_000", "01", "+1", ".5"])(
    "%s is not valid JSON",
    async (n) => {
      expect((await findIn(filesWith(n))).codes).toEqual([
        `${kinds.request} json-syntax`,
        `${kinds.workflow} json-syntax`,
      ])
    },
  )

  it("defaults and values that are not numbers are errors that name the variable", async () => {
    for (const n of ["1e400", '"NaN"', '"1"']) {
      const { problems } = await findIn({
        [kinds.schema]: formatKind("schema").replace('"number",', `"number", "default": ${n},`),
        [kinds.workflow]: `{"version":1,"inputs":{"tries":{"type":"number","default":${n}}},"blocks":[]}`,
      })
      expect(problems.filter(({ file }) => file === kinds.schema)).toMatchObject([
        { message: expect.stringContaining("tries") as string },
      ])
      if (n === "1e400")
        expect(problems.filter(({ file }) => file === kinds.workflow)).toMatchObject([
          { message: expect.stringContaining("tries") as string },
        ])
    }
    for (const n of ["1e400", '"NaN"']) {
      const { problems } = await findIn({
        [kinds.values]: formatKind("values").replace('"tries": 1', `"tries": ${n}`),
      })
      expect(problems).toMatchObject([
        { file: kinds.values, line: 3, message: expect.stringContaining("tries") as string },
      ])
    }
    for (const n of ["1e400", "NaN", "Infinity", "0x10", "1_000", "-", "１"]) {
      const { problems } = await findIn({
        [kinds.secrets]: `tries=${n}\n`,
        [kinds.workflow]: everyKind[kinds.workflow],
      })
      expect(problems.filter(({ code }) => code === "variable-type")).toMatchObject([
        { file: kinds.secrets, message: expect.stringContaining("tries") as string },
      ])
    }
  })

  it("a timeout beyond every timer's limit does not end a request at once", async () => {
    const api = await startApi({ "*": async () => ({ body: {} }) })
    onTestFinished(api.close)
    for (const timeout of ["2147483648", "1e300", "99999999999999999999"]) {
      const { report } = await callsheet(["run", "w", "--json"], {
        files: {
          "apis/a/environments/schema.json": {
            version: 1,
            variables: {
              baseUrl: { type: "string", required: true },
              timeout: { type: "number", required: true },
            },
          },
          "apis/a/environments/local.json": `{"baseUrl":"${api.url}","timeout":${timeout}}`,
          "apis/a/requests/r/i.json": { version: 1, method: "GET", path: "/" },
          "apis/workflow/w.json": {
            version: 1,
            blocks: [{ id: "r", type: "request", request: { api: "a", instance: "i" } }],
          },
        },
      })
      expect(report?.status).toBe("passed")
    }
    const { exitCode, stderr } = await callsheet(["run", "w", "--timeout", "2147483648"], {
      files: everyKind,
    })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--timeout")])
  })
})

describe("text that would move the cursor or change its direction", () => {
  const marks = [
    "\u001b[31m",
    "\r",
    "\n",
    "\u202e",
    "\u2066",
    "\u061c",
    "\u200f",
    "\u0007",
    "\u009b",
    "\u2028",
    "\ufeff",
    "\ud800",
  ]
  const isClean = (text: string) =>
    !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u.test(
      text,
    )

  it("is rejected in the ids of blocks, and in the names of inputs and iterators", async () => {
    const { problems, stderr } = await findIn({
      [kinds.workflow]: {
        version: 1,
        inputs: Object.fromEntries(marks.map((mark) => [`i${mark}`, { type: "string" }])),
        blocks: marks.map((mark, at) => ({
          id: `b${at}${mark}`,
          type: "loop",
          mode: "times",
          count: 1,
          iteratorVar: `v${at}${mark}`,
          blocks: [],
        })),
      },
    })
    // Names of blocks are checked only if the rest of the file is valid.
    expect(problems.filter(({ code }) => code === "id-invalid").length).toBeGreaterThanOrEqual(
      marks.length * 2,
    )
    expect(stderr).toSatisfy(isClean)
    const ids = await findIn({
      [kinds.workflow]: {
        version: 1,
        blocks: marks.map((mark, at) => ({ id: `b${at}${mark}`, type: "group", blocks: [] })),
      },
    })
    expect(ids.problems.filter(({ code }) => code === "id-invalid")).toHaveLength(marks.length)
  })

  it("is escaped wherever a file's text is printed", async () => {
    const text = `x${marks.join("")}x`
    const files = {
      ...everyKind,
      [kinds.json]: {
        openapi: "3.1.0",
        info: { title: text, version: "1" },
        paths: { [`/${text}`]: { get: { operationId: text, tags: [text], responses: {} } } },
      },
      [kinds.values]: { baseUrl: "http://127.0.0.1:9", extends: text, level: text, [text]: text },
      [kinds.schema]: {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true, description: text },
          [text]: { type: text, required: false },
        },
      },
      [kinds.request]: { version: 1, method: text, path: text, [text]: 1, operation: text },
      [kinds.workflow]: {
        version: 1,
        [text]: 1,
        onFailure: text,
        blocks: [{ id: text, type: text, description: text }],
      },
      [`apis/stock/requests/${text.replace(/[\n\ud800]/g, "")}/x.json`]: {},
    }
    for (const words of [
      ["list"],
      ["env", "list"],
      ["env", "read", "shop", "local"],
      ["run", "data", "other"],
      ["run", text.replaceAll("\0", "")],
      ["env", "read", "shop", text],
      ["env", "write", "shop", text, "a=b"],
    ]) {
      const { stdout, stderr } = await callsheet(words, { files })
      expect([words, isClean(stdout), isClean(stderr)]).toEqual([words, true, true])
    }
  })

  it("in descriptions and values is escaped on the screen, and JSON in reports", async () => {
    const text = `x${marks.filter((mark) => mark !== "\ud800").join("")}x`
    const files = {
      ...everyKind,
      [kinds.workflow]: {
        version: 1,
        blocks: [
          {
            id: "a",
            type: "assert",
            description: text,
            assertions: [{ source: '["x"]', operator: "equals", value: text }],
          },
        ],
      },
    }
    const { stdout, stderr } = await callsheet(["run", "other"], { files })
    expect([isClean(stdout), isClean(stderr)]).toEqual([true, true])
    const { report, stdout: json } = await callsheet(["run", "other", "--json"], { files })
    expect(report?.runs[0]?.blocks[0]?.assertions?.[0]?.expected).toBe(text)
    expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})

describe("many problems", () => {
  it("all problems of 200 files are reported at once, always in the same order", async () => {
    const folder = await createFolder({
      ...everyKind,
      ...Object.fromEntries(
        Array.from({ length: 200 }, (_, at) => [`apis/shop/environments/e${at}.json`, `{"baseUrl": ${at},}`]),
      ),
    })
    onTestFinished(() => rm(folder, { recursive: true }))
    const first = await callsheet(["run", "data", "--env", "shop=e7"], { folder })
    const second = await callsheet(["run", "data", "--env", "shop=e7"], { folder })
    expect([first.exitCode, first.stderr.match(/\(json-syntax\)$/gm)?.length]).toEqual([2, 200])
    expect(second.stderr).toBe(first.stderr)
    const files = first.stderr.match(/^apis\S+?(?=:)/gm)
    expect(files).toEqual([...(files ?? [])].sort())
  })
})

describe("formatting", () => {
  const value = (kind: (typeof jsonKinds)[number]) => everyKind[kinds[kind]]
  it.each([
    ["CRLF", (v: unknown) => JSON.stringify(v, null, 2).replaceAll("\n", "\r\n"), "3:1"],
    ["lone CR", (v: unknown) => JSON.stringify(v, null, 2).replaceAll("\n", "\r"), "3:1"],
    ["one line", (v: unknown) => JSON.stringify(v), "1:2"],
    ["tabs", (v: unknown) => JSON.stringify(v, null, "\t"), "3:1"],
  ])("files with %s are accepted, and positions in them are right", async (name, write, _) => {
    expect(
      (await findIn(eachOf(jsonKinds, (kind) => write(value(kind as (typeof jsonKinds)[number]))))).problems,
    ).toEqual([])
    const mistaken = (kind: (typeof jsonKinds)[number]) =>
      write({ a: { b: 1, twice: 2 }, ...(value(kind) as object) }).replace(/"twice"/, '"b"')
    const { places } = await findIn(eachOf(jsonKinds, (kind) => mistaken(kind as (typeof jsonKinds)[number])))
    const place = { CRLF: "4:5", "lone CR": "4:5", "one line": "1:13", tabs: "4:3" }[name]
    // The field is unknown, too, and a syntax error hides nothing else.
    expect(places.filter((found) => found.endsWith(" json-syntax"))).toEqual(
      allOf(jsonKinds, `:${place} json-syntax`),
    )
  })

  it("secrets files and YAML with CRLF are read as with LF", async () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n")
    expect(
      (await findIn({ [kinds.secrets]: crlf(formatKind("secrets")), [kinds.yaml]: crlf(formatKind("yaml")) }))
        .problems,
    ).toEqual([])
    const { places } = await findIn({
      [kinds.secrets]: crlf("token=a\n\nno assignment\n"),
      [kinds.yaml]: crlf(`${formatKind("yaml")}openapi: 1\n`),
    })
    expect(places).toEqual([`${kinds.yaml}:5:1 yaml-syntax`, `${kinds.secrets}:3:1 dotenv-syntax`])
  })
})

describe("texts made to be slow", () => {
  const SIZE = sized(250_000, 1_000_000)
  const seeds = [
    "{",
    "{{",
    "}}",
    "{{a}}",
    "{{a",
    "a.",
    "a[0]",
    '["',
    "[",
    "\\",
    '"',
    "'",
    "`",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "a=",
    "=",
    "#",
    "<",
    "<<<<<<< ",
    "<<<<<<<\n",
    "1",
    "1e",
    "-",
    "\\{{",
    "a='",
    "a='\n",
    "export ",
    "a : ",
    "\ud800",
    "\u2028",
    "\u00a0",
    "${",
    '{"a":',
  ]
  // An algorithm with quadratic time would take a minute.
  const LIMIT_MS = 5_000
  const file = "apis/x/y.json"
  const within = (work: () => unknown): number => {
    const start = performance.now()
    work()
    return performance.now() - start
  }

  it.each(seeds)("every parser handles a long text of %j in linear time", (seed) => {
    const text = seed.repeat(SIZE / seed.length)
    const quoted = JSON.stringify(text)
    const workflow = `{"version":1,"blocks":[{"id":${quoted},"type":"assert","assertions":[{"source":${quoted},"operator":${quoted},"value":${quoted}}]}]}`
    const parsers: Readonly<Record<string, () => unknown>> = {
      json: () => parseJson(text),
      "a JSON string": () => parseJson(quoted),
      "a JSON edit": () => setJsonAt(`{"a":${quoted}}`, ["b"], text),
      secrets: () => parseSecretsFile(text),
      "a secret": () => parseSecretsFile(`a='${text}'`),
      "a secret to write": () => setSecret("a=1\n", "a", text),
      conflicts: () => conflictMarkerAt(text),
      tokens: () => parseTemplate(text),
      path: () => parsePath(text),
      names: () => [
        isApiName(text),
        isEnvironmentName(text),
        isVariableName(text),
        checkId(text),
        checkFreeName(text),
        nameKey(text),
      ],
      "did you mean": () => suggest(text, ["timeout", `${text}x`, "a".repeat(99)]),
      workflow: () => checkWorkflow({ file, text: workflow }),
      request: () =>
        checkSavedRequest({
          file,
          text: `{"version":1,"method":${quoted},"path":${quoted},"params":{"query":{${quoted}:${quoted}}}}`,
        }),
      slug: () => slug(text),
      printable: () => formatProblem({ code: "usage", severity: "error", message: text }),
    }
    const slow = Object.entries(parsers).filter(([, parse]) => within(parse) > LIMIT_MS)
    expect(slow.map(([name]) => name)).toEqual([])
  })

  it.each(["{{a}}", '["', "\\", '"', " ", "a='"])(
    "a long text of %j at every position of every kind of file is handled in linear time",
    async (seed) => {
      const text = seed.repeat(sized(SIZE / 4, SIZE) / seed.length)
      const start = performance.now()
      const { exitCode, stderr } = await callsheet(["run", "data", "other"], {
        files: {
          ...everyKind,
          [kinds.workflow]: {
            version: 1,
            blocks: [
              {
                id: text,
                type: "assert",
                description: text,
                assertions: [{ source: text, operator: "equals", value: text }],
              },
              {
                id: "x",
                type: "request",
                request: { api: text, operation: text, overrides: { body: { [text]: text } } },
              },
              { id: `{{i}}${text}`, type: "group", blocks: [] },
            ],
          },
          [kinds.request]: { version: 1, operation: text, params: { query: { [text]: text } }, body: text },
          [kinds.schema]: {
            version: 1,
            variables: {
              [text]: { type: "string", required: false },
              tries: { type: "number", required: false },
            },
          },
          [kinds.values]: { extends: text, level: text, tries: text, [`${text}x`]: 1 },
          [kinds.secrets]: `token=${text}\n${text}`,
          [kinds.json]: { openapi: text, paths: {} },
          [kinds.yaml]: `openapi: 3.1.0\nx: ${JSON.stringify(text)}\npaths: {}\n`,
        },
        timeoutMs: 60_000,
      })
      expect([exitCode, /bug|stack/i.test(stderr)]).toEqual([2, false])
      // Code with quadratic time takes minutes for the full size.
      expect(performance.now() - start).toBeLessThan(60_000)
    },
    90_000,
  )
})
