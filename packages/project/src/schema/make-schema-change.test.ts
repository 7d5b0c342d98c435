import { CallsheetError, checkEnvironmentFiles, formatProblem } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { makeSchemaChange, type SchemaChange } from "./make-schema-change.ts"

const folder = "apis/shop/environments"
const CANARY = "S3CR3T-canary"

const schema = `{
  "version": 1,
  "variables": {
    "baseUrl": { "type": "string", "required": true },
    "port": { "type": "string", "required": false, "description": "Where" },
    "apiKey": { "type": "string", "required": true, "secret": true }
  }
}
`

type Files = Readonly<Record<string, string>>

const shop: Files = {
  "schema.json": schema,
  "dev.json": '{\r\n\t"port" : "8080",\r\n\t"baseUrl" : "x"\r\n}',
  "dev.secrets.env": `# theirs\nexport apiKey='${CANARY}' # theirs\nport=1\n`,
  "live.json": '{ "extends": "dev", "port": null }\n',
}

const makeChanges = (change: SchemaChange, files: Files = {}) =>
  makeSchemaChange(
    checkEnvironmentFiles({
      api: "shop",
      files: Object.entries({ ...shop, ...files }).map(([name, text]) => ({
        file: `${folder}/${name}`,
        text,
      })),
    }),
    change,
  )

/** The texts after a change, by file name. */
const after = (change: SchemaChange, files: Files = {}): Record<string, string> =>
  Object.fromEntries(
    makeChanges(change, files).edits.map((edit) => [edit.file.slice(folder.length + 1), edit.after]),
  )

/** Returns the problems for which a change is refused, as a user reads them. */
function refusal(change: SchemaChange, files: Files = {}): readonly string[] {
  try {
    makeChanges(change, files)
  } catch (error) {
    if (!(error instanceof CallsheetError)) throw error
    const reported = error.problems.map((problem) => formatProblem(problem).replaceAll(`${folder}/`, ""))
    expect([error.message, ...reported].join()).not.toContain(CANARY)
    return reported.length === 0 ? [error.code] : reported
  }
  throw new Error("the change was not rejected")
}

const text = { type: "string", required: false } as const

describe("adding a variable", () => {
  it("writes its declaration after the others, and changes no other byte", () => {
    const declaration = { ...text, description: "Ours", secret: false, default: "x" }
    expect(after({ do: "add", name: "more", declaration })).toEqual({
      "schema.json": schema.replace(
        '"secret": true }\n',
        `"secret": true },
    "more": {
      "type": "string",
      "required": false,
      "description": "Ours",
      "default": "x"
    }\n`,
      ),
    })
  })

  it("creates a missing schema", () => {
    const files = checkEnvironmentFiles({ api: "shop", files: [] })
    const { edits } = makeSchemaChange(files, {
      do: "add",
      name: "a",
      declaration: { ...text, secret: true },
    })
    expect(edits).toMatchObject([{ file: `${folder}/schema.json`, before: null, isSecret: false }])
    expect(JSON.parse(edits[0]?.after ?? "")).toEqual({
      version: 1,
      variables: { a: { type: "string", required: false, secret: true } },
    })
    expect(edits[0]?.after).toMatch(/^\{\n {2}"version": 1,\n {2}"variables": \{\n {4}"a": \{\n/)
  })

  it("turns an undeclared key into a value: with its type, in the file where it belongs", () => {
    const files = { "live.json": '{"more": "5", "extends": "dev"}' }
    const number = { type: "number", required: false } as const
    expect(after({ do: "add", name: "more", declaration: number }, files)["live.json"]).toBe(
      '{"more": 5, "extends": "dev"}',
    )
    const secret = after({ do: "add", name: "more", declaration: { ...text, secret: true } }, files)
    expect([secret["live.json"], secret["live.secrets.env"]]).toEqual(['{"extends": "dev"}', "more=5\n"])
  })

  it.each<[string, string]>([
    ["port", "variable-exists"],
    ["tls", "variable-reserved"],
    ["a b", "variable-name"],
  ])("rejects the name %j (%s)", (name, code) => {
    expect(refusal({ do: "add", name, declaration: text })).toEqual([code])
  })

  it("rejects a default of another type, and a schema with errors", () => {
    const change: SchemaChange = {
      do: "add",
      name: "n",
      declaration: { type: "number", required: true, default: "x" },
    }
    expect(refusal(change)).toEqual([expect.stringContaining("schema.json:10:")])
    expect(refusal(change, { "schema.json": "{" })).toEqual([expect.stringContaining("json-syntax")])
  })
})

describe("changing a declaration", () => {
  const change = (declaration: object, rest: object = {}): SchemaChange => ({
    do: "change",
    name: "port",
    declaration: { type: "string", required: false, ...declaration },
    ...rest,
  })

  it("changes the fields that differ, in their positions, and no other byte", () => {
    expect(after(change({ required: true, description: "Here" }))).toEqual({
      "schema.json": schema.replace('false, "description": "Where"', 'true, "description": "Here"'),
    })
    expect(after(change({}))).toEqual({ "schema.json": schema.replace(', "description": "Where"', "") })
    expect(after(change({ description: "Where" }))).toEqual({})
  })

  it("converts values to the new type if their text allows it, and keeps null", () => {
    const files = after(change({ type: "number", description: "Where" }))
    expect(files).toEqual({
      "schema.json": schema.replace('"port": { "type": "string"', '"port": { "type": "number"'),
      "dev.json": shop["dev.json"]?.replace('"8080"', "8080"),
    })
    const back = { "schema.json": files["schema.json"] ?? "", "dev.json": '{"port": 1.50e1}' }
    expect(after(change({ type: "string", description: "Where" }), back)["dev.json"]).toBe(
      '{"port": "1.50e1"}',
    )
  })

  it("rejects values that do not fit, each with its file and line, and shows none of them", () => {
    const files = { "dev.json": `{\n"port": "${CANARY}"\n}`, "dev.secrets.env": `apiKey=x\nport=${CANARY}\n` }
    expect(refusal(change({ type: "number" }), files)).toEqual([
      expect.stringMatching(/^dev\.json:2:9: .*\(variable-type\)/),
      expect.stringMatching(/^dev\.secrets\.env:2:1: .*\(variable-type\)/),
    ])
    expect(refusal(change({ type: "boolean" }), { "dev.json": '{"port": "1"}' })).toHaveLength(2)
  })

  it("converts an existing default, or rejects it", () => {
    const withDefault = (value: string) => ({
      "schema.json": schema.replace('"Where"', `"Where", "default": ${value}`),
    })
    const kept = change({ type: "number", description: "Where" }, { keepDefault: true })
    expect(after(kept, withDefault('"5"'))["schema.json"]).toContain('"default": 5 }')
    expect(refusal(kept, withDefault('"five"'))).toEqual([
      expect.stringMatching(/^schema\.json:5:.*"port" can't be declared as a number: its default/),
    ])
    expect(after(change({ description: "Where" }), withDefault('"5"'))["schema.json"]).toBe(schema)
  })

  it("moves values out of value files when it becomes a secret, and reports which files had them", () => {
    const { edits, exposed, notes } = makeChanges(change({ secret: true, description: "Where" }), {
      "live.json": `{ "extends": "dev", "port": "${CANARY} #2" }\n`,
    })
    expect(Object.fromEntries(edits.map((edit) => [edit.file.slice(folder.length + 1), edit.after]))).toEqual(
      {
        "schema.json": schema.replace('"Where"', '"Where", "secret": true'),
        "dev.json": '{\r\n\t"baseUrl" : "x"\r\n}',
        "live.json": '{ "extends": "dev" }\n',
        "live.secrets.env": `port='${CANARY} #2'\n`,
      },
    )
    expect(exposed).toEqual([`${folder}/dev.json`, `${folder}/live.json`])
    // The secrets file of "dev" already had a value, which is kept.
    expect(notes).toEqual([
      expect.stringMatching(/^callsheet removes the value of "[^"]+" from \S+\/dev\.json /),
    ])
  })

  it("keeps every digit of a number that becomes a secret", () => {
    const files = {
      "schema.json": schema.replaceAll('"port": { "type": "string"', '"port": { "type": "number"'),
    }
    const values = { ...files, "dev.json": '{"port": 1.50}', "dev.secrets.env": "", "live.json": "{}" }
    expect(after(change({ type: "number", secret: true }), values)["dev.secrets.env"]).toBe("port=1.50\n")
  })

  it("rejects what a secrets file can't express, and writes none of the rest", () => {
    const files = { "dev.json": "{}", "live.json": JSON.stringify({ port: "'\"` # x" }) }
    expect(refusal(change({ secret: true }), files)).toEqual([
      expect.stringMatching(/^live\.json:1:9: .*\(secret-unquotable\)/),
    ])
  })

  const public_: SchemaChange = {
    do: "change",
    name: "apiKey",
    declaration: { type: "string", required: true },
  }

  it("asks what happens to the values of a secret that becomes public", () => {
    expect(refusal(public_)).toEqual(["secret-values"])
    expect(after({ ...public_, secretValues: "keep" })).toEqual({
      "schema.json": schema.replace(', "secret": true', ""),
    })
    const { edits, notes } = makeChanges({ ...public_, secretValues: "move" })
    expect(edits.map((edit) => edit.after)).toEqual([
      schema.replace(', "secret": true', ""),
      `{\r\n\t"port" : "8080",\r\n\t"baseUrl" : "x",\r\n\t"apiKey" : "${CANARY}"\r\n}`,
      "# theirs\nport=1\n",
    ])
    expect(notes.join()).toContain("everyone who can read the repository can read")
    expect(after(public_, { "dev.secrets.env": "" })).toHaveProperty("schema.json")
  })

  it("doesn't need files to parse that it doesn't change", () => {
    expect(after(change({ required: true }), { "live.json": "{" })).toHaveProperty("schema.json")
    expect(refusal(change({ secret: true }), { "live.json": "{" })).toEqual([
      expect.stringContaining("live.json:1:"),
    ])
    expect(refusal(change({ secret: true }), { "live.secrets.env": "none" })).toEqual([
      expect.stringContaining("live.secrets.env:1:1"),
    ])
    expect(refusal(change({ type: "number" }), { "live.json": "[]" })).toEqual([
      expect.stringContaining("live.json:1:1"),
    ])
  })
})

describe("renaming a variable", () => {
  it("changes the name in the schema, in value files and in secrets files, in the same positions", () => {
    expect(after({ do: "rename", name: "port", to: "door" })).toEqual({
      "schema.json": schema.replace('"port"', '"door"'),
      "dev.json": shop["dev.json"]?.replace('"port"', '"door"'),
      "dev.secrets.env": shop["dev.secrets.env"]?.replace("port=", "door="),
      "live.json": shop["live.json"]?.replace('"port"', '"door"'),
    })
  })

  it.each<[string, string]>([
    ["port", "variable-exists"],
    ["apiKey", "variable-exists"],
    ["level", "variable-reserved"],
  ])("rejects the new name %j (%s)", (to, code) => {
    expect(refusal({ do: "rename", name: "port", to })).toEqual([code])
  })

  it("rejects a name that already has values in files", () => {
    const files = { "dev.json": '{"door": 1, "port": "2"}', "live.secrets.env": "door=1\n" }
    expect(refusal({ do: "rename", name: "port", to: "door" }, files)).toEqual([
      expect.stringMatching(/^dev\.json:1:2: .*\(variable-exists\)/),
      expect.stringMatching(/^live\.secrets\.env: .*\(variable-exists\)/),
    ])
  })

  it("reports names with a meaning of their own, and process variables", () => {
    const { notes } = makeChanges({ do: "rename", name: "baseUrl", to: "hostName" })
    expect(notes.join("\n")).toContain('The variable "baseUrl" sets the base URL of the API')
    expect(notes.join("\n")).toContain("CALLSHEET_VAR__SHOP__BASE_URL")
    expect(notes.join("\n")).toContain("CALLSHEET_VAR__SHOP__HOST_NAME")
    expect(makeChanges({ do: "rename", name: "port", to: "timeout" }).notes.join()).not.toContain(
      "timeout of its requests",
    )
  })
})

describe("deleting a variable", () => {
  it("removes its declaration and its values from all files", () => {
    expect(after({ do: "delete", name: "port" })).toEqual({
      "schema.json": schema.replace(/\n {4}"port".*/, ""),
      "dev.json": '{\r\n\t"baseUrl" : "x"\r\n}',
      "dev.secrets.env": shop["dev.secrets.env"]?.replace("port=1\n", ""),
      "live.json": '{ "extends": "dev" }\n',
    })
  })

  it("rejects an undeclared name", () => {
    expect(refusal({ do: "delete", name: "prt" })).toEqual(["variable-undeclared"])
  })
})
