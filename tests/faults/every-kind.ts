// A project with one file of every kind. Returns the command's report after some of them were broken.

import type { Problem } from "@callsheet/format"
import { callsheet, type CallOptions, type CallResult, type Files } from "../harness/callsheet.ts"

/** The kinds of files, by their paths in `everyKind`. */
export const kinds = {
  workflow: "apis/workflow/other.json",
  request: "apis/stock/requests/orders/new.json",
  schema: "apis/shop/environments/schema.json",
  values: "apis/shop/environments/local.json",
  secrets: "apis/shop/environments/local.secrets.env",
  json: "apis/shop/openapi.json",
  yaml: "apis/pay/openapi.yaml",
  script: "apis/workflow/scripts/w/check.ts",
} as const

export type Kind = keyof typeof kinds

/** The kinds of files that are JSON. */
export const jsonKinds = ["workflow", "request", "schema", "values", "json"] as const
/** Every kind that is read without a script process. */
export const dataKinds = [...jsonKinds, "secrets", "yaml"] as const
export const allKinds = [...dataKinds, "script"] as const

const baseUrl = { type: "string", required: true }
const ping = (api: string, target: object) => ({ id: api, type: "request", request: { api, ...target } })
const script = { id: "check", type: "script", script: { name: "check", exportName: "check" } }

/** A valid project. Nothing listens where its requests would go. */
export const everyKind: Files = {
  [kinds.workflow]: { version: 1, blocks: [{ id: "x", type: "group", blocks: [] }] },
  [kinds.request]: { version: 1, method: "POST", path: "/orders", body: { sku: "a" } },
  [kinds.schema]: {
    version: 1,
    variables: {
      baseUrl,
      token: { type: "string", required: false, secret: true },
      tries: { type: "number", required: false },
    },
  },
  [kinds.values]: { baseUrl: "http://127.0.0.1:9", tries: 1 },
  [kinds.secrets]: "token=s3cr3t-t0k3n\n",
  [kinds.json]: {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/ping": { get: { operationId: "ping", responses: {} } } },
  },
  [kinds.yaml]: "openapi: 3.1.0\npaths:\n  /ping:\n    get: {operationId: ping, responses: {}}\n",
  [kinds.script]: "export const check = () => {}\n",
  "apis/pay/environments/schema.json": { version: 1, variables: { baseUrl } },
  "apis/pay/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
  "apis/stock/environments/schema.json": { version: 1, variables: { baseUrl } },
  "apis/stock/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
  "apis/workflow/data.json": {
    version: 1,
    blocks: [
      ping("shop", { operation: "ping" }),
      ping("pay", { operation: "ping" }),
      ping("stock", { instance: "new" }),
    ],
  },
  "apis/workflow/w.json": { version: 1, blocks: [script] },
}

/** Returns the text written to the disk. */
export function formatKind(kind: Kind): string {
  const content = everyKind[kinds[kind]]
  return typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`
}

export interface Found extends CallResult {
  readonly problems: readonly Problem[]
  /** `file code` of each distinct error, sorted. */
  readonly codes: readonly string[]
  /** `file:line:column code` of each distinct error, sorted. */
  readonly places: readonly string[]
}

/** The same content for several kinds of files. */
export const eachOf = (list: readonly Kind[], content: (kind: Kind) => unknown): Files =>
  Object.fromEntries(list.map((kind) => [kinds[kind], content(kind)]))

/** Every problem that `callsheet run` finds in `everyKind` with some files replaced by `files`. */
export async function findIn(files: Files, options: CallOptions = {}): Promise<Found> {
  // Reads scripts only if one of them is tested, because they need a process.
  const workflows = kinds.script in files ? ["w"] : []
  const result = await callsheet(["run", "data", "other", ...workflows, "--json"], {
    ...options,
    files: { ...everyKind, ...files },
  })
  return { ...result, ...problemsOf(result) }
}

/** The errors of all runs in a report. */
function problemsOf({ report }: CallResult): Pick<Found, "problems" | "codes" | "places"> {
  const all = (report?.runs ?? []).flatMap(({ error }) => error?.problems ?? [])
  const problems = [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()]
  const sorted = (text: (problem: Problem) => string) => [...new Set(problems.map(text))].sort()
  return {
    problems,
    codes: sorted(({ file, code }) => `${file} ${code}`),
    places: sorted(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`),
  }
}

/** The content of `codes` or `places` if each of the kinds has the same problem. */
export const allOf = (list: readonly Kind[], what: string): readonly string[] =>
  list.map((kind) => `${kinds[kind]}${what}`).sort()

/** The distinct hints of problems. */
export const hintsOf = ({ problems }: Found): readonly (string | undefined)[] => [
  ...new Set(problems.map(({ hint }) => hint)),
]
