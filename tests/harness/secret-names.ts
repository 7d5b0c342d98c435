// A project that uses two secrets as names everywhere: of members, headers, parameters, fields, outputs and blocks.

import type { Files } from "./callsheet.ts"

export const SECRETS = ["alpha-secret-11", "beta-secret-22"] as const

const [alpha, beta] = SECRETS

const named = (value: unknown): object => ({ [alpha]: value, [beta]: value, public: value })

const saved = (fields: object): object => ({
  version: 1,
  method: "POST",
  path: `/things/{${alpha}}`,
  ...fields,
})

const request = (id: string, instance: string): object => ({
  id,
  type: "request",
  description: `sends ${alpha}`,
  request: { api: "shop", instance, overrides: { params: { path: { [alpha]: "1" } } } },
})

const params = {
  path: { [alpha]: "1" },
  query: named("q"),
  header: { [`X-${alpha}`]: "h", [`X-${beta}`]: "h" },
  cookie: named("c"),
}

/** The files of a workflow `names`. With `script`, a script makes outputs, too, which no other tool can run. */
export const secretNames = (baseUrl: string, { script }: { readonly script: boolean }): Files => ({
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      one: { type: "string", required: true, secret: true },
      two: { type: "string", required: true, secret: true },
    },
  },
  "apis/shop/environments/blue.json": { baseUrl },
  "apis/shop/environments/blue.secrets.env": `one=${alpha}\ntwo=${beta}\n`,
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/plain": { post: { operationId: "plain", responses: {} } } },
  },
  "apis/shop/requests/things/json.json": saved({
    params,
    body: { ...named([named("deep")]), list: [named(1)] },
  }),
  "apis/shop/requests/things/plain.json": {
    version: 1,
    operation: "plain",
    body: named({ [alpha]: named(2) }),
  },
  "apis/shop/requests/things/form.json": saved({ bodyType: "form", body: named("f") }),
  "apis/shop/requests/things/multipart.json": saved({
    bodyType: "multipart",
    body: { ...named(named("m")), file: { file: `data/${alpha}.txt`, filename: `${beta}.txt` } },
  }),
  [`data/${alpha}.txt`]: "content",
  "apis/workflow/names.json": {
    version: 1,
    inputs: {
      [alpha]: { type: "string", default: "in", description: `is ${beta}` },
    },
    blocks: [
      request("json", "json"),
      {
        id: "plain",
        type: "request",
        request: { api: "shop", instance: "plain", overrides: { params: { query: { a: `{{${alpha}}}` } } } },
      },
      request("form", "form"),
      request("multipart", "multipart"),
      request(`${alpha} again`, "form"),
      { id: "outputs", type: "transform", transforms: named("plain.response.status") },
      ...(script ? [{ id: "made", type: "script", script: { name: "make", exportName: "make" } }] : []),
      {
        id: "check",
        type: "assert",
        assertions: [
          { source: "plain.response.status", operator: "equals", value: 200 },
          { source: `plain.response.body.${alpha}`, operator: "notEquals", value: named(named("a")) },
          { source: "plain.response.body", operator: "notEquals", value: named("a") },
        ],
      },
      { id: `${beta} group`, type: "group", blocks: [request("inner", "form")] },
      {
        id: "loop",
        type: "loop",
        mode: "times",
        count: 1,
        iteratorVar: beta,
        blocks: [request("again", "form")],
      },
    ],
  },
  ...(script
    ? {
        "apis/workflow/scripts/names/make.ts": `export const make = () => ({ ${JSON.stringify(alpha)}: 1, ${JSON.stringify(beta)}: { ${JSON.stringify(alpha)}: 2, ${JSON.stringify(beta)}: 3 } })\n`,
      }
    : {}),
})

/** Returns the members of all objects in a JSON text, with those that have the same name. */
export function membersIn(text: string): readonly (readonly string[])[] {
  const objects: string[][] = []
  const open: (string[] | undefined)[] = []
  for (const [, token = "", colon] of text.matchAll(/("(?:[^"\\]|\\.)*"|[[\]{}])(\s*:)?/g)) {
    if (token === "{") objects.push((open[open.length] = []))
    else if (token === "[") open.push(undefined)
    else if (token === "}" || token === "]") open.pop()
    else if (colon !== undefined) open.at(-1)?.push(token)
  }
  return objects
}
