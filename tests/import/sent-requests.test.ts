// Requests that scripts of Postman, Insomnia and Bruno send, as blocks of workflows.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, readText, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const event = (listen: string, code: string) => ({ listen, script: { exec: code.split("\n") } })

interface Scripts {
  readonly before?: string
  readonly after?: string
}

const request = (name: string, path: string, { before, after }: Scripts = {}, more: object = {}) => ({
  name,
  request: { method: "GET", url: `{{baseUrl}}${path}`, ...more },
  event: [
    ...(before === undefined ? [] : [event("prerequest", before)]),
    ...(after === undefined ? [] : [event("test", after)]),
  ],
})

const shop = (item: readonly unknown[], more: object = {}) => ({
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  variable: [{ key: "baseUrl", value: "http://127.0.0.1:1" }],
  item,
  ...more,
})

interface Block {
  readonly id: string
  readonly type: string
  readonly request?: { readonly resource: string; readonly instance: string }
  readonly blocks?: readonly Block[]
  readonly assertions?: readonly object[]
  readonly transforms?: object
}

const idsOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(({ id, type, blocks: inner = [] }) => [`${type} ${id}`, ...idsOf(inner)])

/** Imports a collection. Returns its blocks, the requests that they send, and the losses. */
async function convert(collection: object) {
  const folder = await folderWith({ "shop.json": collection })
  const { result, exitCode } = await importInto(folder, ["shop.json"])
  const { blocks } = (await readJson(folder, "apis/workflow/shop.json")) as { blocks: readonly Block[] }
  const saved = (instance: string) => readJson(folder, `apis/shop/requests/shop/${instance}.json`)
  const problems = await validated(folder)
  const lost = result?.losses.map(({ what, severity }) => `${severity} ${what}`) ?? []
  return { folder, blocks, ids: idsOf(blocks), saved, exitCode, problems, lost, result }
}

const login = `
const login = {
  url: pm.environment.get("baseUrl") + "/login",
  method: "POST",
  header: { "Content-Type": "application/json", "X-Trace": "1" },
  body: { mode: "raw", raw: JSON.stringify({ user: "ada", zone: pm.variables.get("zone") }) }
};
pm.sendRequest(login, (err, res) => {
  if (err) { console.error(err); return; }
  pm.test("is logged in", () => {
    pm.expect(err).to.equal(null);
    pm.expect(res).to.have.property("code", 200);
    pm.expect(res.json().user).to.eql("ada");
  });
  pm.environment.set("ticket", res.json().ticket);
});`

describe("pm.sendRequest", () => {
  it("sends the request of a pre-request script first, and passes on what the callback sets", async () => {
    const { ids, saved, blocks, exitCode, problems } = await convert(
      shop([request("Get", "/get/{{ticket}}", { before: login })]),
    )
    expect(ids).toEqual([
      "request post-login",
      "transform post-login-values",
      "assert post-login-is-logged-in",
      "request get",
    ])
    expect(await saved("post-login")).toEqual({
      version: 1,
      method: "POST",
      path: "/login",
      params: { header: { "X-Trace": "1" } },
      body: { user: "ada", zone: "{{zone}}" },
    })
    expect(await saved("get")).toMatchObject({
      params: { path: { ticket: "{{post-login-values.ticket}}" } },
    })
    expect(blocks[2]?.assertions).toEqual([
      { source: "post-login.response.status", operator: "greaterThan", value: 99 },
      { source: "post-login.response.status", operator: "equals", value: 200 },
      { source: "post-login.response.body.user", operator: "equals", value: "ada" },
    ])
    // The console output only disappears.
    expect([exitCode, problems]).toEqual([0, []])
  })

  it("sends the requests of a test, and of callbacks in it, with values of earlier responses", async () => {
    const { ids, saved, blocks, exitCode, problems } = await convert(
      shop([
        request("Get", "/get", {
          after: `
          const data = pm.response.json();
          pm.sendRequest(\`{{baseUrl}}/orders/\${data.id}\`, function (error, response) {
            pm.expect(response.json().id).to.eql(data.id);
            pm.sendRequest({
              url: pm.environment.get("baseUrl") + "/items/" + response.json().item,
              method: "DELETE",
              header: ["X-A: 1"],
            }, (e, r) => { pm.expect(r.code).to.eql(204) });
          });`,
        }),
        request("Next", "/next"),
      ]),
    )
    expect(ids).toEqual([
      "request get",
      "transform get-values",
      "request get-orders-sent-id",
      "transform get-orders-sent-id-values",
      "assert get-orders-sent-id-tests",
      "request delete-items-sent-item",
      "assert delete-items-sent-item-tests",
      "request next",
    ])
    expect(await saved("delete-items-sent-item")).toMatchObject({
      method: "DELETE",
      params: { path: { sent_item: "{{get-orders-sent-id-values.sent_item}}" }, header: { "X-A": "1" } },
    })
    expect(blocks[4]?.assertions).toEqual([
      {
        source: "get-orders-sent-id.response.body.id",
        operator: "equals",
        value: "{{get-values.sent_id}}",
      },
    ])
    expect([exitCode, problems]).toEqual([0, []])
  })

  it.each<readonly [body: string, saved: object]>([
    [
      'mode: "urlencoded", urlencoded: [{ key: "grant", value: "client" }, { key: "n", value: 1 }]',
      { bodyType: "form", body: { grant: "client", n: "1" } },
    ],
    ['mode: "urlencoded", urlencoded: "a=b&c=d"', { bodyType: "form", body: { a: "b", c: "d" } }],
    ['mode: "formdata", formdata: [{ key: "a", value: "b" }]', { bodyType: "multipart", body: { a: "b" } }],
    ['mode: "raw", raw: "a {{zone}}"', { bodyType: "text", body: "a {{zone}}" }],
  ])("sends a body with %s", async (body, expected) => {
    const code = `pm.sendRequest({ url: "{{baseUrl}}/a", method: "POST", header: "X-A: 1", body: { ${body} } })`
    const { saved, exitCode } = await convert(shop([request("Get", "/get", { before: code })]))
    expect(await saved("post-a")).toMatchObject({ ...expected, params: { header: { "X-A": "1" } } })
    expect(exitCode).toBe(0)
  })

  it.each([
    'const r = await pm.sendRequest("{{baseUrl}}/a"); const v = r.json().v; pm.environment.set("v", v)',
    'try { const r = await pm.sendRequest("{{baseUrl}}/a"); pm.environment.set("v", r.json().v) } catch (e) { console.log(e) }',
    'pm.sendRequest("{{baseUrl}}/a").then((r) => { pm.environment.set("v", r.json().v) }).catch((e) => console.log(e))',
    'pm.sendRequest("{{baseUrl}}/a", (e, r) => { if (!e) { pm.environment.set("v", r.json().v) } else { console.log(e) } })',
    '(async () => { const r = await pm.sendRequest("{{baseUrl}}/a"); pm.environment.set("v", r.json().v) })()',
  ])("reads %s", async (before) => {
    const { ids, blocks, exitCode } = await convert(shop([request("Get", "/get", { before })]))
    expect(ids).toEqual(["request get-a", "transform get-a-values", "request get"])
    expect(blocks[1]?.transforms).toEqual({ v: "get-a.response.body.v" })
    expect(exitCode).toBe(0)
  })

  it("computes what only running the script tells, before it sends the request", async () => {
    const { ids, saved, exitCode } = await convert(
      shop([
        request("Get", "/get", {
          before: `const at = Date.now();
            pm.sendRequest({ url: "{{baseUrl}}/a?at=" + at, header: { "X-Pair": btoa("a:" + at) } }, () => {})`,
        }),
      ]),
    )
    expect(ids).toEqual(["transform get-a-before", "request get-a", "request get"])
    expect(await saved("get-a")).toMatchObject({
      params: {
        query: { at: "{{get-a-before.sent_at}}" },
        header: { "X-Pair": "{{get-a-before.sent_X_Pair}}" },
      },
    })
    expect(exitCode).toBe(0)
  })

  it("sends the request of a folder's script for each request, and inherits no authentication", async () => {
    const auth = { type: "bearer", bearer: [{ key: "token", value: "{{ticket}}" }] }
    const code =
      'pm.sendRequest("{{baseUrl}}/login", (e, r) => { pm.environment.set("ticket", r.json().ticket.trim()) })'
    const { ids, saved, result, folder } = await convert(
      shop([request("A", "/a"), request("B", "/b")], { auth, event: [event("prerequest", code)] }),
    )
    expect(ids).toEqual([
      "request get-login",
      "transform get-login-values",
      "request a",
      "request get-login-2",
      "transform get-login-2-values",
      "request b",
    ])
    expect(await saved("get-login")).toEqual({ version: 1, method: "GET", path: "/login" })
    expect(await saved("b")).toMatchObject({
      params: { header: { authorization: "Bearer {{get-login-2-values.ticket}}" } },
    })
    // The request and its script are written once.
    expect(result?.files.filter((file) => /get-login/.test(file))).toEqual([
      "apis/shop/requests/shop/get-login.json",
      "apis/workflow/scripts/shop/get-login-after.ts",
    ])
    const script = await readText(folder, "apis/workflow/scripts/shop/get-login-after.ts")
    expect(script?.split(".trim()").length).toBe(2)
  })

  it.each([
    ['if (pm.variables.get("a")) pm.sendRequest("{{baseUrl}}/a", () => {})', "a condition"],
    ['for (const a of [1, 2]) pm.sendRequest("{{baseUrl}}/a", () => {})', "a loop"],
    ['function login() { pm.sendRequest("{{baseUrl}}/a", () => {}) }\nlogin()', "a function"],
    ['pm.sendRequest(["http://a", "example"].join("."), () => {})', "a computed server"],
    ['pm.sendRequest("{{baseUrl}}/a", handle)', "a callback from elsewhere"],
    ['pm.sendRequest({ url: "{{baseUrl}}/a", body: CryptoJS.MD5("a") }, () => {})', "a computed body"],
    ["pm.sendRequest(pm.request, () => {})", "a request object"],
    ['const o = { url: "{{baseUrl}}/a" }; o.url = "{{baseUrl}}/b"; pm.sendRequest(o, () => {})', "a change"],
  ])("skips %s: %s", async (before) => {
    const { ids, exitCode, problems, lost } = await convert(shop([request("Get", "/get", { before })]))
    expect(ids).toEqual(["script get-before", "request get"])
    expect([exitCode, problems, lost]).toEqual([1, ["import-todo"], ["needs-hand script"]])
  })

  it("skips what only happens without a response, and keeps the rest", async () => {
    const { ids, exitCode, problems } = await convert(
      shop([
        request("Get", "/get", {
          before: `pm.sendRequest("{{baseUrl}}/a", (e, r) => {
            if (e) { pm.environment.set("failed", "yes") }
            pm.expect(r.code).to.equal(200)
          })`,
        }),
      ]),
    )
    expect(ids).toEqual(["request get-a", "assert get-a-tests", "script get-a-after", "request get"])
    expect([exitCode, problems]).toEqual([1, ["import-todo"]])
  })

  it("sets nothing after a return", async () => {
    const { folder, exitCode } = await convert(
      shop([
        request("Get", "/get", {
          before: `pm.sendRequest("{{baseUrl}}/a", (e, r) => {
            if (r.code !== 200) { console.log("no"); return }
            pm.environment.set("v", r.json().v)
          })`,
        }),
      ]),
    )
    expect(Object.values(await textsIn(folder)).join("\n")).toMatch(
      /status"\) !== 200\) \{\n *\} else \{\n *outputs\.v/,
    )
    expect(exitCode).toBe(0)
  })

  it("writes no secret of a request that a script sends", async () => {
    const key = "sk_live_9f8g7h6j5k4l3m2n1b"
    const { folder, saved } = await convert(
      shop([
        request("Get", "/get", {
          before: `pm.sendRequest({ url: "{{baseUrl}}/a", header: { "X-Key": "${key}" } }, () => {})`,
        }),
      ]),
    )
    expect(await saved("get-a")).toMatchObject({ params: { header: { "X-Key": "{{xKey}}" } } })
    const kept = await callsheet(["export", "shop", "--to", "curl"], { folder })
    expect(kept.stdout).not.toContain(key)
  })

  it("runs what it imported", async () => {
    const body = { user: "ada", ticket: "t 1", id: 7 }
    const api = await startApi({ "*": { body } })
    const collection = shop(
      [
        request(
          "Get",
          "/get",
          { before: login, after: 'pm.sendRequest("{{baseUrl}}/z/" + pm.response.json().id, () => {})' },
          { header: [{ key: "X-Ticket", value: "{{ticket}}" }] },
        ),
      ],
      {
        variable: [
          { key: "baseUrl", value: api.url },
          { key: "zone", value: "eu" },
        ],
      },
    )
    const { folder } = await convert(collection)
    const run = await callsheet(["run", "shop"], { folder })
    await api.close()
    expect(api.requests.map(({ method, url, json }) => [method, url, json])).toEqual([
      ["POST", "/login", { user: "ada", zone: "eu" }],
      ["GET", "/get", undefined],
      ["GET", "/z/7", undefined],
    ])
    expect(api.requests[1]?.headers["x-ticket"]).toBe("t 1")
    expect(run.exitCode).toBe(0)
  })
})

describe("siblings of pm.sendRequest", () => {
  const bruno = (code: string) => ({
    "c/bruno.json": { version: "1", name: "shop", type: "collection" },
    "c/get.bru": `meta {\n  name: get\n  seq: 1\n}\nget {\n  url: http://127.0.0.1:1/get\n}\nscript:pre-request {\n${code}\n}\n`,
  })

  it.each([
    'const r = await axios.post("http://127.0.0.1:1/a", { b: 1 }, { headers: { "X-A": "1" } })\n  bru.setVar("v", r.data.v)',
    'const axios = require("axios")\n  const r = await axios({ method: "POST", url: "http://127.0.0.1:1/a", data: { b: 1 }, headers: { "X-A": "1" } })\n  bru.setVar("v", r.data.v)',
    'await bru.sendRequest({ method: "POST", url: "http://127.0.0.1:1/a", data: { b: 1 }, headers: { "X-A": "1" } }, (err, res) => {\n  bru.setVar("v", res.data.v)\n  })',
  ])("reads %s", async (code) => {
    const folder = await folderWith(bruno(`  ${code}`))
    const { exitCode } = await importInto(folder, ["c"])
    const { blocks } = (await readJson(folder, "apis/workflow/shop.json")) as { blocks: readonly Block[] }
    expect(idsOf(blocks)).toEqual([
      "request post-a",
      "transform post-a-values",
      "assert post-a-tests",
      "request get",
    ])
    // These clients throw for such a status.
    expect(blocks[2]?.assertions).toEqual([
      { source: "post-a.response.status", operator: "lessThan", value: 400 },
    ])
    expect(await readJson(folder, "apis/shop/requests/shop/post-a.json")).toMatchObject({
      params: { header: { "X-A": "1" } },
      body: { b: 1 },
    })
    expect(exitCode).toBe(0)
  })

  it("reads fetch", async () => {
    const folder = await folderWith(
      bruno(
        '  const r = await fetch("http://127.0.0.1:1/a")\n  const data = await r.json()\n  bru.setVar("v", data.v)',
      ),
    )
    const { exitCode } = await importInto(folder, ["c"])
    const { blocks } = (await readJson(folder, "apis/workflow/shop.json")) as { blocks: readonly Block[] }
    expect(blocks[1]?.transforms).toEqual({ v: "get-a.response.body.v" })
    expect(exitCode).toBe(0)
  })

  it("reads insomnia.sendRequest", async () => {
    const folder = await folderWith({
      "shop.json": {
        _type: "export",
        __export_format: 4,
        resources: [
          { _id: "wrk_1", _type: "workspace", name: "Shop" },
          {
            _id: "req_1",
            _type: "request",
            parentId: "wrk_1",
            name: "Get",
            method: "GET",
            url: "http://127.0.0.1:1/get",
            preRequestScript:
              'insomnia.sendRequest("http://127.0.0.1:1/a", (err, resp) => { insomnia.environment.set("v", resp.json().v) })',
          },
        ],
      },
    })
    const { exitCode } = await importInto(folder, ["shop.json"])
    const { blocks } = (await readJson(folder, "apis/workflow/shop.json")) as { blocks: readonly Block[] }
    expect(idsOf(blocks)).toEqual(["request get-a", "transform get-a-values", "request get"])
    expect(exitCode).toBe(0)
  })

  it("skips a setting of a client that has no counterpart", async () => {
    const folder = await folderWith(
      bruno('  const r = await axios.get("http://127.0.0.1:1/a", { maxRedirects: 0 })'),
    )
    const { exitCode } = await importInto(folder, ["c"])
    const { blocks } = (await readJson(folder, "apis/workflow/shop.json")) as { blocks: readonly Block[] }
    expect([idsOf(blocks), exitCode]).toEqual([["script get-before", "request get"], 1])
  })
})
