// Checks problems with the text of a file through the command, for every kind of file.

import { rm } from "node:fs/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"
import {
  allKinds,
  allOf,
  dataKinds,
  eachOf,
  everyKind,
  findIn,
  hintsOf,
  jsonKinds,
  kinds,
  formatKind,
  type Kind,
} from "./every-kind.ts"

const encode = (text: string, encoding: "utf8" | "utf16le" = "utf8"): Buffer => Buffer.from(text, encoding)
const workflowOf = (...blocks: readonly unknown[]) => ({ [kinds.workflow]: { version: 1, blocks } })
const messages = (problems: readonly { readonly message: string }[]) => problems.map(({ message }) => message)

it("the project that these tests break is valid", async () => {
  const { problems, stderr, report } = await findIn({ [kinds.script]: everyKind[kinds.script] })
  expect(problems).toEqual([])
  expect(stderr).toMatch(/^warning: apis\/workflow\/other\.json:7:17: "blocks" is empty: .*\n$/)
  expect(report?.runs.map(({ workflow, status }) => `${workflow} ${status}`)).toEqual([
    "data failed",
    "other passed",
    "w passed",
  ])
})

describe("JSON", () => {
  it.each([
    ["empty", "", "1:1"],
    ["blank", " \n\t\n", "3:1"],
    ["cut", '{\n  "version": 1,', "2:16"],
    ["cut off in a string", '{\n  "vers', "2:3"],
  ])("a file that is %s is an error at its end, and stays unchanged", async (_, text, place) => {
    const folder = await createFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    const { places, exitCode } = await findIn(
      eachOf(jsonKinds, () => text),
      { folder },
    )
    expect([places, exitCode]).toEqual([allOf(jsonKinds, `:${place} json-syntax`), 2])
    for (const kind of jsonKinds) expect(await readText(folder, kinds[kind])).toBe(text)
  })

  it.each([
    ["an extra comma", '{\n  "version": 1,\n}', "3:1", "remove the comma"],
    ["a comment", '{\n  // one\n  "version": 1\n}', "2:3", "JSON does not allow comments"],
    ["single quotes", "{\n  'version': 1\n}", "2:3", "put keys in double quotes"],
    ["a single-quoted value", "{\n  \"version\": '1'\n}", "2:14", "put strings in double quotes"],
  ])("%s is an error at its position, with a hint", async (_, text, place, hint) => {
    const found = await findIn(eachOf(jsonKinds, () => text))
    expect(found.places).toEqual(allOf(jsonKinds, `:${place} json-syntax`))
    expect(hintsOf(found)).toEqual([hint])
  })

  it.each([
    ["a second document", (text: string) => `${text}{}`],
    ["NUL bytes at the end", (text: string) => `${text}\0\0`],
  ])("%s is an error at its first character", async (_, change) => {
    const { places } = await findIn(eachOf(jsonKinds, (kind) => change(formatKind(kind))))
    const lines = (kind: Kind) => formatKind(kind).split("\n").length
    expect(places).toEqual(jsonKinds.map((kind) => `${kinds[kind]}:${lines(kind)}:1 json-syntax`).sort())
  })

  it("a duplicate key is an error at the second one, however it is written", async () => {
    const { places } = await findIn(
      eachOf(jsonKinds, (kind) => formatKind(kind).replace("{\n", '{\n  "x": {"y": 1,\n "\\u0079": 2},\n')),
    )
    const ofSyntax = places.filter((place) => place.endsWith("json-syntax"))
    expect(ofSyntax).toEqual(allOf(jsonKinds, ":3:2 json-syntax"))
  })
})

describe("YAML", () => {
  it.each([
    ["empty", "", "1:1 document-invalid"],
    ["cut", "openapi: [3.1", "1:14 yaml-syntax"],
    ["indented with tabs", "openapi: 3.1.0\npaths:\n\t/ping: {}\n", "3:1 yaml-syntax"],
    ["two documents", `${formatKind("yaml")}---\nopenapi: 3.1.0\n`, "1:1 yaml-syntax"],
    ["with NUL bytes at the end", `${formatKind("yaml")}\0\0`, "5:1 yaml-syntax"],
    ["with a duplicate key", `${formatKind("yaml")}openapi: 3.1.1\n`, "5:1 yaml-syntax"],
  ])("a document that is %s is an error at its position", async (_, text, place) => {
    const { places } = await findIn({ [kinds.yaml]: text })
    expect(places).toEqual([`${kinds.yaml}:${place}`])
  })
})

describe("a secrets file", () => {
  it("may be empty, blank or contain only comments", async () => {
    for (const text of ["", "\n \n", "# nothing\n"]) {
      expect((await findIn({ [kinds.secrets]: text })).problems).toEqual([])
    }
  })

  it("with NUL bytes after its last line, or in a value, is an error at their line", async () => {
    expect((await findIn({ [kinds.secrets]: "token=a\n\0\0" })).places).toEqual([
      `${kinds.secrets}:2:1 dotenv-syntax`,
    ])
    expect((await findIn({ [kinds.secrets]: "token=a\0b\n" })).places).toEqual([
      `${kinds.secrets}:1:7 dotenv-syntax`,
    ])
  })

  it("uses the last of several lines with one name, as its dialect does", async () => {
    const files = { ...everyKind, [kinds.secrets]: "token=one\ntoken=two\n" }
    const { stdout } = await callsheet(["env", "read", "shop", "local", "token", "--reveal"], { files })
    expect(stdout).toBe("two\n")
  })
})

describe("an unresolved merge conflict", () => {
  const conflict = (ours: string, theirs: string) =>
    `${ours}\n<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> theirs\n`

  it.each([
    ["LF", (text: string) => text],
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
  ])(
    "is reported at its first marker in every kind of file, and its values are not read (%s)",
    async (_, change) => {
      const text = change(conflict("token=0urs-s3cret", "token=the1rs-s3cret"))
      const { places, stdout, stderr } = await findIn(eachOf(dataKinds, () => text))
      expect(places).toEqual(allOf(dataKinds, ":2:1 file-conflict"))
      expect(stdout + stderr).not.toContain("s3cret")
    },
  )

  it("is found even if the file would parse", async () => {
    const yaml = `${formatKind("yaml")}info: "a\n<<<<<<< HEAD\n b\n=======\n c\n>>>>>>> theirs\n"\n`
    const secrets = "token='\n<<<<<<< HEAD\n b\n=======\n c\n>>>>>>> theirs\n'\n"
    const { places } = await findIn({ [kinds.yaml]: yaml, [kinds.secrets]: secrets })
    expect(places).toEqual([`${kinds.yaml}:6:1 file-conflict`, `${kinds.secrets}:2:1 file-conflict`])
  })

  it("is found if it was only half removed", async () => {
    const { places } = await findIn(eachOf(dataKinds, () => "token=a\n=======\ntoken=b\n>>>>>>> theirs\n"))
    expect(places).toEqual(allOf(dataKinds, ":2:1 file-conflict"))
  })

  it("in a script is reported with the script", async () => {
    const { problems } = await findIn({ [kinds.script]: conflict("const a = 1", "const a = 2") })
    expect(problems).toMatchObject([{ code: "file-conflict", file: "apis/workflow/w.json" }])
    expect(problems[0]?.message).toContain(`${kinds.script}: the file has conflict markers`)
  })
})

describe("encodings", () => {
  /** ASCII text in units of 2 or 4 bytes. */
  const wide = (text: string, order: "le" | "be", width: 2 | 4): Buffer => {
    const bytes = Buffer.alloc(text.length * width)
    for (let at = 0; at < text.length; at++) {
      const start = at * width
      const unit = text.charCodeAt(at)
      if (order === "le") bytes.writeUInt16LE(unit, start)
      else bytes.writeUInt16BE(unit, start + width - 2)
    }
    return bytes
  }
  const encodings = (["le", "be"] as const).flatMap((order) =>
    ([2, 4] as const).flatMap((width) =>
      (["", "\ufeff"] as const).map(
        (mark) =>
          [
            `UTF-${width * 8} (${order === "le" ? "little" : "big"}-endian)`,
            mark === "" ? "without" : "with",
            (text: string) => wide(mark + text, order, width),
          ] as const,
      ),
    ),
  )

  it.each(encodings)("%s %s a mark is reported in every kind of file", async (name, _, change) => {
    const { codes, problems } = await findIn(eachOf(allKinds, (kind) => change(formatKind(kind))))
    expect(codes).toEqual(
      [...allOf(dataKinds, " file-encoding"), "apis/workflow/w.json file-encoding"].sort(),
    )
    for (const { message } of problems) expect(message).toContain(name)
  })

  it.each([
    ["a byte of Latin-1", [0xe9]],
    ["a lone surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong encoding", [0xc0, 0xaf]],
    ["a truncated character", [0xf0, 0x9f, 0x98]],
  ])("%s is reported with its byte in every kind of file", async (_, bytes) => {
    const at = (kind: Kind) => Math.floor(formatKind(kind).length / 2)
    const { codes, problems } = await findIn(
      eachOf(allKinds, (kind) =>
        Buffer.concat([
          encode(formatKind(kind).slice(0, at(kind))),
          Buffer.from(bytes),
          encode(formatKind(kind).slice(at(kind))),
        ]),
      ),
    )
    expect(codes).toEqual(
      [...allOf(dataKinds, " file-encoding"), "apis/workflow/w.json file-encoding"].sort(),
    )
    const reported = messages(problems).map((message) => Number(/byte (\d+)/.exec(message)?.[1]))
    expect(new Set(reported)).toEqual(new Set(allKinds.map(at)))
  })

  it("one byte order mark is accepted in every kind of file", async () => {
    const { problems, report } = await findIn(eachOf(allKinds, (kind) => `\ufeff${formatKind(kind)}`))
    expect([problems, report?.runs.map(({ status }) => status)]).toEqual([[], ["failed", "passed", "passed"]])
  })

  it("two byte order marks are rejected", async () => {
    const { places } = await findIn(eachOf(jsonKinds, (kind) => `\ufeff\ufeff${formatKind(kind)}`))
    expect(places).toEqual(allOf(jsonKinds, ":1:1 json-syntax"))
  })

  it("a lone surrogate in a JSON string is not a valid name, and is never sent as something else", async () => {
    const files = workflowOf({ id: "a\ud800", type: "group", blocks: [] })
    expect((await findIn(files)).codes).toEqual([`${kinds.workflow} id-invalid`])
  })
})

describe("fields", () => {
  it("an unknown field is an error with a suggestion, in every format", async () => {
    const { problems, places } = await findIn({
      [kinds.workflow]: {
        version: 1,
        onFailiure: "continue",
        blocks: [
          {
            id: "a",
            type: "request",
            descripton: "x",
            request: { api: "shop", operation: "ping", overrides: { params: { headers: {} } } },
          },
          { id: "b", type: "assert", assertions: [{ source: "a", operator: "exists", valeu: 1 }] },
          { id: "c", type: "loop", mode: "times", count: 1, maxIterations: 2, blocks: [] },
        ],
      },
      [kinds.request]: { version: 1, method: "GET", path: "/", timeoutMS: 1, parms: {} },
      [kinds.schema]: formatKind("schema").replace('"secret"', '"secrte"'),
      [kinds.values]: { baseUrl: "http://127.0.0.1:9", $schema: "x", baseUlr: "x", tsl: { verify: false } },
    })
    expect(
      places.every((place) => place.includes("field-unknown") || place.includes("variable-undeclared")),
    ).toBe(true)
    expect(problems.map(({ file, hint }) => `${file} ${hint}`).sort()).toEqual(
      [
        `${kinds.workflow} did you mean "onFailure"?`,
        `${kinds.workflow} did you mean "description"?`,
        `${kinds.workflow} did you mean "header"?`,
        `${kinds.workflow} did you mean "value"?`,
        `${kinds.workflow} undefined`,
        `${kinds.request} did you mean "timeoutMs"?`,
        `${kinds.request} did you mean "params"?`,
        `${kinds.schema} did you mean "secret"?`,
        `${kinds.values} a value file contains only variables; "$schema" is allowed in schema.json`,
        `${kinds.values} did you mean "baseUrl"?`,
        `${kinds.values} did you mean "tls"?`,
      ].sort(),
    )
  })

  it("a field of the wrong type is an error with its path, the expected and the received type", async () => {
    const { problems } = await findIn({
      [kinds.workflow]: {
        version: 1,
        onFailure: true,
        validateContracts: "yes",
        inputs: { n: { type: ["string"], required: "no", description: 1 }, m: "string" },
        blocks: [
          { id: 7, type: "request", request: "shop" },
          {
            id: "a",
            type: "request",
            request: { api: 1, operation: [], overrides: { params: { query: { q: 1 } }, body: [] } },
          },
          { id: "b", type: "assert", assertions: { source: "a" } },
          { id: "c", type: "assert", assertions: [{ source: 1, operator: null }], timeoutMs: "30" },
          { id: "d", type: "transform", transforms: { x: 1 } },
          { id: "e", type: "condition", if: [], then: {} },
          { id: "f", type: "loop", mode: "times", count: "3", iteratorVar: 1, blocks: null },
          { id: "g", type: "script", script: { name: 1, exportName: {} } },
          "group",
        ],
      },
      [kinds.request]: {
        version: 1,
        method: 1,
        path: null,
        params: [],
        timeoutMs: "1",
        followRedirects: 0,
        bodyType: {},
      },
      [kinds.schema]: {
        version: 1,
        variables: { baseUrl: { type: 1, required: "true", description: {}, secret: 1 }, x: [] },
      },
      [kinds.values]: [],
      [kinds.secrets]: "",
      [kinds.json]: { openapi: 3.1, paths: {} },
      [kinds.yaml]: "openapi: 3.1.0\npaths: []\n",
    })
    const reported = problems.map(({ file, code, message }) => `${file} ${code} ${message}`)
    expect(
      reported.filter((text) => !/ (?:field-type|document-invalid) .*(?:; expected |must be )/.test(text)),
    ).toEqual([])
    const wrong = reported.map((text) => text.split(" ")[2] ?? "")
    expect(wrong.sort()).toMatchInlineSnapshot(`
      [
        ""openapi"",
        ""paths"",
        "blocks[0].id",
        "blocks[0].request",
        "blocks[1].request.api",
        "blocks[1].request.operation",
        "blocks[1].request.overrides.body",
        "blocks[1].request.overrides.params.query.q",
        "blocks[2].assertions",
        "blocks[3].assertions[0].operator",
        "blocks[3].assertions[0].source",
        "blocks[3].timeoutMs",
        "blocks[4].transforms.x",
        "blocks[5].if",
        "blocks[5].then",
        "blocks[6].blocks",
        "blocks[6].count",
        "blocks[6].iteratorVar",
        "blocks[7].script.exportName",
        "blocks[7].script.name",
        "blocks[8]",
        "bodyType",
        "followRedirects",
        "inputs.m",
        "inputs.n.description",
        "inputs.n.required",
        "inputs.n.type",
        "method",
        "onFailure",
        "params",
        "path",
        "the",
        "timeoutMs",
        "validateContracts",
        "variables.baseUrl.description",
        "variables.baseUrl.required",
        "variables.baseUrl.secret",
        "variables.baseUrl.type",
        "variables.x",
      ]
    `)
    expect(messages(problems)).toContain("blocks[5].then is an object; expected an array")
  })

  const versioned = ["workflow", "request", "schema"] as const

  it.each([
    ["missing", undefined],
    ["a text", "1"],
    ["another number", 2],
    ["null", null],
    ["true", true],
    ["a list", [1]],
    ["a fraction", 1.5],
  ])("a version that is %s has its own error", async (_, version) => {
    const files = eachOf(versioned, (kind) => ({ ...(everyKind[kinds[kind]] as object), version }))
    const { codes, problems } = await findIn(files)
    expect(codes).toEqual(allOf(versioned, " version-invalid"))
    for (const { message } of problems) expect(message).toContain("the number 1")
  })

  it.each(["yes", null, 1, "true"])(
    "secret: %j is an error, and nothing is written that would not be secret",
    async (secret) => {
      const schema = { version: 1, variables: { token: { type: "string", required: false, secret } } }
      const files = { ...everyKind, [kinds.schema]: schema, [kinds.values]: {}, [kinds.secrets]: "" }
      const { problems } = await findIn(files)
      expect(problems).toMatchObject([
        {
          file: kinds.schema,
          code: "field-type",
          message: expect.stringContaining("variables.token.secret") as string,
        },
      ])
      const folder = await createFolder(files)
      onTestFinished(() => rm(folder, { recursive: true }))
      const written = await callsheet(["env", "write", "shop", "local", "token=s3cr3t"], { folder })
      expect([
        written.exitCode,
        await readText(folder, kinds.values),
        await readText(folder, kinds.secrets),
      ]).toEqual([2, "{}\n", ""])
      expect(written.stderr).not.toContain("s3cr3t")
    },
  )

  it.each(["false", 0, null, "no", []])("tls.verify: %j is an error, and never means off", async (verify) => {
    const files = { [kinds.values]: { baseUrl: "http://127.0.0.1:9", tls: { verify } } }
    const { problems, report } = await findIn(files)
    expect(problems).toMatchObject([
      {
        file: kinds.values,
        line: 4,
        code: "field-type",
        message: expect.stringContaining("tls.verify") as string,
      },
    ])
    expect(JSON.stringify(report)).not.toContain("tls-unverified")
  })

  it.each(["prod", "Production", "production ", "PRODUCTION", "", null, true, ["production"]])(
    "level: %j is an error, so that nothing runs without confirmation",
    async (level) => {
      const { problems } = await findIn({ [kinds.values]: { baseUrl: "http://127.0.0.1:9", level } })
      expect(problems).toMatchObject([
        { file: kinds.values, line: 3, code: typeof level === "string" ? "field-value" : "field-type" },
      ])
      expect(problems[0]?.message).toContain('"production", "staging" or "local"')
    },
  )

  it("names of Object's properties are not kinds, operators, modes or types", async () => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty"]
    for (const name of names) {
      const { problems } = await findIn({
        [kinds.workflow]: `{"version":1,"onFailure":"${name}","inputs":{"i":{"type":"${name}"}},"blocks":[
          {"id":"a","type":"${name}"},
          {"id":"b","type":"assert","assertions":[{"source":"a","operator":"${name}","value":1}]},
          {"id":"c","type":"loop","mode":"${name}","count":1,"execution":"${name}","blocks":[]}]}`,
        [kinds.request]: `{"version":1,"method":"GET","path":"/","bodyType":"${name}"}`,
        [kinds.schema]: `{"version":1,"variables":{"x":{"type":"${name}","required":false}}}`,
        [kinds.values]: `{"level":"${name}"}`,
        [kinds.secrets]: "",
      })
      expect(problems.filter(({ code }) => code !== "field-value")).toEqual([])
      expect(problems).toHaveLength(9)
    }
  })

  it("a field named like a property of Object is unknown, and none is inherited", async () => {
    const { codes } = await findIn({
      [kinds.workflow]: '{"version":1,"blocks":[],"__proto__":{"onFailure":"continue"},"constructor":1}',
      [kinds.request]: '{"__proto__":{"version":1,"method":"GET","path":"/"}}',
    })
    expect(codes).toEqual([
      `${kinds.request} exactly-one`,
      `${kinds.request} field-unknown`,
      `${kinds.request} version-invalid`,
      `${kinds.workflow} field-unknown`,
    ])
  })
})

describe("a name of an inherited property", () => {
  it("__proto__ is a name like any other: of a variable, a block, an output, a parameter and a key", async () => {
    const api = await startApi({
      "*": (request) => ({
        body: request.text === "" ? '{"__proto__": {"seen": 1}}' : request.text,
        headers: { "content-type": "application/json" },
      }),
    })
    onTestFinished(api.close)
    const { report, stderr } = await callsheet(["run", "w", "--json"], {
      files: {
        "apis/shop/environments/schema.json":
          '{"version":1,"variables":{"baseUrl":{"type":"string","required":true},"__proto__":{"type":"string","required":true}}}',
        "apis/shop/environments/local.json": `{"baseUrl":"${api.url}","__proto__":"valued"}`,
        "apis/shop/requests/r/post.json":
          '{"version":1,"method":"POST","path":"/x","body":{"__proto__":{"polluted":"{{__proto__}}"},"constructor":{"prototype":{"polluted":1}}}}',
        "apis/workflow/w.json": `{"version":1,"inputs":{"constructor":{"type":"string","default":"in"}},"blocks":[
          {"id":"__proto__","type":"request","request":{"api":"shop","instance":"post","overrides":{"params":{"query":{"__proto__":"{{env.shop.__proto__}}"},"header":{"__proto__":"h"},"cookie":{"__proto__":"c"}}}}},
          {"id":"t","type":"transform","transforms":{"__proto__":"__proto__.response.body.__proto__.polluted","toString":"constructor"}},
          {"id":"a","type":"assert","assertions":[
            {"source":"t.__proto__","operator":"equals","value":"valued"},
            {"source":"t.toString","operator":"equals","value":"in"},
            {"source":"t.polluted","operator":"notExists"},
            {"source":"t.constructor","operator":"notExists"},
            {"source":"__proto__.response.polluted","operator":"notExists"}]}]}`,
      },
    })
    expect(stderr).toBe("")
    expect(report?.runs[0]).toMatchObject({ status: "passed" })
    const [request] = api.requests
    expect([request?.query.get("__proto__"), request?.headers.cookie, request?.text]).toEqual([
      "valued",
      "__proto__=c",
      '{"__proto__":{"polluted":"valued"},"constructor":{"prototype":{"polluted":1}}}',
    ])
    // Node's server omits a header with that name from its record.
    expect(report?.runs[0]?.blocks[0]?.request?.headers).toMatchObject(
      JSON.parse('{"__proto__":"h"}') as object,
    )
  })
})
