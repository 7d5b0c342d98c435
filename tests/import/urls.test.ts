// A URL of a source may have variables anywhere, and a text that isn't a URL becomes nothing.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"
import { postman, sources, writtenIn, type Source, type Values } from "./sources.ts"

let api: ApiServer
beforeAll(async () => {
  api = await startApi({ "*": { body: {} } })
})
afterAll(async () => api.close())

async function sentBy(source: Source, urls: readonly string[], values: Values) {
  const written = urls.map((url) => writtenIn(source, url))
  const folder = await folderWith(source.files(written, values))
  const imported = await importInto(folder, [...source.words, "--api", "shop", "--into", "p"])
  const from = api.requests.length
  const ran = await callsheet(["run", source.name, "--project", "p"], { folder })
  return { ...imported, folder, ran, sent: api.requests.slice(from).map(({ url }) => url) }
}

describe.each(Object.entries(sources))("a URL in %s", (_, source) => {
  it("may have a variable as any part", async () => {
    const server = api.url.slice("http://".length)
    const [host = "", port = ""] = server.split(":")
    const { sent, ran, result } = await sentBy(
      source,
      [
        "{{protocol}}://{{host}}:{{port}}/a",
        "{{protocol}}://{{server}}/b/{{id}}",
        "{{start}}{{server}}/c",
        "{{scheme}}//{{server}}/d",
        "http://{{host}}:{{port}}/e/{{nested}}/f",
        "{{url}}/g{{ending}}",
        "{{url}}/h?{{pairs}}&{{key}}=3",
        "{{whole}}",
      ],
      {
        protocol: "http",
        host,
        port,
        server,
        start: "http://",
        scheme: "http:",
        id: "a b",
        nested: "x/y",
        url: api.url,
        ending: ".json",
        pairs: "m=1&n=2",
        key: "k",
        whole: `${api.url}/i?j=1`,
      },
    )
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(result?.losses).toEqual([])
    expect(sent).toEqual(["/a", "/b/a%20b", "/c", "/d", "/e/x/y/f", "/g.json", "/h?m=1&n=2&k=3", "/i?j=1"])
    expect(result?.files.filter((file) => file.endsWith("/schema.json"))).toEqual([
      "apis/shop/environments/schema.json",
    ])
  })

  it("that isn't one is a loss of its request only", async () => {
    const { sent, ran, result, folder } = await sentBy(
      source,
      [
        "{{url}}/a",
        "not a url",
        "{{url}/b",
        "http:/c",
        "http://shop.example:port/d",
        "{{text}}/e",
        "{{url}}/f",
      ],
      { url: api.url, text: "fill in" },
    )
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(sent).toEqual(["/a", "/f"])
    expect(result?.losses.map(({ what }) => what)).toEqual(Array.from({ length: 5 }, () => "request"))
    expect(result?.losses.every(({ reason }) => /URL is not valid/.test(reason))).toBe(true)
    expect(result?.files.filter((file) => file.endsWith("/schema.json"))).toHaveLength(1)
    expect(await readJson(`${folder}/p`, "apis/shop/environments/default.json")).toMatchObject({
      baseUrl: api.url,
    })
    expect(await validated(`${folder}/p`)).toEqual([])
  })
})

describe("the URLs of a collection", () => {
  it("keep a secret as a variable, whatever it contains", async () => {
    const folder = await folderWith({
      "shop.json": postman([{ url: "http://shop.example/{{token}}/{{via}}?{{via}}=1" }], {
        token: "abc/def4711",
        via: "{{token}}/x",
      }),
    })
    const { result } = await importInto(folder, ["shop.json", "--into", "p"])
    for (const file of result?.files ?? [])
      if (!file.endsWith(".secrets.env"))
        expect(JSON.stringify(await readJson(`${folder}/p`, file).catch(() => "")), file).not.toContain(
          "def4711",
        )
  })

  it("list a path that depends on the environment, which callsheet would encode", async () => {
    const environment = (name: string, version: string) => ({
      name,
      values: [{ key: "version", value: version, enabled: true }],
    })
    const folder = await folderWith({
      "shop.json": postman([{ url: "http://shop.example/x/{{version}}/a" }], {}),
      "one.json": environment("one", "api/v1"),
      "two.json": environment("two", "api/v2"),
    })
    const { result } = await importInto(folder, ["shop.json", "one.json", "two.json"])
    expect(result?.losses).toMatchObject([{ where: "shop.json: r0", what: "variable version in the URL" }])
  })

  it("stay if the base URL is still to fill in", async () => {
    const folder = await folderWith({
      "shop.json": postman([{ url: "{{baseUrl}}/a" }, { url: "{{baseUrl}}/b" }], { baseUrl: "<your URL>" }),
    })
    const { result } = await importInto(folder, ["shop.json"])
    expect(result).toMatchObject({ saved: 2, losses: [{ what: "base URL in the environment default" }] })
    expect(result?.losses[0]?.reason).toContain("baseUrl")
    expect(await validated(folder)).toEqual(["variable-missing"])
  })

  it("show no password of an account after a variable scheme", async () => {
    const folder = await folderWith({
      "shop.json": postman([{ url: "{{protocol}}://ada:pass-4711@shop.example/a" }], { protocol: "https" }),
    })
    const { stdout, result } = await importInto(folder, ["shop.json", "--into", "p"])
    expect(stdout).not.toContain("pass-4711")
    expect(await readJson(`${folder}/p`, "apis/shop/environments/default.json")).toEqual({
      baseUrl: "https://shop.example",
    })
    expect(result?.files).toContain("apis/shop/environments/default.secrets.env")
  })
})

it("writes no workflow and no group for folders whose requests are all left out", async () => {
  const request = (name: string, url?: string) => ({
    name,
    request: { method: "GET", header: [], ...(url === undefined ? {} : { url }) },
  })
  const script = { listen: "prerequest", script: { exec: ["foo()"] } }
  const folder = await folderWith({
    "c.json": {
      info: { name: "Shop" },
      item: [
        { name: "Auth", event: [script], item: [request("Create token")] },
        {
          name: "Booking",
          item: [
            { name: "Drafts", event: [script], item: [request("Draft")] },
            request("List", "https://a.example/bookings"),
          ],
        },
      ],
    },
  })
  const { result } = await importInto(folder, ["c.json"])
  expect([result?.requests, result?.saved, result?.workflows]).toEqual([3, 1, ["booking"]])
  expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    "c.json: Auth / Create token: request",
    "c.json: Booking / Drafts / Draft: request",
  ])
  expect(await readJson(folder, "apis/workflow/booking.json")).toMatchObject({ blocks: [{ id: "list" }] })
  expect(await validated(folder)).toEqual([])
})
