import { symlink } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn, type Files } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const settings = { version: "1", name: "Shop", type: "collection", ignore: ["node_modules", "drafts"] }

const bru = (url: string): Files => ({
  "shop/bruno.json": settings,
  "shop/collection.bru": `headers {
  X-Client: tests
  ~X-Off: 1
}

auth {
  mode: bearer
}

auth:bearer {
  token: {{token}}
}

vars:pre-request {
  sku: A-1
}

docs {
  The shop's API.
}
`,
  "shop/environments/Local Host.bru": `vars {
  host: ${url}/v1
}
vars:secret [
  token,
  ~old
]
`,
  "shop/orders/folder.bru": `meta {
  name: Orders
  seq: 1
}

auth {
  mode: inherit
}

vars:pre-request {
  page: 2
}
`,
  "shop/orders/list.bru": `meta {
  name: List
  type: http
  seq: 2
}

get {
  url: {{host}}/orders/:shop?q=old
  body: none
  auth: none
}

params:query {
  q: a b
  page: {{page}}
  "x:y": 1
  ~off: 1
}

params:path {
  shop: {{shop}}
}

vars:pre-request {
  shop: main
}

settings {
  encodeUrl: true
  timeout: 0
}
`,
  "shop/orders/create.bru": `meta {
  name: Create
  type: http
  seq: 1
  tags: [
    smoke
  ]
}

post {
  url: {{host}}/orders
  body: json
  auth: inherit
}

body:json {
  {
    // what to order
    "sku": "{{sku}}",
    "link": "https://a.example/x"
  }
}

vars:post-response {
  orderId: res.body.id
}

assert {
  res.status: eq 201
  res.body.sku: eq {{sku}}
  res.body.id: isDefined
  res.status: gte 200
  res.body.items: length 2
}

script:pre-request {
  const x = Date.now();
  bru.setVar("now", x);
}

tests {
  test("has a type", function() {
    expect(res.getHeader("content-type")).to.contain("json");
    expect(res("id")).to.equal(7);
    expect(res.body.items.at(1)).to.equal(2);
  });
}
`,
  "shop/orders/read.bru": `meta {
  name: Read
  type: http
  seq: 3
}

get {
  url: {{host}}/orders/main/{{orderId}}
}
`,
  "shop/orders/pay/form.bru": `meta {
  name: Form
  type: http
  seq: 1
}

post {
  url: {{host}}/pay
  body: multipart-form
  auth: basic
}

auth:basic {
  username: ada
  password: pass-123456
}

body:multipart-form {
  note: '''
    two
    lines
  '''
  file: @file(data.txt) @contentType(text/csv)
}
`,
  "shop/search.bru": `meta {
  name: Search
  type: graphql
  seq: 5
}

post {
  url: {{host}}/graphql
  body: graphql
  auth: none
}

body:graphql {
  query Find($id: ID) {
    item(id: $id) { name }
  }
}

body:graphql:vars {
  { "id": "{{sku}}" }
}
`,
  "shop/call.bru": `meta {
  name: Call
  type: grpc
  seq: 6
}

grpc {
  url: {{host}}
  method: /a.B/C
}
`,
  "shop/drafts/broken.bru": "???",
  "shop/data.txt": "file content",
})

const yaml = (url: string): Files => ({
  "shop/opencollection.yml": `opencollection: 1.0.0
info: { name: Shop }
request:
  headers: [{ name: X-Client, value: tests }, { name: X-Off, value: "1", disabled: true }]
  auth: { type: bearer, token: "{{token}}" }
  variables: [{ name: sku, value: A-1 }]
docs: { content: The shop's API., type: text/markdown }
`,
  "shop/environments/local.yml": `name: Local Host
variables:
  - { name: host, value: "${url}/v1" }
  - { name: token, secret: true }
  - { name: old, secret: true, disabled: true }
`,
  "shop/orders/folder.yml": `info: { name: Orders, type: folder, seq: 1 }
request: { auth: inherit, variables: [{ name: page, value: { type: number, data: "2" } }] }
`,
  "shop/orders/list.yml": `info: { name: List, type: http, seq: 2 }
http:
  method: GET
  url: "{{host}}/orders/:shop?q=old"
  params:
    - { name: q, value: a b, type: query }
    - { name: page, value: "{{page}}", type: query }
    - { name: "x:y", value: "1", type: query }
    - { name: off, value: "1", type: query, disabled: true }
    - { name: shop, value: "{{shop}}", type: path }
runtime: { variables: [{ name: shop, value: main }] }
settings: { encodeUrl: true, timeout: 0, followRedirects: true, maxRedirects: 5 }
`,
  "shop/orders/create.yml": `info: { name: Create, type: http, seq: 1, tags: [smoke] }
http:
  method: POST
  url: "{{host}}/orders"
  auth: inherit
  body:
    type: json
    data: |-
      {
        // what to order
        "sku": "{{sku}}",
        "link": "https://a.example/x"
      }
runtime:
  actions:
    - type: set-variable
      phase: after-response
      selector: { expression: res.body.id, method: jsonq }
      variable: { name: orderId, scope: runtime }
  assertions:
    - { expression: res.status, operator: eq, value: "201" }
    - { expression: res.body.sku, operator: eq, value: "{{sku}}" }
    - { expression: res.body.id, operator: isDefined }
    - { expression: res.status, operator: gte, value: "200" }
    - { expression: res.body.items, operator: length, value: "2" }
  scripts:
    - { type: before-request, code: "const x = Date.now(); bru.setVar('now', x);" }
    - type: tests
      code: |-
        test("has a type", function() {
          expect(res.getHeader("content-type")).to.contain("json");
          expect(res("id")).to.equal(7);
        });
`,
  "shop/orders/read.yml": `info: { name: Read, type: http, seq: 3 }
http: { method: GET, url: "{{host}}/orders/main/{{orderId}}" }
`,
  "shop/orders/pay/form.yml": `info: { name: Form, type: http, seq: 1 }
http:
  method: POST
  url: "{{host}}/pay"
  auth: { type: basic, username: ada, password: pass-123456 }
  body:
    type: multipart-form
    data:
      - { name: note, type: text, value: "two\\nlines" }
      - { name: file, type: file, value: [data.txt], contentType: text/csv }
`,
  "shop/search.yml": `info: { name: Search, type: graphql, seq: 5 }
graphql:
  method: POST
  url: "{{host}}/graphql"
  body:
    query: |-
      query Find($id: ID) {
        item(id: $id) { name }
      }
    variables: '{ "id": "{{sku}}" }'
`,
  "shop/call.yml": `info: { name: Call, type: grpc, seq: 6 }
grpc: { url: "{{host}}", method: /a.B/C }
`,
  "shop/docker-compose.yml": "services: { db: { image: postgres } }\n",
  "shop/data.txt": "file content",
})

describe("callsheet import of a Bruno collection", () => {
  it.each([
    ["directory of .bru files", bru],
    ["OpenCollection directory", yaml],
  ])("sends the requests of a %s, and checks their responses", async (_, files) => {
    const api = await startApi({
      "POST /v1/orders": { status: 201, body: { id: 7, sku: "A-1", items: [1, 2] } },
      "*": { body: {} },
    })
    const folder = await folderWith(files(api.url))
    const { exitCode, result, stderr } = await importInto(folder, [
      "shop/",
      "--api",
      "shop",
      "--files",
      "shop",
    ])
    expect(stderr).toBe("")
    expect(result).toMatchObject({ source: "bruno", requests: 5, saved: 5, workflows: ["orders", "shop"] })
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "shop: Local Host: variable old",
      "shop: header X-Off",
      "shop: Orders / Create: tags",
      "shop: Orders / List: query parameter off",
      "shop: Call: request",
    ])
    expect(exitCode).toBe(1)
    expect(await validated(folder)).toEqual([])
    const blocks = (await readJson(folder, "apis/workflow/orders.json")) as {
      blocks: readonly { id: string; type: string; transforms?: object; assertions?: readonly object[] }[]
    }
    expect(blocks.blocks.map(({ id, type }) => `${id}: ${type}`)).toEqual([
      "pay: group",
      "create-before: transform",
      "create: request",
      "create-values: transform",
      "create-tests: assert",
      "create-has-a-type: assert",
      "create-tests-2: assert",
      "list: request",
      "read: request",
    ])
    const ran = await callsheet(["run", "orders", "shop", "--var", "shop.token=tok-123456"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0)
    const [form, create, list, read, search] = api.requests
    expect(form?.headers.authorization).toBe(`Basic ${Buffer.from("ada:pass-123456").toString("base64")}`)
    expect(form?.text).toContain("two\nlines")
    expect(form?.text).toContain("file content")
    expect(form?.text).toContain("text/csv")
    expect(create?.json).toEqual({ sku: "A-1", link: "https://a.example/x" })
    expect(create?.headers).toMatchObject({ authorization: "Bearer tok-123456", "x-client": "tests" })
    expect(list?.url).toBe("/v1/orders/main?q=a%20b&page=2&x%3Ay=1")
    expect(list?.headers.authorization).toBeUndefined()
    expect(read?.url).toBe("/v1/orders/main/7")
    expect(search?.json).toEqual({
      query: "query Find($id: ID) {\n  item(id: $id) { name }\n}",
      variables: { id: "A-1" },
    })
    const again = await importInto(folder, ["shop", "--api", "shop", "--files", "shop"])
    expect(again.result?.files).toEqual([])
    const texts = Object.entries(await textsIn(folder))
    for (const [file, text] of texts)
      if (file.startsWith("apis/") && !file.endsWith(".secrets.env"))
        expect(text, file).not.toContain("pass-123456")
  })

  const get = (name: string, url: string, more = "") =>
    `meta {\n  name: ${name}\n  type: http\n}\n\nget {\n  url: ${url}\n  auth: none\n}\n${more}`

  const refused: readonly (readonly [string, Files, string])[] = [
    ["a directory without a collection", { "c/a.bru": "" }, "bruno.json"],
    ["a broken bruno.json", { "c/bruno.json": "[" }, "c/bruno.json"],
    [
      "a broken request",
      { "c/bruno.json": settings, "c/a/b.bru": "meta {\n  name: x\n}\n???" },
      "c/a/b.bru:4",
    ],
    ["a block without an end", { "c/bruno.json": settings, "c/b.bru": "get {\n  url: '''\n" }, "c/b.bru"],
    ["a pair without a colon", { "c/bruno.json": settings, "c/b.bru": "get {\n  url\n}\n" }, "c/b.bru:2"],
    ["broken YAML", { "c/opencollection.yml": "opencollection: 1.0.0\ninfo: [" }, "c/opencollection.yml"],
    [
      "a thousand nested directories",
      { "c/bruno.json": settings, [`c/${"a/".repeat(1000)}b.bru`]: "" },
      "nested more than 100 deep",
    ],
  ]
  it.each(refused)("refuses %s: names it and writes nothing", async (_, files, named) => {
    const folder = await folderWith(files)
    const { exitCode, stdout, stderr } = await importInto(folder, ["c"])
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain(named)
    expect(stderr).not.toContain("bug")
    expect(Object.keys(await textsIn(folder)).sort()).toEqual(Object.keys(files).sort())
  })

  it("reads hostile files in time", async () => {
    const json = `/*${" /*".repeat(500_000)}`
    const request = get("A", "https://a.example", `\nbody:json {\n  ${json}\n}\n`)
    const folder = await folderWith({
      "c/bruno.json": settings,
      "c/a.bru": request.replace("get {", "post {\n  body: json"),
      "c/b.bru": `headers {\n${" ".repeat(1_000_000)}\n  a${" ".repeat(1_000_000)}: b\n}\n`,
    })
    expect((await importInto(folder, ["c"])).exitCode).toBe(1)
  })

  it("follows no link out of the collection, and no link to a directory around it", async () => {
    const body = "\nbody:file {\n  file: @file(../outside/data.txt)\n}\n"
    const folder = await folderWith({
      "outside/secret.bru": get("Secret", "https://secret.example"),
      "outside/data.txt": "outside-content",
      "c/bruno.json": settings,
      "c/a/get.bru": get("Get", "https://a.example"),
      "c/a/post.bru": get("Post", "https://a.example", body).replace("get {", "post {\n  body: file"),
    })
    await symlink("..", `${folder}/c/a/around`)
    await symlink("../outside", `${folder}/c/out`)
    await symlink("../outside/secret.bru", `${folder}/c/secret.bru`)
    const { exitCode, result } = await importInto(folder, ["c", "--into", "project"])
    expect(exitCode).toBe(1)
    expect(result?.requests).toBe(2)
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "c: file out",
      "c: file secret.bru",
      "c: a / Post: file ../outside/data.txt",
    ])
    const texts = Object.values(await textsIn(`${folder}/project`)).join("")
    expect(texts).not.toContain("secret.example")
    expect(texts).not.toContain("outside-content")
  })

  it("keeps hostile and repeated names apart", async () => {
    const names = ["__proto__", "constructor", "__proto__", "../../escape", "CON"]
    const vars = "vars:pre-request {\n  __proto__: a{{__proto__}}\n  x: {{y}}\n  y: {{x}}\n}\n"
    const requests = names.map((name, at) => [
      `c/${at}.bru`,
      get(name, "https://a.example/{{__proto__}}/{{x}}", `headers {\n  __proto__: h\n}\n${vars}`),
    ])
    const folder = await folderWith({
      "c/bruno.json": settings,
      "c/__proto__/a.bru": get("A", "https://a.example"),
      "c/environments/__proto__.bru": "vars {\n  __proto__: v\n}\n",
      ...Object.fromEntries(requests),
    })
    const { result, stderr } = await importInto(folder, ["c", "--into", "c/project"])
    expect(stderr).toBe("")
    expect(result).toMatchObject({ requests: 6, saved: 6 })
    expect((await validated(`${folder}/c/project`)).filter((one) => one.startsWith("error"))).toEqual([])
    expect(Object.keys(await textsIn(folder)).filter((file) => !file.startsWith("c/"))).toEqual([])
  })

  it("writes nothing over other files without --force, and nothing with --dry-run", async () => {
    const files = { "c/bruno.json": settings, "c/a.bru": get("A", "https://a.example/a") }
    const folder = await folderWith(files)
    const planned = await importInto(folder, ["c", "--dry-run"])
    expect(planned.result?.files).toContain("apis/workflow/shop.json")
    expect(Object.keys(await textsIn(folder)).sort()).toEqual(Object.keys(files).sort())
    await importInto(folder, ["c"])
    const changed = await folderWith({
      ...(await textsIn(folder)),
      "c/a.bru": get("A", "https://a.example/b"),
    })
    const refusal = await importInto(changed, ["c"])
    expect([refusal.exitCode, refusal.stdout]).toEqual([2, ""])
    expect(refusal.stderr).toContain("apis/shop/requests/shop/a.json")
    const forced = await importInto(changed, ["c", "--force"])
    expect([forced.exitCode, forced.result?.files]).toEqual([0, ["apis/shop/requests/shop/a.json"]])
  })

  it("names settings of the collection that callsheet doesn't support", async () => {
    const proxy = { enabled: true, config: { hostname: "p.example" } }
    const clientCertificates = { certs: [{ domain: "a.example", passphrase: "pass-12345678" }] }
    const folder = await folderWith({
      "c/bruno.json": { ...settings, proxy, clientCertificates },
      "c/a.bru": get("A", "https://a.example/a"),
    })
    const { result, stdout } = await importInto(folder, ["c"])
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "c/bruno.json: proxy",
      "c/bruno.json: client certificates",
    ])
    expect(stdout).not.toContain("pass-12345678")
  })

  it("leaves values that a place can't have to checks in code, and names settings of OpenCollection", async () => {
    const folder = await folderWith({
      "c/bruno.json": settings,
      "c/a.bru": `${get("A", "https://a.example/a")}
assert {
  res.status: eq "200"
  res.status: other 500
  res.headers['x-a']: eq 5
  res.status: contains 2
  res.body.a: eq "200"
  res.status: neq 500
}
`,
      "oc/opencollection.yml": `opencollection: "1.0.0"
info: { name: Open }
config: { proxy: { inherit: false, config: { hostname: p } }, clientCertificates: [{ domain: x }] }
`,
    })
    const { result } = await importInto(folder, ["c", "--into", "p"])
    expect(result?.losses).toEqual([])
    const blocks = JSON.stringify(await readJson(folder, "p/apis/workflow/shop.json"))
    expect(blocks.match(/"operator"/g)).toHaveLength(2)
    expect(await validated(`${folder}/p`)).toEqual([])
    const open = await importInto(folder, ["oc", "--into", "q"])
    expect(open.result?.losses.map(({ what }) => what)).toEqual(["proxy", "client certificates"])
  })

  it("names the variables that need a value: those of the process, and secrets", async () => {
    const folder = await folderWith({
      "shop/bruno.json": settings,
      "shop/environments/local.bru":
        "vars {\n  host: http://127.0.0.1:9\n  empty:\n}\nvars:secret [\n  token\n]\n",
      "shop/get.bru":
        "meta {\n  name: Get\n  type: http\n}\n\nget {\n  url: {{host}}/{{empty}}\n}\n\nheaders {\n  X-Key: {{process.env.KEY}}\n  X-Token: {{token}}\n}\n",
    })
    const { stderr } = await callsheet(["import", "shop", "--into", "out"], { folder })
    expect(stderr).toContain("variables without a value: shop.process_env_KEY, shop.token; set them")
  })
})
