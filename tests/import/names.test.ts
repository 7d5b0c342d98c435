// Names of variables may have any characters in a source, and are ASCII in a project.
// cspell:ignore groesse klyuch größe λόγος

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"
import { postman, sources, writtenIn } from "./sources.ts"

let api: ApiServer
beforeAll(async () => {
  api = await startApi({ "*": { body: { id: "id-1" } } })
})
afterAll(async () => api.close())

async function sentBy(folder: string): Promise<readonly string[]> {
  const from = api.requests.length
  const ran = await callsheet(["run", "shop", "--project", "p"], { folder })
  expect(ran.exitCode, ran.stderr).toBe(0)
  return api.requests.slice(from).map(({ url, text }) => url + text)
}

const foreign = {
  größe: "groesse",
  ключ: "klyuch",
  变量: "variable",
  λόγος: "logos",
  "a/b": "a_b",
  "x+y": "x_y",
  "a(b)": "a_b_2",
}

const pairs = Object.entries(foreign).map(([name, ascii]) => ({
  what: `variable ${name}`,
  reason: `names of variables are ASCII, so callsheet calls it ${ascii} everywhere`,
}))

describe.each(Object.entries(sources).filter(([name]) => name !== "curl"))(
  "a variable in %s",
  (_, source) => {
    it("has a readable name, which is listed once", async () => {
      const names = Object.keys(foreign)
      const values = Object.fromEntries(names.map((name, at) => [name, `value${at}`]))
      const query = names.map((name, at) => `p${at}={{${name}}}`).join("&")
      const url = writtenIn(source, `${api.url}/{{größe}}?${query}`)
      const folder = await folderWith(source.files([url, url], values))
      const { result } = await importInto(folder, [...source.words, "--api", "shop", "--into", "p"])
      expect(result?.losses.map(({ what, reason }) => ({ what, reason }))).toEqual(pairs)
      expect(await validated(`${folder}/p`)).toEqual([])
      const sent = `/value0?${names.map((_name, at) => `p${at}=value${at}`).join("&")}`
      expect(await sentBy(folder)).toEqual([sent, sent])
      const schema = await readJson(`${folder}/p`, "apis/shop/environments/schema.json")
      expect(Object.keys((schema as { variables: object }).variables).toSorted()).toEqual(
        ["baseUrl", ...Object.values(foreign)].toSorted(),
      )
    })
  },
)

describe("double braces in Postman", () => {
  it("are text if no variable has the unusual name, and a loss", async () => {
    const raw = '{{#each orders}}{{name}}{{/each}} {{ "a": 1 }} {{a|b}} {{k: "v"}}'
    const body = { mode: "raw", raw }
    const folder = await folderWith({
      "shop.json": postman([{ url: `${api.url}/a`, method: "POST", body }], { name: "Ada" }),
    })
    const { result } = await importInto(folder, ["shop.json", "--into", "p"])
    expect(result?.losses.map(({ what }) => what)).toEqual(["{{a|b}}", "text in double braces"])
    expect(await sentBy(folder)).toEqual(['/a{{#each orders}}Ada{{/each}} {{ "a": 1 }} {{a|b}} {{k: "v"}}'])
  })

  it("are a variable with any name that a script sets", async () => {
    const collection = postman([{ url: `${api.url}/a` }, { url: `${api.url}/b?id={{neu/é}}` }], {})
    const exec = ['pm.environment.set("neu/é", pm.response.json().id)']
    const item = collection.item.map((one, at) => ({
      ...one,
      ...(at === 0 ? { event: [{ listen: "test", script: { exec } }] } : {}),
    }))
    const folder = await folderWith({ "shop.json": { ...collection, item } })
    const { result } = await importInto(folder, ["shop.json", "--into", "p"])
    expect(result?.losses).toMatchObject([{ what: "variable neu/é" }])
    expect(result?.losses[0]?.reason).toContain("neu_e")
    expect(await sentBy(folder)).toEqual(["/a", "/b?id=id-1"])
  })

  it("may be the value of a path variable with any letters", async () => {
    const url = {
      raw: `${api.url}/a/:größe`,
      host: [api.url],
      path: ["a", ":größe"],
      variable: [{ key: "größe", value: "L" }],
    }
    const folder = await folderWith({ "shop.json": postman([{ url }], {}) })
    await importInto(folder, ["shop.json", "--into", "p"])
    expect(await sentBy(folder)).toEqual(["/a/L"])
  })
})

describe("an input in Arazzo", () => {
  it("has a readable name", async () => {
    const folder = await folderWith({
      "o.json": {
        openapi: "3.1.0",
        info: { title: "O", version: "1" },
        servers: [{ url: api.url }],
        paths: {
          "/a/{id}": {
            get: {
              operationId: "a",
              parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
              responses: { default: { description: "any" } },
            },
          },
        },
      },
      "shop.json": {
        arazzo: "1.0.1",
        info: { title: "Shop", version: "1" },
        sourceDescriptions: [{ name: "o", url: "o.json", type: "openapi" }],
        workflows: [
          {
            workflowId: "shop",
            inputs: { type: "object", properties: { größe: { type: "string", default: "L" } } },
            steps: [
              {
                stepId: "a",
                operationId: "a",
                parameters: [{ name: "id", in: "path", value: "$inputs.größe" }],
              },
            ],
          },
        ],
      },
    })
    const { result } = await importInto(folder, ["shop.json", "--into", "p"])
    expect(result?.losses).toMatchObject([{ what: "input größe" }])
    expect(await sentBy(folder)).toEqual(["/a/L"])
    const workflow = await readJson(`${folder}/p`, "apis/workflow/shop.json")
    expect(workflow).toMatchObject({ inputs: { groesse: { default: "L" } } })
  })
})
