// Runs the cases as workflows of the command, and checks the received requests and the reports.

import { rm } from "node:fs/promises"
import type { BlockReport, Report } from "@callsheet/format"
import { createLeakSearch } from "../../packages/cli/src/leaks/leak-search.ts"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"
import {
  casesOf,
  destinations,
  dropped,
  keepsBody,
  places,
  secrets,
  type Case,
  type Destination,
  type Place,
  type Size,
} from "./places.ts"
import { startDirect, startProxied, type Arrival, type World } from "./world.ts"

export interface Cell {
  readonly place: Place
  readonly destination: Destination
  /** Requests that followed a redirect: those that should carry the secret, or should not after it left its origin. */
  readonly followed: number
  /** The number of these that contained the value. */
  readonly carried: number
}

export interface Verdict {
  readonly cells: readonly Cell[]
  /** A secret at another origin, or at the first one again after another. */
  readonly leaks: readonly string[]
  /** A secret that did not arrive at its own origin. */
  readonly lost: readonly string[]
  /** Dropped without a note in the report, or the report contains a secret. */
  readonly silent: readonly string[]
  readonly requests: number
}

/** Every combination, directly and through a proxy. */
export async function judge(size: Size): Promise<Verdict> {
  const cases = casesOf(size)
  const known = new Map(cases.map((one) => [one.id, one]))
  const verdicts = []
  for (const start of [startDirect, startProxied]) {
    const world = await start(known)
    try {
      verdicts.push(verdictOf(world, cases, await runAll(world, cases)))
    } finally {
      await world.close()
    }
  }
  return join(verdicts)
}

interface Ran {
  readonly report: Report | undefined
  readonly written: string
}

async function runAll(world: World, cases: readonly Case[]): Promise<Ran> {
  const folder = await createFolder(filesOf(world, cases))
  try {
    const variables = Object.entries(secrets).map(([place, secret]) => [
      `CALLSHEET_VAR__SHOP__${place.toUpperCase()}`,
      secret,
    ])
    const env = { ...world.env, ...(Object.fromEntries(variables) as Record<string, string>) }
    const words = ["run", "redirects", "--reporter=json", "--verify-no-leak"]
    const { report, stdout, stderr } = await callsheet(words, { folder, env, timeoutMs: 300_000 })
    return { report, written: stdout + stderr }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const operation = (operationId: string, isSigned: boolean) => ({
  operationId,
  responses: { default: { description: "Any." } },
  ...(isSigned ? { security: [{ scheme: [] }] } : {}),
})

const filesOf = ({ origins }: World, cases: readonly Case[]): Files => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Redirects", version: "1" },
    components: { securitySchemes: { scheme: { type: "http", scheme: "bearer" } } },
    paths: {
      "/sign/in": { get: operation("signIn", false) },
      "/go/{id}/0": { get: operation("get", false), post: operation("post", false) },
      "/signed/{id}/0": { get: operation("signedGet", true), post: operation("signedPost", true) },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      ...Object.fromEntries(places.map((place) => [place, { type: "string", required: true, secret: true }])),
    },
  },
  "apis/shop/environments/local.json": { baseUrl: origins["same origin"], tls: { verify: false } },
  "apis/workflow/redirects.json": {
    version: 1,
    onFailure: "continue",
    blocks: [
      { id: "in", type: "request", request: { api: "shop", operation: "signIn" } },
      ...cases.map(blockOf),
    ],
  },
})

function blockOf({ id, place, method }: Case) {
  const word = method.toLowerCase()
  const operation = place === "scheme" ? `signed${method[0]}${word.slice(1)}` : word
  const params = {
    path: { id },
    ...(place === "header" ? { header: { "x-key": "{{header}}" } } : {}),
    ...(place === "query" ? { query: { key: "{{query}}", page: "1" } } : {}),
    ...(place === "cookie" ? { cookie: { own: "{{cookie}}" } } : {}),
  }
  const body = place === "body" ? { "a.0": "{{body}}" } : method === "POST" ? { plain: 1 } : undefined
  const overrides = { params, ...(body === undefined ? {} : { body }) }
  return { id, type: "request", request: { api: "shop", operation, overrides } }
}

/** The secrets in a text, in any encoding. */
function secretsIn(text: string): ReadonlySet<string> {
  const search = createLeakSearch(() => places.map((place) => ({ name: place, value: secrets[place] })))
  search.push(text)
  return new Set([...search.end().found].map(({ name }) => name))
}

function verdictOf(world: World, cases: readonly Case[], { report, written }: Ran): Verdict {
  const blocks = new Map((report?.runs[0]?.blocks ?? []).map((block) => [block.id, block]))
  const arrivals = new Map<string, Arrival[]>()
  for (const arrival of world.arrivals)
    arrivals.set(arrival.case, [...(arrivals.get(arrival.case) ?? []), arrival])
  const found = cases.map((one) =>
    judgeCase(world, one, { arrived: arrivals.get(one.id) ?? [], block: blocks.get(one.id) }),
  )
  const elsewhere = [...secretsIn(world.tunnels.join("\n"))].map((place) => `${place}: sent to the proxy`)
  const printed = [...secretsIn(written)].map((place) => `${place}: in the command's output`)
  return {
    cells: cellsOf(cases, found),
    leaks: [...found.flatMap(({ leaks }) => leaks), ...elsewhere],
    lost: found.flatMap(({ lost }) => lost),
    silent: [...found.flatMap(({ silent }) => silent), ...printed],
    requests: world.arrivals.length,
  }
}

interface Judged {
  readonly followed: number
  readonly carried: number
  readonly leaks: readonly string[]
  readonly lost: readonly string[]
  readonly silent: readonly string[]
}

interface Happened {
  readonly arrived: readonly Arrival[]
  readonly block: BlockReport | undefined
}

function judgeCase(world: World, one: Case, { arrived, block }: Happened): Judged {
  const { place, destination, route, status, method } = one
  const name = `${place} to ${destination}, ${route}, ${method}, ${status}, ${world.name}`
  const home = world.origins["same origin"]
  const leaks: string[] = []
  const lost: string[] = []
  let hasLeft = false
  let counted = 0
  let carried = 0
  const [first, ...followed] = arrived
  if (first === undefined || !secretsIn(first.text).has(place)) lost.push(`${name}: was never sent`)
  for (const { hop, origin, text } of followed) {
    hasLeft ||= origin !== home
    const secrets = new Set(secretsIn(text))
    // An origin always gets its own cookies, whoever redirects there.
    if (hasLeft && origin === home) secrets.delete("jar")
    const isWanted = !hasLeft && (place !== "body" || keepsBody(one))
    if (hasLeft || (isWanted && destination === "same origin")) {
      counted++
      if (secrets.has(place)) carried++
    }
    if (hasLeft) leaks.push(...[...secrets].map((leaked) => `${name}: ${leaked} in request ${hop}`))
    else if (isWanted && !secrets.has(place)) lost.push(`${name}: in request ${hop}`)
  }
  if (destination === "same origin" && followed.length === 0) lost.push(`${name}: was not led on`)
  const silent =
    destination === "same origin" || isReported(one, block) ? [] : [`${name}: ${JSON.stringify(block)}`]
  return { followed: counted, carried, leaks, lost, silent }
}

/** Returns whether the report lists the dropped part. */
function isReported(one: Case, block: BlockReport | undefined): boolean {
  if (block === undefined) return false
  const { place } = one
  if (place === "body") {
    const isRefused =
      block.error?.message.includes("the request body contains a value derived from a secret") === true
    return isRefused === keepsBody(one)
  }
  const said = block.response?.redirects?.flatMap((redirect) => redirect.dropped ?? []) ?? []
  return block.status === "passed" && said.some((text) => text.startsWith(dropped[place]))
}

const cellsOf = (cases: readonly Case[], found: readonly Judged[]): readonly Cell[] =>
  places.flatMap((place) =>
    destinations.map((destination) => {
      const own = found.filter(
        (_, index) => cases[index]?.place === place && cases[index]?.destination === destination,
      )
      const sum = (count: (judged: Judged) => number) =>
        own.reduce((total, judged) => total + count(judged), 0)
      return { place, destination, followed: sum((one) => one.followed), carried: sum((one) => one.carried) }
    }),
  )

function join(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts
  const cells = (first?.cells ?? []).map((cell, index) => ({
    ...cell,
    followed: verdicts.reduce((sum, { cells }) => sum + (cells[index]?.followed ?? 0), 0),
    carried: verdicts.reduce((sum, { cells }) => sum + (cells[index]?.carried ?? 0), 0),
  }))
  return {
    cells,
    leaks: verdicts.flatMap(({ leaks }) => leaks),
    lost: verdicts.flatMap(({ lost }) => lost),
    silent: verdicts.flatMap(({ silent }) => silent),
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
  }
}
