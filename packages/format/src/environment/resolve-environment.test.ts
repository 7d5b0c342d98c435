import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkEnvironmentFiles } from "./check-environment-files.ts"
import {
  processVariableName,
  resolveEnvironment,
  type ResolveRequest,
  secretValues,
} from "./resolve-environment.ts"

const folder = "apis/shop/environments"

interface Given extends Partial<ResolveRequest> {
  readonly variables?: Record<string, unknown>
  /** Value files by environment. */
  readonly values?: Record<string, unknown>
  /** Secrets files by environment. */
  readonly secrets?: Record<string, string>
}

const filesOf = ({ variables = {}, values = { local: {} }, secrets = {} }: Given) =>
  checkEnvironmentFiles({
    api: "shop",
    files: [
      { file: `${folder}/schema.json`, text: JSON.stringify({ version: 1, variables }) },
      ...Object.entries(values).map(([name, content]) => ({
        file: `${folder}/${name}.json`,
        text: JSON.stringify(content),
      })),
      ...Object.entries(secrets).map(([name, text]) => ({ file: `${folder}/${name}.secrets.env`, text })),
    ],
  })

const resolve = (given: Given) => {
  const files = filesOf(given)
  return resolveEnvironment({ ...given, files, name: given.name ?? "local" })
}

const optional = { type: "string", required: false }
const needed = { type: "string", required: true }

/** The value of the variable `x` and where it comes from. */
const resolveX = (given: Given) => {
  const { environment, problems } = resolve({ variables: { x: optional }, ...given })
  const { name: _, declaration: __, ...hit } = environment.variables.get("x")!
  return { ...hit, problems: problems.map(({ code }) => code) }
}

const NAME = processVariableName("shop", "x")

describe("resolveEnvironment", () => {
  it("agrees with a reference resolver for every combination of sources", () => {
    const links = ["a", "b", "c"]
    const text = fc.option(fc.constantFrom("", "1", "2"), { nil: undefined })
    const link = fc.record({
      value: fc.option(fc.constantFrom(null, "", "3", "4"), { nil: undefined }),
      secret: text,
    })
    const sources = fc.record({
      override: text,
      process: text,
      chain: fc.tuple(link, link, link),
      fallback: fc.option(fc.constantFrom(null, "", "5"), { nil: undefined }),
      isRequired: fc.boolean(),
      isSecret: fc.boolean(),
    })
    fc.assert(
      fc.property(sources, ({ override, process, chain, fallback, isRequired, isSecret }) => {
        // The sources in the documented order. The first one that has a value wins.
        const candidates: [
          from: string,
          environment: string | undefined,
          value: string | null | undefined,
        ][] = [
          ["override", undefined, override],
          ["process", undefined, process === "" ? undefined : process],
          ...chain.flatMap(({ value, secret }, index): [string, string, string | null | undefined][] => [
            ["secrets", links[index]!, secret],
            ["values", links[index]!, value],
          ]),
          ["default", undefined, fallback],
        ]
        const hit = candidates.find(([, , value]) => value !== undefined)
        const expected =
          hit === undefined ? ["none", undefined, undefined] : [hit[0], hit[1], hit[2] ?? undefined]

        const declaration = { type: "string", required: isRequired, secret: isSecret, default: fallback }
        const { environment, problems } = resolve({
          variables: { x: declaration },
          name: "a",
          values: Object.fromEntries(
            chain.map(({ value }, index) => [links[index], { x: value, extends: links[index + 1] }]),
          ),
          secrets: Object.fromEntries(
            chain.flatMap(({ secret }, index) =>
              secret === undefined ? [] : [[links[index], `x='${secret}'`]],
            ),
          ),
          overrides: new Map(override === undefined ? [] : [["x", override]]),
          processEnvironment: { [NAME]: process },
        })
        const { from, environment: at, value } = environment.variables.get("x")!
        expect([from, at, value]).toEqual(expected)
        const isMissing = isRequired && (expected[2] === undefined || expected[2] === "")
        expect(problems.map(({ code }) => code)).toEqual(isMissing ? ["variable-missing"] : [])
        const secrets = expected[2] === undefined || !isSecret ? [] : [{ name: "x", value: expected[2] }]
        expect(secretValues(environment)).toEqual(secrets)
      }),
      { numRuns: 3_000 },
    )
  })

  it("reports which file and environment a value comes from", () => {
    const values = { local: { extends: "base" }, base: { x: "v" } }
    expect(resolveX({ values })).toMatchObject({
      value: "v",
      from: "values",
      environment: "base",
      file: `${folder}/base.json`,
    })
    expect(resolveX({ values, secrets: { base: "x=s" } })).toMatchObject({
      value: "s",
      from: "secrets",
      environment: "base",
      file: `${folder}/base.secrets.env`,
    })
    expect(resolveX({ variables: { x: { ...optional, default: "d" } } })).toMatchObject({
      from: "default",
      file: `${folder}/schema.json`,
    })
  })

  it("treats null in a child as no value and stops inheritance there", () => {
    const values = { local: { extends: "base", x: null }, base: { x: "v" } }
    const resolved = resolveX({ values, variables: { x: { ...needed, default: "d" } } })
    expect(resolved).toMatchObject({ from: "values", environment: "local", problems: ["variable-missing"] })
    expect(resolved.value).toBeUndefined()
  })

  it("converts text sources and keeps numbers beyond 2^53", () => {
    const variables = { x: { type: "number", required: true } }
    const big = "12345678901234567890"
    expect(resolveX({ variables, secrets: { local: `x=${big}` } })).toMatchObject({
      value: BigInt(big),
      problems: [],
    })
    expect(resolveX({ variables, overrides: new Map([["x", big]]) })).toMatchObject({ value: BigInt(big) })
    expect(resolveX({ variables, processEnvironment: { [NAME]: "1e3" } })).toMatchObject({ value: 1000 })
    expect(
      resolveX({ variables: { x: { type: "boolean", required: true } }, secrets: { local: "x=false" } }),
    ).toMatchObject({
      value: false,
      problems: [],
    })
  })

  it("treats an empty number as missing in a secrets file and as an error in an override", () => {
    const variables = { x: { type: "number", required: false, default: 1 } }
    const fromFile = resolveX({ variables, secrets: { local: "x=" } })
    expect(fromFile).toMatchObject({ from: "secrets", problems: [] })
    expect(fromFile.value).toBeUndefined()
    expect(resolveX({ variables, overrides: new Map([["x", ""]]) }).problems).toEqual(["variable-type"])
    expect(resolveX({ variables, processEnvironment: { [NAME]: "" } })).toMatchObject({
      value: 1,
      from: "default",
    })
  })

  it("rejects an override and a process variable of the wrong type, naming the source but never the value", () => {
    const variables = { x: { type: "boolean", required: true, secret: true } }
    for (const [given, source] of [
      [{ overrides: new Map([["x", "S3CRET"]]) }, "--var shop.x"],
      [{ processEnvironment: { [NAME]: "S3CRET" } }, NAME],
    ] as const) {
      const { problems } = resolve({ variables, ...given })
      expect(problems).toMatchObject([{ code: "variable-type", severity: "error" }])
      expect(problems[0]!.message).toContain(source)
      expect(JSON.stringify(problems)).not.toContain("S3CRET")
    }
  })

  it("doesn't repeat what a file's own problems already say about a value", () => {
    const variables = { x: { type: "number", required: true } }
    expect(resolveX({ variables, values: { local: { x: "5" } } }).problems).toEqual([])
    expect(resolveX({ variables, secrets: { local: "x=five" } }).problems).toEqual([])
  })

  it("names every missing variable with its API, its environment and where to set it", () => {
    const { problems } = resolve({
      name: "staging",
      values: { staging: { extends: "base", b: "" }, base: {} },
      variables: { a: needed, b: needed, apiKey: { ...needed, secret: true }, c: optional },
    })
    expect(problems.map(({ code }) => code)).toEqual([
      "variable-missing",
      "variable-missing",
      "variable-missing",
    ])
    for (const [index, name] of ["a", "b", "apiKey"].entries()) {
      expect(problems[index]!.message).toContain(`"${name}"`)
      expect(problems[index]!.message).toContain('"shop"')
      expect(problems[index]!.message).toContain('"staging"')
    }
    expect(problems[0]!.file).toBe(`${folder}/staging.json`)
    expect(problems[0]!.hint).not.toContain("version control")
    expect(problems[2]!.file).toBe(`${folder}/staging.secrets.env`)
    expect(problems[2]!.hint).toContain(`${folder}/staging.secrets.env (not under version control)`)
    expect(problems[2]!.hint).toContain("CALLSHEET_VAR__SHOP__API_KEY")
  })

  it("points to a process variable with a similar name", () => {
    const { problems } = resolve({
      variables: { apiKey: { ...needed, secret: true } },
      processEnvironment: { CALLSHEET_VAR__SHOP__APIKEY: "S3CRET" },
    })
    expect(problems[0]!.hint).toContain(
      "CALLSHEET_VAR__SHOP__APIKEY is set, but the expected name is CALLSHEET_VAR__SHOP__API_KEY",
    )
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
  })

  it("rejects overrides of undeclared variables", () => {
    const { problems } = resolve({
      variables: { timeout: optional },
      overrides: new Map([["timeuot", "S3CRET"]]),
    })
    expect(problems).toMatchObject([{ code: "variable-undeclared", hint: 'did you mean "timeout"?' }])
    expect(JSON.stringify(problems)).not.toContain("S3CRET")
  })

  it("rejects a process variable that two variables share, if it is set", () => {
    const variables = { apiKey: optional, "api-key": optional }
    expect(
      resolve({ variables, processEnvironment: { CALLSHEET_VAR__SHOP__API_KEY: "x" } }).problems,
    ).toMatchObject([{ code: "variable-ambiguous" }])
    expect(resolve({ variables }).problems).toEqual([])
  })

  it("inherits level and tls as a whole, from the nearest parent", () => {
    const values = {
      a: { extends: "b", tls: {} },
      b: { extends: "c", level: "staging" },
      c: { level: "production", tls: { verify: false } },
      d: { extends: "c" },
      e: {},
    }
    const shown = (name: string) => {
      const { environment } = resolve({ values, name })
      return [environment.level, environment.verifyTls, environment.extends]
    }
    expect(shown("a")).toEqual(["staging", true, "b"])
    expect(shown("b")).toEqual(["staging", false, "c"])
    expect(shown("d")).toEqual(["production", false, "c"])
    expect(shown("e")).toEqual(["local", true, undefined])
  })

  it("stops at a broken parent and in a cycle", () => {
    expect(resolveX({ values: { local: { extends: "local", x: "v" } } })).toMatchObject({ value: "v" })
    expect(resolveX({ values: { local: { extends: "gone", x: "v" } } })).toMatchObject({ value: "v" })
  })

  it("resolves along a chain of 1,000 parents", () => {
    const values = Object.fromEntries(
      Array.from({ length: 1001 }, (_, index) => [
        `e${index}`,
        index < 1000 ? { extends: `e${index + 1}` } : { x: "far" },
      ]),
    )
    expect(resolveX({ values, name: "e0" })).toMatchObject({
      value: "far",
      environment: "e1000",
      problems: [],
    })
  })

  it("throws if the environment doesn't exist", () => {
    expect(() => resolve({ name: "locl" })).toThrow(
      expect.objectContaining({ code: "env-missing", hint: 'did you mean "local"?' }),
    )
  })

  it("returns the secrets that resolve, from any source", () => {
    const secret = { type: "string", required: false, secret: true }
    const { environment } = resolve({
      variables: {
        a: secret,
        b: secret,
        c: { ...secret, default: "3" },
        d: secret,
        e: optional,
        n: { ...secret, type: "number" },
      },
      values: { local: { a: "1", e: "open", n: 5 } },
      secrets: { local: "b=2" },
      overrides: new Map([["a", "over"]]),
    })
    expect(secretValues(environment)).toEqual([
      { name: "a", value: "over" },
      { name: "b", value: "2" },
      { name: "c", value: "3" },
      { name: "n", value: 5 },
    ])
  })
})
