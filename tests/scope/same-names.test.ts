// One table of names, checked in everything that resolves names: a run, `validate` and the page's completion.

import { parseTemplate, walkBlocks, type BlockReport, type JsonObject, type Visit } from "@callsheet/format"
import { inLookUpOrder, WorkflowNames } from "@callsheet/language"
import { describe, expect, it } from "vitest"
import { scriptsGround } from "../../packages/language/src/script-types/scripts-ground.ts"
import { projectOf } from "../../packages/language/src/testing/project-of.ts"
import { assert, document, echo, runBlocks } from "../run/shop-project.ts"

type Fields = Readonly<Record<string, unknown>>

interface NameCase {
  readonly says: string
  readonly blocks: readonly unknown[]
  readonly inputs?: Fields
  /** The API's variables apart from `baseUrl`, with their values. */
  readonly variables?: Readonly<Record<string, string>>
  /** The reading block is `reader`: a request, or a loop that reads in its check. */
  readonly path: string
  readonly means: `result:${string}` | `iterator:${string}` | "input" | "variable" | "environment" | "nothing"
  /** The value in each run of the reader, or null if there is none. */
  readonly gives: readonly (string | null)[]
}

const loop = (id: string, fields: Fields, ...blocks: readonly unknown[]) => ({
  id,
  type: "loop",
  mode: "times",
  count: 2,
  ...fields,
  blocks,
})
const parallel = { execution: "parallel" }
const group = (id: string, ...blocks: readonly unknown[]) => ({ id, type: "group", blocks })
const branch = (on: string, then: readonly unknown[], ...others: readonly unknown[]) => ({
  id: "if",
  type: "condition",
  if: { source: on, operator: "equals", value: 0 },
  then,
  else: others,
})
/** A block whose result is its own name and the iteration. */
const writes = (id: string) => echo(id, { n: `${id} {{$index}}` })
const once = (id: string) => echo(id, { n: id })
const reader = (path: string) => echo("reader", { seen: `{{${path}}}` })
const resultOf = (id: string): string => `${id}.response.body.query.n`
const a = resultOf("a")

const cases: readonly NameCase[] = [
  {
    says: "a block reads earlier blocks, in groups too",
    blocks: [group("g", once("a")), reader(a)],
    path: a,
    means: "result:a",
    gives: ["a"],
  },
  {
    says: "a later block has no result",
    blocks: [reader(a), once("a")],
    path: a,
    means: "nothing",
    gives: [null],
  },
  {
    says: "a kind of block without a result has no meaning",
    blocks: [once("get"), assert("a", ["get.response.status", "equals", 200]), reader(a)],
    path: a,
    means: "nothing",
    gives: [null],
  },
  {
    says: "an iteration sees its own results first",
    blocks: [loop("l", {}, writes("a"), reader(a))],
    path: a,
    means: "result:a",
    gives: ["a 0", "a 1"],
  },
  {
    says: "parallel iterations see their own results",
    blocks: [loop("l", parallel, writes("a"), reader(a))],
    path: a,
    means: "result:a",
    gives: ["a 0", "a 1"],
  },
  {
    says: "a result that this iteration has not written yet is the previous one's",
    blocks: [loop("l", { count: 3 }, reader(a), writes("a"))],
    path: a,
    means: "result:a",
    gives: [null, "a 0", "a 1"],
  },
  {
    says: "parallel iterations have no previous one",
    blocks: [loop("l", { count: 3, ...parallel }, reader(a), writes("a"))],
    path: a,
    means: "nothing",
    gives: [null, null, null],
  },
  {
    says: "a parallel loop keeps its iterations separate in inner loops too",
    blocks: [loop("l", parallel, loop("m", { count: 1 }, reader(a)), writes("a"))],
    path: a,
    means: "nothing",
    gives: [null, null],
  },
  {
    says: "and they do not read results of an enclosing loop's previous iteration",
    blocks: [loop("l", {}, loop("m", { count: 1, ...parallel }, reader(a), writes("a")))],
    path: a,
    means: "nothing",
    gives: [null, null],
  },
  {
    says: "a sequential loop in a parallel one reads its own previous iterations",
    blocks: [loop("l", { count: 1, ...parallel }, loop("m", {}, reader(a), writes("a")))],
    path: a,
    means: "result:a",
    gives: [null, "a 0"],
  },
  {
    says: "after a loop a name refers to the last iteration's result",
    blocks: [loop("l", {}, writes("a")), reader(a)],
    path: a,
    means: "result:a",
    gives: ["a 1"],
  },
  {
    says: "after a parallel loop it does too",
    blocks: [loop("l", parallel, writes("a")), reader(a)],
    path: a,
    means: "result:a",
    gives: ["a 1"],
  },
  {
    says: "an outer iteration reads the last inner one of the previous iteration",
    blocks: [loop("l", {}, reader(a), loop("m", {}, writes("a")))],
    path: a,
    means: "result:a",
    gives: [null, "a 1"],
  },
  {
    says: "an id with tokens is read as written",
    blocks: [loop("l", { iteratorVar: "i" }, echo("a-{{i}}", { n: "{{i}}" }), reader(resultOf("a-{{i}}")))],
    path: resultOf("a-{{i}}"),
    means: "result:a-{{i}}",
    gives: ["0", "1"],
  },
  {
    says: "a branch that runs has results",
    blocks: [once("get"), branch("$zero", [once("a")]), reader(a)],
    path: a,
    means: "result:a",
    gives: ["a"],
  },
  {
    says: "a branch that is not taken has no result, though it might have",
    blocks: [branch("$zero", [once("b")], once("a")), reader(a)],
    path: a,
    means: "result:a",
    gives: [null],
  },
  {
    says: "the other branch never has a result",
    blocks: [branch("$one", [once("a")], reader(a))],
    path: a,
    means: "nothing",
    gives: [null],
  },
  {
    says: "in a loop the other branch may have run before",
    blocks: [loop("l", { iteratorVar: "i" }, branch("i", [once("a")], reader(a)))],
    path: a,
    means: "result:a",
    gives: ["a"],
  },
  {
    says: "the innermost iterator with a name wins",
    blocks: [loop("l", { iteratorVar: "i" }, loop("m", { count: 1, iteratorVar: "i" }, reader("i")))],
    path: "i",
    means: "iterator:m",
    gives: ["0", "0"],
  },
  {
    says: "an iterator is undefined outside its loop",
    blocks: [loop("l", { iteratorVar: "i" }, once("a")), reader("i")],
    path: "i",
    means: "nothing",
    gives: [null],
  },
  {
    says: "an iterator shadows a variable",
    blocks: [loop("l", { iteratorVar: "tier" }, reader("tier"))],
    path: "tier",
    means: "iterator:l",
    gives: ["0", "1"],
  },
  {
    says: "an input shadows a variable",
    blocks: [reader("tier")],
    inputs: { tier: { type: "string", default: "input" } },
    path: "tier",
    means: "input",
    gives: ["input"],
  },
  {
    says: "a result shadows a variable",
    blocks: [once("tier"), reader(resultOf("tier"))],
    path: resultOf("tier"),
    means: "result:tier",
    gives: ["tier"],
  },
  {
    says: "a block that has not run shadows no variable",
    blocks: [reader("tier"), once("tier")],
    path: "tier",
    means: "variable",
    gives: ["gold"],
  },
  {
    says: "a variable is read through env",
    blocks: [reader("env.shop.tier")],
    path: "env.shop.tier",
    means: "environment",
    gives: ["gold"],
  },
  {
    says: "a block may be named env",
    blocks: [once("env"), reader(resultOf("env"))],
    path: resultOf("env"),
    means: "result:env",
    gives: ["env"],
  },
  {
    says: "a variable may be named env",
    blocks: [reader("env")],
    variables: { env: "own" },
    path: "env",
    means: "variable",
    gives: ["own"],
  },
  {
    says: "the check of a loop reads the loop's blocks",
    blocks: [pollsFor(a, "a 0", writes("a"))],
    path: a,
    means: "result:a",
    gives: ["a 0"],
  },
  {
    says: "the check of a loop reads its iterator",
    blocks: [pollsFor("i", 0, once("a"))],
    path: "i",
    means: "iterator:reader",
    gives: ["0"],
  },
]

function pollsFor(source: string, value: unknown, ...blocks: readonly unknown[]) {
  const until = { source, operator: "equals", value }
  return { id: "reader", type: "loop", mode: "until", maxIterations: 1, iteratorVar: "i", until, blocks }
}

/** Branches on constants need inputs with those constants. */
const constants = { $zero: 0, $one: 1 }
const workflowOf = ({ blocks, inputs }: NameCase) => {
  const text = JSON.stringify({
    version: 1,
    onFailure: "continue",
    inputs: {
      ...inputs,
      zero: { type: "number", default: constants.$zero },
      one: { type: "number", default: constants.$one },
    },
    blocks,
  })
  return JSON.parse(text.replaceAll('"$zero"', '"zero"').replaceAll('"$one"', '"one"')) as JsonObject
}
const environmentOf = ({ variables }: NameCase, baseUrl: string) => {
  const values = { baseUrl, tier: "gold", ...variables }
  const declared = Object.keys(values).map((name) => [name, { type: "string", required: false }])
  return {
    "schema.json": {
      version: 1,
      variables: {
        ...(Object.fromEntries(declared) as Fields),
        token: { type: "string", required: false, secret: true },
      },
    },
    "local.json": values,
  }
}

const firstName = (path: string): string => path.split(".response")[0]?.split(".")[0] ?? path

describe.each(cases)("$says", (one) => {
  it("in a run", async () => {
    const workflow = workflowOf(one)
    const { run } = await runBlocks(workflow["blocks"] as readonly unknown[], {
      workflow: { ...workflow },
      files: (url) =>
        Object.fromEntries(
          Object.entries(environmentOf(one, url)).map(([name, file]) => [
            `apis/shop/environments/${name}`,
            file,
          ]),
        ),
    })
    if (run.status === "error") throw new Error(JSON.stringify(run.error))
    expect(readings(run.blocks, one)).toEqual(one.gives)
  })

  it("in validate", () => {
    expect(staticMeaning(one)).toBe(one.means)
  })

  it("in completion", () => {
    expect(completedMeaning(one)).toBe(one.means)
  })
})

/** Returns the value that each run of the reader sent. */
function readings(blocks: readonly BlockReport[], { gives }: NameCase): readonly (string | null)[] {
  return blocks.flatMap((block): readonly (string | null)[] => {
    const inner = [...(block.blocks ?? []), ...(block.iterations ?? []).flatMap((each) => each.blocks)]
    if (block.id !== "reader") return readings(inner, { gives } as NameCase)
    if (block.type === "loop") return block.status === "passed" ? gives : ["the check did not pass"]
    if (block.reason === "branch") return []
    const url = block.request?.url
    return [url === undefined ? null : new URL(url).searchParams.get("seen")]
  })
}

function staticMeaning(one: NameCase): NameCase["means"] {
  const project = projectOf({
    workflows: { w: workflowOf(one) },
    apis: { shop: { document, environments: environmentOf(one, "http://127.0.0.1") } },
  })
  const file = project.workflows.get("w")
  const apis = new Map([...project.apis].map(([name, api]) => [name, { api }]))
  const ground = file === undefined ? undefined : scriptsGround({ file, apis, apiNames: project.apiNames })
  if (ground === undefined) throw new Error("the workflow is unreadable")
  const visit = readerIn([...walkBlocks(ground.readable.workflow.blocks)])
  const isPolling = visit.block.type === "loop"
  const reading = { visit, isAfterNested: isPolling, ...(isPolling ? {} : { api: "shop" }) }
  const template = parseTemplate(one.path)
  const parts = template.ok ? template.parts : []
  const { issue } = ground.scope.resolve(parts, reading)
  if (issue?.is === "unknown") return "nothing"
  const variable = ground.scope.variableOf(parts, reading)
  const meaning = ground.scope.meaningOf(firstName(one.path), reading)
  switch (meaning?.is) {
    case "iterator":
      return `iterator:${meaning.loop.id}`
    case "input":
      return "input"
    case "result":
      return `result:${meaning.block.id}`
    case "absent":
    case undefined:
      if (one.path.includes("{{")) return `result:${firstName(one.path)}`
      return variable?.segment === 2 ? "environment" : "variable"
  }
}

function readerIn(visits: readonly Visit[]): Visit {
  const visit = visits.find(({ block }) => block.id === "reader")
  if (visit === undefined) throw new Error("the block reader is missing")
  return visit
}

function completedMeaning(one: NameCase): NameCase["means"] {
  const workflow = workflowOf(one)
  const block = rawReader(workflow["blocks"] as readonly JsonObject[])
  const isPolling = block["type"] === "loop"
  const { iterator, input, result } = new WorkflowNames(workflow).visibleTo(block, isPolling)
  const plain = (is: "variable" | "environment") => (name: string) => ({ is, name })
  const variables = isPolling ? [] : ["baseUrl", "tier", ...Object.keys(one.variables ?? {})]
  const names = inLookUpOrder<
    (typeof iterator)[number] | { readonly is: "variable" | "environment"; readonly name: string }
  >({
    iterator,
    input,
    result,
    variable: variables.map(plain("variable")),
    environment: ["env"].map(plain("environment")),
  })
  const found = names.find(({ name }) => name === firstName(one.path))
  if (found?.is === "iterator") return `iterator:${idOf(found.loop)}`
  if (found?.is === "result") return `result:${idOf(found.block)}`
  return found?.is ?? "nothing"
}

const idOf = ({ id }: JsonObject): string => (typeof id === "string" ? id : "")

function rawReader(blocks: readonly JsonObject[]): JsonObject {
  const work = [...blocks]
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    if (block["id"] === "reader") return block
    for (const field of ["blocks", "then", "else"]) work.push(...((block[field] ?? []) as JsonObject[]))
  }
  throw new Error("the block reader is missing")
}
