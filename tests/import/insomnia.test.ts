import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto, validated } from "./import-into.ts"

const version4 = (url: string) => ({
  _type: "export",
  __export_format: 4,
  resources: [
    { _id: "wrk_1", _type: "workspace", name: "Shop" },
    {
      _id: "env_0",
      _type: "environment",
      parentId: "wrk_1",
      name: "Base",
      data: { api: { host: url }, sku: "A-1" },
    },
    { _id: "env_1", _type: "environment", parentId: "env_0", name: "Staging", data: { token: "tok-123456" } },
    { _id: "fld_1", _type: "request_group", parentId: "wrk_1", name: "Orders" },
    {
      _id: "req_2",
      _type: "request",
      parentId: "fld_1",
      name: "List",
      metaSortKey: 2,
      method: "GET",
      url: "{{ _.api.host }}/orders",
      parameters: [{ name: "q", value: "{{ sku }}" }],
    },
    {
      _id: "req_1",
      _type: "request",
      parentId: "fld_1",
      name: "Create",
      metaSortKey: 1,
      method: "POST",
      url: "{{ _.api.host }}/orders",
      authentication: { type: "bearer", token: "{{ _.token }}" },
      body: { mimeType: "application/json", text: '{"sku": "{{ _.sku }}"}' },
      afterResponseScript: "insomnia.test('ok', () => { insomnia.response.to.have.status(200) })",
    },
  ],
})

const version5 = (url: string) => `type: collection.insomnia.rest/5.0
name: Shop
collection:
  - name: Orders
    children:
      - name: Create
        method: POST
        url: "{{ _.api.host }}/orders"
        meta: { sortKey: 1 }
        authentication: { type: bearer, token: "{{ _.token }}" }
        body: { mimeType: application/json, text: '{"sku": "{{ _.sku }}"}' }
        scripts: { afterResponse: "insomnia.test('ok', () => { insomnia.response.to.have.status(200) })" }
      - name: List
        method: GET
        url: "{{ _.api.host }}/orders"
        meta: { sortKey: 2 }
        parameters: [{ name: q, value: "{{ sku }}" }]
environments:
  name: Base
  data: { api: { host: "${url}" }, sku: A-1 }
  subEnvironments:
    - { name: Staging, data: { token: tok-123456 } }
`

describe("callsheet import of an Insomnia export", () => {
  it.each(["4", "5"])("of version %s sends the same requests", async (version) => {
    const api = await startApi({ "*": { body: {} } })
    const folder = await folderWith({ "shop.yaml": version === "4" ? version4(api.url) : version5(api.url) })
    const { exitCode, result, stderr } = await importInto(folder, ["shop.yaml"])
    expect(stderr).toBe("")
    expect(result).toMatchObject({ source: "insomnia", requests: 2, workflows: ["orders"], losses: [] })
    expect(exitCode).toBe(0)
    expect(await validated(folder)).toEqual([])
    const ran = await callsheet(["run", "orders"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    const [create, list] = api.requests
    expect(create?.json).toEqual({ sku: "A-1" })
    expect(create?.headers.authorization).toBe("Bearer tok-123456")
    expect(list?.url).toBe("/orders?q=A-1")
  })

  it("refuses old versions, and names template tags and other kinds of requests", async () => {
    const folder = await folderWith({
      "old.json": { _type: "export", __export_format: 3, resources: [] },
      "shop.json": {
        ...version4("https://a.example"),
        resources: [
          ...version4("https://a.example").resources.slice(0, 2),
          {
            _id: "r",
            _type: "request",
            parentId: "wrk_1",
            name: "Tag",
            method: "GET",
            url: "https://a.example/{% uuid 'v4' %}",
          },
          { _id: "g", _type: "grpc_request", parentId: "wrk_1", name: "Call" },
        ],
      },
    })
    const old = await importInto(folder, ["old.json"])
    expect([old.exitCode, old.stdout]).toEqual([2, ""])
    expect(old.stderr).toContain("old.json")
    const { exitCode, result } = await importInto(folder, ["shop.json"])
    expect(exitCode).toBe(1)
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "shop.json: Call: grpc request",
      "shop.json: Tag: template tag uuid",
    ])
  })

  it("carries what folders, settings and other templates say, or names it", async () => {
    const api = await startApi({ "*": {}, "GET /moved": { status: 302, headers: { location: "/x" } } })
    const source = `type: collection.insomnia.rest/5.0
name: Shop
collection:
  - name: Folder
    headers: [{ name: X-Folder, value: "{{ _['odd-name'] }}" }, { name: X-Own, value: folder }]
    children:
      - name: Moved
        method: GET
        url: "{{ _.base_url }}/moved"
        headers: [{ name: x-own, value: "{{ _.made | upper }}" }]
        settings: { followRedirects: "off", cookies: { send: false } }
        authentication: { type: apikey, key: sid, value: cookie-secret-1, addTo: cookie }
      - name: Path
        method: POST
        url: "{{ _.base_url }}/things/:id"
        pathParameters: [{ name: id, value: "{% uuid 'v4' %}" }]
        body:
          mimeType: multipart/form-data
          params: [{ name: t, value: "{}", type: text, multiline: application/json }]
cookieJar: { cookies: [{ key: sid, value: jar-secret-1 }] }
environments:
  data: { base_url: "${api.url}", odd-name: odd, made: "{% now 'iso' %}" }
`
    const folder = await folderWith({ "shop.yaml": source })
    const { result, stdout } = await importInto(folder, ["shop.yaml"])
    expect(stdout).not.toMatch(/cookie-secret-1|jar-secret-1/)
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`).sort()).toEqual([
      "shop.yaml / made: template tag now",
      "shop.yaml: Folder / Moved: setting send cookies",
      "shop.yaml: Folder / Moved: template tag _.made",
      "shop.yaml: Folder / Path: content type of form field t",
      "shop.yaml: Folder / Path: template tag uuid",
      "shop.yaml: cookie jar",
    ])
    expect((await validated(folder)).filter((one) => one.startsWith("error"))).toEqual([])
    const ran = await callsheet(["run", "folder", "--var", "shop.id=7"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0)
    expect(api.requests.map(({ url }) => url)).toEqual(["/moved", "/things/7"])
    expect(api.requests[0]?.headers).toMatchObject({
      "x-folder": "odd",
      "x-own": "",
      cookie: "sid=cookie-secret-1",
    })
  })

  it("names variables of folders that hide others, and resources that it can't place", async () => {
    const { resources, ...rest } = version4("http://127.0.0.1:1")
    const more = [
      {
        _id: "fld_x",
        _type: "request_group",
        parentId: "wrk_1",
        name: "Hiding",
        environment: { sku: "x", own: 1 },
      },
      {
        _id: "req_x",
        _type: "request",
        parentId: "fld_gone",
        name: "Orphan",
        method: "GET",
        url: "http://a.example",
      },
      { _id: "spc_x", _type: "api_spec", parentId: "wrk_1", contents: "openapi: 3.1.0" },
    ]
    const folder = await folderWith({ "shop.json": { ...rest, resources: [...resources, ...more] } })
    const before = await importInto(await folderWith({ "shop.json": { ...rest, resources } }), ["shop.json"])
    const { result } = await importInto(folder, ["shop.json"])
    const known = new Set(before.result?.losses.map((loss) => JSON.stringify(loss)))
    const added = result?.losses.filter((loss) => !known.has(JSON.stringify(loss)))
    expect(added?.map(({ where, what, group }) => `${where}: ${what}: ${group}`)).toEqual([
      "shop.json: api spec: documents to add",
      "shop.json: Orphan: request: requests left out",
      "shop.json: Hiding: variable sku: variables of folders",
    ])
  })
})
