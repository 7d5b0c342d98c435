// Checks which source sets the value of a variable: all combinations, compared with a resolver written from the rules.

import { checkEnvironmentFiles, resolveEnvironment, type Scalar } from "@callsheet/format"
import { expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { ENVIRONMENTS } from "./environment-project.ts"

type Type = "string" | "number" | "boolean"
type State = "absent" | "set" | "null" | "empty"

/**
 * The sources in the order of the rules, with their possible values. The process and secrets files contain text and no
 * null.
 */
const places = ["process", "own secrets", "own values", "parent's secrets", "parent's values"] as const
const further = ["grandparent's secrets", "grandparent's values", "default"] as const
const all = [...places, ...further]
type Place = (typeof all)[number]

const isText = (place: Place) => place === "process" || place.endsWith("secrets")

function statesOf(place: Place, type: Type): readonly State[] {
  if (isText(place)) return ["absent", "set", "empty"]
  return type === "string" ? ["absent", "set", "null", "empty"] : ["absent", "set", "null"]
}

type Combination = Readonly<Record<Place, State>>

const combinations = (type: Type): readonly Combination[] =>
  all.reduce<readonly Partial<Combination>[]>(
    (some, place) =>
      some.flatMap((one) => statesOf(place, type).map((state) => ({ ...one, [place]: state }))),
    [{}],
  ) as readonly Combination[]

/** Each source has its own value. There are only two booleans, so neighbors differ. */
const valueIn = (place: Place, type: Type): Scalar => {
  const at = all.indexOf(place)
  return type === "string" ? place : type === "number" ? at + 0.5 : at % 2 === 0
}

interface Answer {
  readonly from: string
  readonly environment?: string
  readonly value?: Scalar
}

/** The rules: the first source that has the key wins, empty or not. An empty process variable counts as not set. */
function answerByTheRules(combination: Combination, type: Type): Answer {
  const hit = all.find((place) => {
    const state = combination[place]
    return state !== "absent" && !(place === "process" && state === "empty")
  })
  if (hit === undefined) return { from: "none" }
  const environment = { o: "child", p: "parent", g: "grand" }[hit[0] ?? ""]
  const where = {
    from: hit.split(" ").at(-1) ?? "",
    ...(environment === undefined || hit === "process" ? {} : { environment }),
  }
  const state = combination[hit]
  if (state === "set") return { ...where, value: valueIn(hit, type) }
  // An empty text for a number or a boolean means no value, like null.
  return state === "empty" && type === "string" ? { ...where, value: "" } : where
}

/** The files and process variables that contain variable number `n` in combination number `n`. */
function writeOut(type: Type) {
  const named = combinations(type).map((combination, at) => ({ name: `v${at}`, combination }))
  const json = (place: Place, more: object = {}) => ({
    ...more,
    ...Object.fromEntries(named.flatMap(({ name, combination }) => entry(name, combination[place], place))),
  })
  const entry = (name: string, state: State, place: Place) =>
    state === "absent"
      ? []
      : [[name, state === "null" ? null : state === "empty" ? "" : valueIn(place, type)] as const]
  const text = (place: Place) =>
    named
      .flatMap(({ name, combination }) => entry(name, combination[place], place))
      .map(([name, value]) => `${name}=${String(value)}\n`)
      .join("")
  const defaults = new Map(
    named.flatMap(({ name, combination }) => entry(name, combination.default, "default")),
  )
  const variables = Object.fromEntries(
    named.map(({ name }) => [
      name,
      { type, required: false, ...(defaults.has(name) && { default: defaults.get(name) }) },
    ]),
  )
  const files = {
    [`${ENVIRONMENTS}/schema.json`]: JSON.stringify({ version: 1, variables }),
    [`${ENVIRONMENTS}/child.json`]: JSON.stringify(json("own values", { extends: "parent" })),
    [`${ENVIRONMENTS}/child.secrets.env`]: text("own secrets"),
    [`${ENVIRONMENTS}/parent.json`]: JSON.stringify(json("parent's values", { extends: "grand" })),
    [`${ENVIRONMENTS}/parent.secrets.env`]: text("parent's secrets"),
    [`${ENVIRONMENTS}/grand.json`]: JSON.stringify(json("grandparent's values")),
    [`${ENVIRONMENTS}/grand.secrets.env`]: text("grandparent's secrets"),
  }
  const env = Object.fromEntries(
    named
      .flatMap(({ name, combination }) => entry(name, combination.process, "process"))
      .map(([name, value]) => [`CALLSHEET_VAR__SHOP__${name.toUpperCase()}`, String(value)]),
  )
  return { named, files, env }
}

it.each([
  ["string", 20_736],
  ["number", 6_561],
  ["boolean", 6_561],
] as const)(
  "a %s has the value of the first source that has it, in all %i combinations",
  async (type, count) => {
    const { named, files, env } = writeOut(type)
    expect(named).toHaveLength(count)
    const { exitCode, stdout, stderr } = await callsheet(["env", "read", "shop", "child", "--json"], {
      files,
      env,
      timeoutMs: 60_000,
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    const { variables } = JSON.parse(stdout) as { variables: Record<string, Answer & { file?: string }> }
    const wrong = named.filter(({ name, combination }) => {
      const { from, environment, value } = variables[name] ?? {}
      const rules = answerByTheRules(combination, type)
      return from !== rules.from || environment !== rules.environment || value !== rules.value
    })
    expect(wrong.slice(0, 3)).toEqual([])
  },
  120_000,
)

it.each(["string", "number", "boolean"] as const)(
  "--var wins over all other sources, empty or not, for a %s",
  (type) => {
    const { named, files, env } = writeOut(type)
    const sources = Object.entries(files).map(([file, text]) => ({ file, text }))
    const checked = checkEnvironmentFiles({ api: "shop", files: sources })
    const overrides = { string: ["", "over"], number: ["-7"], boolean: ["true", "false"] }[type]
    for (const text of overrides) {
      const { environment, problems } = resolveEnvironment({
        files: checked,
        name: "child",
        overrides: new Map(named.map(({ name }) => [name, text])),
        processEnvironment: env,
      })
      expect(problems).toEqual([])
      const values = new Set(
        [...environment.variables.values()].map(({ from, value }) => `${from} ${typeof value} ${value}`),
      )
      expect([...values]).toEqual([`override ${type} ${text}`])
    }
  },
)
