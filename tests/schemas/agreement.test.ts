// Compares the published JSON Schemas with our own checks: both accept and reject the same files.

import { readFileSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv2020 } from "ajv/dist/2020.js"
import {
  checkEnvironmentFiles,
  checkShape,
  checkWorkflow,
  jsonSchemaOf,
  parseJson,
  publishedSchemas,
  schemaKinds,
  valueFileSchemaOf,
  type EnvironmentFiles,
  type JsonObject,
  type SchemaKind,
} from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { mutate } from "./mutate.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const MUTANTS = 60
const SEED = 20261121

interface CorpusFile {
  readonly path: string
  readonly kind: SchemaKind
  readonly text: string
}

const kindOf: readonly (readonly [RegExp, SchemaKind])[] = [
  [/\/apis\/workflow\/[^/]+\.json$/, "workflow"],
  [/\/apis\/[^/]+\/environments\/schema\.json$/, "environment-schema"],
  [/\/apis\/[^/]+\/environments\/[^/]+\.json$/, "environment-values"],
  [/\/apis\/[^/]+\/requests\/.+\.json$/, "saved-request"],
  [/\/callsheet\.json$/, "project"],
]

const corpus: readonly CorpusFile[] = ["examples", "tests"].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => !path.includes("/node_modules/"))
    .sort()
    .flatMap((path) => {
      const kind = kindOf.find(([pattern]) => pattern.test(path))?.[1]
      return kind === undefined ? [] : [{ path, kind, text: readFileSync(root + path, "utf8") }]
    }),
)

// VS Code's additions to the standard, which a strict validator must know.
const editorWords = [
  "markdownDescription",
  "enumDescriptions",
  "markdownEnumDescriptions",
  "defaultSnippets",
  "errorMessage",
  "patternErrorMessage",
  "deprecationMessage",
  "doNotSuggest",
]

const compile = (schema: JsonObject) =>
  new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: true })
    .addVocabulary(editorWords)
    .compile(schema)

const validators = new Map(schemaKinds.map((kind) => [kind, compile(jsonSchemaOf(kind))]))

/** Returns whether our own check accepts the text without its placeholders, as far as one file can show. */
function isRight(kind: SchemaKind, text: string): boolean {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(`${text} does not parse`)
  const findings = checkShape(publishedSchemas[kind].shape, parsed.value)
  if (findings.some(({ severity }) => severity !== "warning")) return false
  // The loops around a block determine which placeholders its id may contain.
  return (
    kind !== "workflow" ||
    checkWorkflow({ file: "", text }).problems.every(({ code }) => code !== "id-invalid")
  )
}

const mutants = corpus.flatMap(({ path, kind, text }, index) =>
  mutate(JSON.parse(text), MUTANTS, SEED + index).flatMap(({ value, mistake }) =>
    value === undefined ? [] : [{ name: `${path}: ${mistake}`, kind, text: JSON.stringify(value) }],
  ),
)

describe("the published schemas", () => {
  it.each(schemaKinds)("are strict and of draft 2020-12: %s", (kind) => {
    const schema = jsonSchemaOf(kind)
    expect(new Ajv2020().validateSchema(schema)).toBe(true)
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `urn:callsheet:schema:${kind}:1`,
    })
    expect(() => compile(schema)).not.toThrow()
  })

  it("accept every file of the samples, like our own checks", () => {
    expect(new Set(corpus.map(({ kind }) => kind)).size).toBe(5)
    const wrong = corpus.filter(
      ({ kind, text }) => !isRight(kind, text) || !validators.get(kind)?.(JSON.parse(text)),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it(`agree with our own checks on mutants of these files (seed ${SEED})`, () => {
    const judged = mutants.map(({ name, kind, text }) => ({
      name,
      ours: isRight(kind, text),
      theirs: validators.get(kind)?.(JSON.parse(text)),
    }))
    expect(judged.filter(({ ours }) => ours).length).toBeGreaterThan(100)
    expect(judged.filter(({ ours }) => !ours).length).toBeGreaterThan(400)
    expect(judged.filter(({ ours, theirs }) => ours !== theirs)).toEqual([])
  })
})

describe("the schema of one API's value files", () => {
  const shop = corpus.filter(({ path }) => path.startsWith("examples/shop/apis/shop/environments/"))
  const check = (text?: string): EnvironmentFiles =>
    checkEnvironmentFiles({
      api: "shop",
      files: [
        ...shop
          .filter(({ kind }) => kind === "environment-schema")
          .map(({ path: file, text: content }) => ({ file, text: content })),
        ...(text === undefined ? [] : [{ file: "examples/shop/apis/shop/environments/a.json", text }]),
      ],
    })
  // Other files decide whether a parent exists.
  const isRightHere = (text: string): boolean =>
    check(text).problems.every(({ severity, code }) => severity === "warning" || code.startsWith("extends-"))

  it("agrees with our own checks on mutants of the sample's", () => {
    const validate = compile(valueFileSchemaOf(check()))
    const judged = shop
      .filter(({ kind }) => kind === "environment-values")
      .flatMap(({ text }, index) => mutate(JSON.parse(text), 200, SEED + index))
      .flatMap(({ value, mistake }) => (value === undefined ? [] : [{ value, mistake }]))
      .map(({ value, mistake }) => ({
        text: JSON.stringify(value),
        mistake,
        ours: isRightHere(JSON.stringify(value)),
        theirs: validate(value),
      }))
    expect(judged.filter(({ ours }) => ours).length).toBeGreaterThan(50)
    expect(judged.filter(({ ours }) => !ours).length).toBeGreaterThan(100)
    expect(judged.filter(({ ours, theirs }) => ours !== theirs)).toEqual([])
  })

  it("offers the declared variables with their descriptions and defaults, and no secrets", () => {
    const schema = valueFileSchemaOf({
      api: "shop",
      variables: new Map([
        ["timeout", { type: "number", required: false, default: 5000, description: "How long." }],
        ["apiKey", { type: "string", required: true, secret: true, default: "S3CRET" }],
      ]),
    })
    expect(schema).toMatchObject({
      properties: {
        timeout: { type: ["number", "null"], default: 5000, description: "How long." },
        apiKey: { deprecated: true, doNotSuggest: true },
        level: { enum: ["production", "staging", "local"] },
      },
      additionalProperties: false,
    })
    expect(JSON.stringify(schema)).not.toContain("S3CRET")
  })
})
