import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

const collection = (item: readonly unknown[], more: object = {}) => ({
  info: { name: "My Shop", schema },
  item,
  ...more,
})

const request = (name: string, method: string, url: unknown, more: object = {}) => ({
  name,
  request: { method, url, ...more },
})

const environment = (name: string, values: Readonly<Record<string, string>>, secrets: object = {}) => ({
  name,
  _postman_variable_scope: "environment",
  values: [
    ...Object.entries(values).map(([key, value]) => ({ key, value, enabled: true })),
    ...Object.entries(secrets).map(([key, value]) => ({ key, value, type: "secret", enabled: true })),
  ],
})

const operation = (operationId: string) => ({ operationId, responses: { 200: { description: "Done." } } })

const document = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://api.shop.example/v1" }],
  paths: {
    "/orders": {
      post: { ...operation("createOrder"), requestBody: { content: { "application/json": {} } } },
      get: {
        ...operation("listOrders"),
        parameters: [{ name: "ids", in: "query", schema: { type: "array", items: { type: "string" } } }],
      },
    },
    "/orders/{orderId}": {
      get: {
        ...operation("getOrder"),
        parameters: [{ name: "expand", in: "query", schema: { type: "string" } }],
      },
    },
    "/orders/latest": { get: operation("getLatest") },
  },
}

const jsonBody = (raw: string) => ({ mode: "raw", raw, options: { raw: { language: "json" } } })

describe("callsheet import of a Postman collection", () => {
  it("binds requests to operations, and runs them against the environment without a flag", async () => {
    const api = await startApi({ "*": { body: { id: 7 } } })
    const folder = await folderWith({
      "shop.json": collection(
        [
          {
            name: "Orders",
            description: "All about orders.",
            item: [
              request("Create order", "POST", "{{baseUrl}}/orders", {
                header: [
                  { key: "Content-Type", value: "application/json" },
                  { key: "X-Trace", value: "{{$guid}}" },
                ],
                body: jsonBody('{"sku": "{{sku}}", "quantity": {{quantity}}, "note": "a {{sku}}"}'),
              }),
              {
                name: "Reading",
                item: [
                  request("Get order", "GET", {
                    raw: "{{baseUrl}}/orders/:orderId?expand=lines",
                    host: ["{{baseUrl}}"],
                    path: ["orders", ":orderId"],
                    query: [{ key: "expand", value: "lines" }],
                    variable: [{ key: "orderId", value: "o 7" }],
                  }),
                  request("Latest", "GET", "{{baseUrl}}/orders/latest"),
                ],
              },
            ],
          },
          request("Health", "GET", "{{baseUrl}}/health"),
        ],
        {
          auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
          variable: [{ key: "sku", value: "A-1" }],
        },
      ),
      "staging.json": environment(
        "Shop Staging",
        { baseUrl: `${api.url}/v1`, quantity: "2" },
        { token: "t-0123456789" },
      ),
      "openapi.json": document,
    })
    try {
      const words = ["shop.json", "staging.json", "--document", "openapi.json", "--api", "shop"]
      const { exitCode, result, stderr } = await importInto(folder, words)
      expect(stderr).toBe("")
      expect(result).toMatchObject({ source: "postman", requests: 4, operations: 3, saved: 1, losses: [] })
      expect(exitCode).toBe(0)
      expect(result?.workflows).toEqual(["orders", "my-shop"])
      expect(await validated(folder)).toEqual([])
      expect(await readJson(folder, "apis/shop/environments/schema.json")).toMatchObject({
        variables: {
          baseUrl: { type: "string" },
          sku: { type: "string", default: "A-1" },
          quantity: { type: "number" },
          token: { type: "string", secret: true },
        },
      })
      const texts = await textsIn(folder)
      expect(texts["apis/shop/environments/shop-staging.secrets.env"]).toBe("token=t-0123456789\n")
      expect(texts["apis/shop/README.md"]).toContain("All about orders.")
      expect(texts[".gitignore"]).toBe("*.secrets.env\n")
      const ran = await callsheet(["run", "orders", "my-shop"], { folder })
      expect(ran.exitCode, ran.stderr).toBe(0)
      expect(api.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "POST /v1/orders",
        "GET /v1/orders/o%207?expand=lines",
        "GET /v1/orders/latest",
        "GET /v1/health",
      ])
      expect(api.requests[0]?.json).toEqual({ sku: "A-1", quantity: 2, note: "a A-1" })
      expect(api.requests[0]?.headers["x-trace"]).toMatch(/^[0-9a-f-]{36}$/)
      for (const { headers } of api.requests) expect(headers.authorization).toBe("Bearer t-0123456789")
    } finally {
      await api.close()
    }
  })

  it("reads version 2.0, whose authentication is an object and whose URLs are texts", async () => {
    const folder = await folderWith({
      "shop.json": {
        info: { name: "Old", schema: schema.replace("v2.1.0", "v2.0.0") },
        item: [
          request("Ping", "GET", "https://api.example.com/ping?a=1&b=x%20y", {
            auth: { type: "apikey", apikey: { key: "X-Api-Key", value: "k-0123456789", in: "header" } },
            header: "Accept: text/plain",
          }),
        ],
      },
    })
    const { exitCode } = await importInto(folder, ["shop.json"])
    expect(exitCode).toBe(0)
    expect(await readJson(folder, "apis/old/requests/old/ping.json")).toEqual({
      version: 1,
      description: "Ping",
      method: "GET",
      path: "/ping",
      params: { query: { a: "1", b: "x y" }, header: { Accept: "text/plain", "x-api-key": "{{xApiKey}}" } },
    })
    expect(await readJson(folder, "apis/old/environments/default.json")).toEqual({
      baseUrl: "https://api.example.com",
    })
  })

  it("gives requests to a second origin an API of their own", async () => {
    const folder = await folderWith({
      "shop.json": collection([
        request("Latest", "GET", "https://api.shop.example/v1/orders/latest"),
        request("Elsewhere", "GET", "https://other.example/v1/orders/latest"),
      ]),
      "openapi.json": document,
    })
    const { result } = await importInto(folder, ["shop.json", "--document", "openapi.json", "--api", "shop"])
    expect(result).toMatchObject({ operations: 1, saved: 1 })
    expect(await readJson(folder, "apis/other-example/environments/default.json")).toEqual({
      baseUrl: "https://other.example/v1",
    })
    expect(await readJson(folder, "apis/shop/environments/default.json")).toEqual({
      baseUrl: "https://api.shop.example/v1",
    })
    const workflow = JSON.stringify(await readJson(folder, "apis/workflow/my-shop.json"))
    expect(workflow).toContain('{"api":"shop","operation":"getLatest"}')
    expect(workflow).toContain('{"api":"other-example","resource":"other-example","instance":"elsewhere"}')
    expect(await validated(folder)).toEqual([])
  })

  it("moves the base path of the document into the base URL", async () => {
    const folder = await folderWith({
      "shop.json": collection([
        request("Latest", "GET", "{{host}}/v1/orders/latest"),
        request("Get", "GET", "{{host}}/v1/orders/{{id}}"),
      ]),
      "a.json": environment("A", { host: "https://a.example/" }),
      "b.json": environment("B", { host: "https://b.example" }),
      "openapi.json": document,
    })
    const { result } = await importInto(folder, [
      "shop.json",
      "a.json",
      "b.json",
      "--document",
      "openapi.json",
    ])
    expect(result).toMatchObject({ operations: 2, saved: 0 })
    const valuesOf = async (name: string) => readJson(folder, `apis/my-shop/environments/${name}.json`)
    expect(await valuesOf("a")).toMatchObject({ baseUrl: "https://a.example/v1" })
    expect(await valuesOf("b")).toMatchObject({ baseUrl: "https://b.example/v1" })
  })

  it("lets every environment inherit globals and variables of the collection", async () => {
    const folder = await folderWith({
      "shop.json": collection([request("Ping", "GET", "{{root}}/ping?zone={{zone}}&tier={{tier}}")], {
        variable: [
          { key: "root", value: "https://{{host}}" },
          { key: "tier", value: "gold" },
        ],
      }),
      "a.json": environment("A", { host: "a.example", tier: "tin" }),
      "b.json": environment("B", { host: "b.example" }),
      "globals.json": {
        ...environment("Globals", { tier: "none", zone: "eu" }),
        _postman_variable_scope: "globals",
      },
    })
    expect((await importInto(folder, ["shop.json", "a.json", "b.json", "globals.json"])).exitCode).toBe(0)
    const read = async (name: string) =>
      (await callsheet(["env", "read", "my-shop", name, "--json"], { folder })).stdout
    const a = JSON.parse(await read("a")) as { variables: Record<string, { value: unknown }> }
    const b = JSON.parse(await read("b")) as typeof a
    const values = ({ variables }: typeof a) =>
      ["baseUrl", "tier", "zone"].map((name) => variables[name]?.value)
    expect(values(a)).toEqual(["https://a.example", "tin", "eu"])
    expect(values(b)).toEqual(["https://b.example", "gold", "eu"])
  })

  it("puts secrets by type, name and use only into secrets files, and prints none", async () => {
    const secrets = [
      "typed-secret-1",
      "named-secret-2",
      "bearer-secret-3",
      "header-secret-4",
      "basic-secret-5",
      "body-secret-6",
      "query-secret-7",
    ]
    const folder = await folderWith({
      "shop.json": collection(
        [
          request("One", "GET", "{{url}}/one?access_token=query-secret-7", {
            auth: { type: "bearer", bearer: [{ key: "token", value: "bearer-secret-3" }] },
            header: [{ key: "X-Api-Key", value: "header-secret-4" }],
            description: "Sign in with named-secret-2.",
          }),
          {
            ...request("Two", "POST", "{{url}}/two", {
              auth: {
                type: "basic",
                basic: [
                  { key: "username", value: "ada" },
                  { key: "password", value: "{{pass}}" },
                ],
              },
              body: jsonBody('{"password": "body-secret-6"}'),
            }),
            event: [{ listen: "test", script: { exec: ['pm.environment.set("k", "named-secret-2")'] } }],
          },
        ],
        {
          variable: [
            { key: "clientSecret", value: "named-secret-2" },
            { key: "pass", value: "basic-secret-5" },
          ],
        },
      ),
      "env.json": environment("Local", { url: "https://a.example" }, { plain: "typed-secret-1" }),
    })
    const { stdout, stderr } = await importInto(folder, ["shop.json", "env.json", "--into", "project"])
    const texts = Object.entries(await textsIn(`${folder}/project`))
    const isSecretsFile = ([file]: readonly [string, string]) => file.endsWith(".secrets.env")
    for (const secret of secrets) {
      for (const [file, text] of texts.filter((one) => !isSecretsFile(one)))
        expect(text, `${secret} in ${file}`).not.toContain(secret)
      expect(stdout + stderr).not.toContain(secret)
    }
    const stored = texts
      .filter(isSecretsFile)
      .map(([, text]) => text)
      .join("")
    const pair = Buffer.from("ada:basic-secret-5").toString("base64")
    for (const value of [...secrets, pair]) expect(stored).toContain(value)
  })

  it("changes nothing when the same source is imported again", async () => {
    const folder = await folderWith({
      "shop.json": collection([request("Ping", "GET", "https://a.example/ping?token=s-123456")]),
    })
    const first = await importInto(folder, ["shop.json"])
    const before = await textsIn(folder)
    const second = await importInto(folder, ["shop.json"])
    expect([second.exitCode, second.result?.files]).toEqual([0, []])
    expect(second.result).toEqual({ ...first.result, files: [] })
    expect(await textsIn(folder)).toEqual(before)
  })

  it("writes nothing with --dry-run, and lists what it would write", async () => {
    const folder = await folderWith({
      "shop.json": collection([request("Ping", "GET", "https://a.example/ping")]),
    })
    const before = await textsIn(folder)
    const dry = await importInto(folder, ["shop.json", "--into", "new", "--dry-run"])
    expect(await textsIn(folder)).toEqual(before)
    const wet = await importInto(folder, ["shop.json", "--into", "new"])
    expect(wet.result).toEqual(dry.result)
    expect(wet.result?.files).toContain("apis/my-shop/requests/my-shop/ping.json")
  })

  it("names every file with other content and writes nothing, unless forced", async () => {
    const [workflow, saved] = ["apis/workflow/my-shop.json", "apis/my-shop/requests/my-shop/ping.json"]
    const folder = await folderWith({
      "shop.json": collection([request("Ping", "GET", "https://a.example/ping")]),
      [workflow]: "{}",
      [saved]: "{}",
    })
    const before = await textsIn(folder)
    const { exitCode, stderr } = await importInto(folder, ["shop.json"])
    expect(exitCode).toBe(2)
    for (const file of [workflow, saved]) expect(stderr).toContain(file)
    expect(await textsIn(folder)).toEqual(before)
    expect((await importInto(folder, ["shop.json", "--force"])).exitCode).toBe(0)
    expect(await validated(folder)).toEqual([])
  })

  it("adds to declarations and secrets, and keeps the values that exist", async () => {
    const kept = {
      version: 1,
      variables: {
        mine: { type: "number", required: false },
        apiKey: { type: "string", required: false, secret: true },
      },
    }
    const folder = await folderWith({
      "shop.json": collection([request("Ping", "GET", "{{baseUrl}}/{{zone}}")], {
        variable: [
          { key: "apiKey", value: "new-key-123" },
          { key: "otherKey", value: "x", type: "secret" },
        ],
      }),
      "env.json": environment("Local", { baseUrl: "https://a.example" }),
      "apis/my-shop/environments/schema.json": kept,
      "apis/my-shop/environments/local.secrets.env": "# mine\napiKey=old-key-456\n",
    })
    expect((await importInto(folder, ["shop.json", "env.json"])).exitCode).toBe(0)
    const texts = await textsIn(folder)
    expect(texts["apis/my-shop/environments/local.secrets.env"]).toBe(
      "# mine\napiKey=old-key-456\notherKey=x\n",
    )
    expect(JSON.parse(texts["apis/my-shop/environments/schema.json"] ?? "")).toMatchObject({
      variables: { ...kept.variables, zone: { type: "string" }, otherKey: { secret: true } },
    })
  })

  it("carries scripts over with a TODO that validate reports", async () => {
    const folder = await folderWith({
      "shop.json": collection([
        {
          ...request("Ping", "GET", "https://a.example/ping"),
          event: [{ listen: "prerequest", script: { exec: ["for (;;) { pm.cookies.clear()", "} // */"] } }],
        },
      ]),
    })
    const { exitCode, result } = await importInto(folder, ["shop.json"])
    expect(exitCode).toBe(1)
    expect(result?.losses.map(({ where }) => where)).toEqual(["shop.json: Ping / event[prerequest]"])
    const script = "apis/workflow/scripts/my-shop/ping-before.ts"
    expect((await textsIn(folder))[script]).toContain("//   for (;;) { pm.cookies.clear()\n//   } // */\n")
    expect(await validated(folder)).toEqual(["import-todo"])
  })

  it("names everything that it doesn't import completely", async () => {
    const folder = await folderWith({
      "shop.json": collection([
        {
          name: "Orders",
          item: [
            {
              ...request("Search", "GET", "https://a.example/orders?tag=a&tag=b", {
                header: [{ key: "X-Old", value: "1", disabled: true }],
                body: jsonBody('{"a": 1}'),
                auth: { type: "hawk", hawk: [] },
              }),
              response: [{ name: "ok" }],
              protocolProfileBehavior: { strictSSL: false },
            },
            request("Socket", "GET", "ws://a.example/socket"),
            request("Upload", "POST", "https://a.example/upload", {
              body: { mode: "formdata", formdata: [{ key: "file", type: "file", src: "../secret.txt" }] },
            }),
            request("Fake", "GET", "https://a.example/{{$randomCity}}"),
          ],
        },
      ]),
    })
    const { exitCode, result } = await importInto(folder, ["shop.json"])
    expect(exitCode).toBe(1)
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "shop.json: Orders / Search: 1 saved response",
      "shop.json: Orders / Search: header X-Old",
      "shop.json: Orders / Search: body",
      "shop.json: Orders / Search: setting strictSSL",
      "shop.json: Orders / Socket: request",
      "shop.json: Orders / Search: hawk authentication",
      "shop.json: Orders / Search: query parameter tag",
      "shop.json: Orders / Upload: file ../secret.txt",
      "shop.json: Orders / Fake: dynamic value $randomCity",
    ])
    expect(result).toMatchObject({ requests: 4, operations: 0, saved: 3 })
    expect(await validated(folder)).toEqual([])
  })

  it("sends a repeated query parameter that the document declares as a list", async () => {
    const folder = await folderWith({
      "shop.json": collection([request("List", "GET", "https://api.shop.example/v1/orders?ids=1&ids=2")]),
      "openapi.json": document,
    })
    const { result } = await importInto(folder, ["shop.json", "--document", "openapi.json"])
    expect(result).toMatchObject({ operations: 1, losses: [] })
    const api = await startApi({ "*": { body: [] } })
    await callsheet(["run", "my-shop", "--var", `my-shop.baseUrl=${api.url}`], { folder })
    await api.close()
    expect(api.requests.map(({ url }) => url)).toEqual(["/orders?ids=1&ids=2"])
  })

  it("keeps what looks like a placeholder but isn't one, and copies files that the user allows", async () => {
    const folder = await folderWith({
      "in/shop.json": collection(
        [
          request("Render", "POST", "{{url}}/render", {
            body: { mode: "raw", raw: "{{#each x}} \\{{name}} {{{raw}}}" },
            header: [{ key: "Content-Type", value: "text/plain" }],
          }),
          request("Upload", "POST", "{{url}}/upload", {
            body: {
              mode: "formdata",
              formdata: [
                { key: "file", type: "file", src: "data/a b.txt" },
                { key: "n", value: "1" },
              ],
            },
          }),
          request("Form", "POST", "{{url}}/form", {
            body: {
              mode: "urlencoded",
              urlencoded: [
                { key: "a", value: "1" },
                { key: "a", value: "2" },
              ],
            },
          }),
          request("Graph", "POST", "{{url}}/graph", {
            body: { mode: "graphql", graphql: { query: "{ me }", variables: '{"id": {{id}}}' } },
          }),
        ],
        {
          variable: [
            { key: "name", value: "Ada" },
            { key: "raw", value: "R" },
            { key: "id", value: "5" },
          ],
        },
      ),
      "in/data/a b.txt": "content of the file",
    })
    expect((await importInto(folder, ["in/shop.json", "--files", "in/data"])).result?.losses).toEqual([])
    const api = await startApi({ "*": { body: {} } })
    const ran = await callsheet(["run", "my-shop", "--var", `my-shop.baseUrl=${api.url}`], { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    const [render, upload, form, graph] = api.requests
    expect(render?.text).toBe("{{#each x}} \\Ada { R}")
    expect(upload?.text).toContain("content of the file")
    expect(form?.text).toBe("a=1&a=2")
    expect(graph?.json).toEqual({ query: "{ me }", variables: { id: 5 } })
  })
})

describe("callsheet import", () => {
  const deep = (depth: number): string =>
    `{"info": {"name": "x"}, "item": ${'[{"name": "f", "item": '.repeat(depth)}[]${"}]".repeat(depth)}}`

  it.each<readonly [string, string]>([
    ["not JSON", "hello"],
    ["cut off", '{"info": {"name": "x"}, "item": ['],
    ["something else", '{"a": 1}'],
    ["Postman version 1", '{"id": "1", "name": "x", "order": ["a"], "requests": []}'],
    ["a million nested folders", deep(1_000_000)],
    ["only an environment", '{"name": "x", "values": [], "_postman_variable_scope": "environment"}'],
    ["not UTF-8", "\u0000"],
  ])("refuses %s: names the file and writes nothing", async (_, text) => {
    const folder = await folderWith({ "bad.json": text })
    const { exitCode, stdout, stderr } = await importInto(folder, ["bad.json"])
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("bad.json")
    expect(stderr).not.toContain("bug")
    expect(Object.keys(await textsIn(folder))).toEqual(["bad.json"])
  })

  it("accepts a collection without requests", async () => {
    const folder = await folderWith({ "shop.json": collection([]) })
    const { exitCode, result } = await importInto(folder, ["shop.json"])
    expect([exitCode, result?.requests, result?.losses]).toEqual([0, 0, []])
  })

  it("keeps hostile names inside the project", async () => {
    const names = [
      "../../escape",
      "__proto__",
      "constructor",
      "CON",
      "a\u001b[31mb",
      "x".repeat(500),
      "…",
      "../../escape",
    ]
    const text = JSON.stringify(
      collection(
        names.map((name) => ({
          name,
          item: [
            request(name, "POST", "https://a.example/{{__proto__}}", {
              body: jsonBody('{"__proto__": {"a": 1}, "constructor": 2}'),
              header: [{ key: "__proto__", value: "h" }],
            }),
          ],
        })),
        {
          variable: [
            { key: "__proto__", value: "v" },
            { key: "constructor", value: "w" },
          ],
        },
      ),
    )
    const folder = await folderWith({ "in/shop.json": text })
    const { result, stderr } = await importInto(folder, ["in/shop.json", "--into", "in/project"])
    expect(stderr).toBe("")
    expect(result?.requests).toBe(names.length)
    const files = Object.keys(await textsIn(folder))
    expect(files.filter((file) => !file.startsWith("in/"))).toEqual([])
    expect(
      (await callsheet(["validate", "--project", "in/project", "--quiet"], { folder })).stdout,
    ).not.toContain("error")
  })

  it("reads no file through a link that leads out of the collection's directory", async () => {
    const { symlink } = await import("node:fs/promises")
    const folder = await folderWith({
      "outside.txt": "outside-content",
      "in/shop.json": collection([
        request("Upload", "POST", "https://a.example/upload", {
          body: { mode: "file", file: { src: "link.txt" } },
        }),
      ]),
    })
    await symlink("../outside.txt", `${folder}/in/link.txt`)
    const { result } = await importInto(folder, ["in/shop.json", "--into", "project", "--files", "in"])
    expect(result?.losses.map(({ what }) => what)).toEqual(["file link.txt"])
    expect(Object.values(await textsIn(`${folder}/project`)).join("")).not.toContain("outside-content")
  })

  it("joins the files of a split document", async () => {
    const orders = { get: operation("listOrders") }
    const folder = await folderWith({
      "shop.json": collection([request("List", "GET", "https://api.shop.example/v1/orders")]),
      "docs/openapi.json": { ...document, paths: { "/orders": { $ref: "paths/orders.json#/item" } } },
      "docs/paths/orders.json": {
        item: { ...orders, parameters: [{ $ref: "#/limit" }] },
        limit: { $ref: "../limit.json" },
      },
      "docs/limit.json": { name: "limit", in: "query", schema: { type: "integer" } },
    })
    const { result } = await importInto(folder, [
      "shop.json",
      "--document",
      "docs/openapi.json",
      "--api",
      "shop",
    ])
    expect(result).toMatchObject({ operations: 1 })
    expect(await validated(folder)).toEqual([])
    const listed = await callsheet(["list", "operations", "--json"], { folder })
    expect(listed.stdout).toContain('"listOrders"')
    expect((await textsIn(folder))["apis/shop/openapi.json"]).not.toContain("limit.json")
  })

  it("applies settings of folders, and keeps an account in the base URL secret", async () => {
    const moved = request("Moved", "GET", "{{baseUrl}}/moved")
    const folder = await folderWith({
      "shop.json": {
        ...collection([{ name: "Folder", protocolProfileBehavior: { strictSSL: false }, item: [moved] }]),
        protocolProfileBehavior: { followRedirects: false },
        variable: [{ key: "baseUrl", value: "http://ada:pass-12345678@127.0.0.1:1/v1" }],
      },
    })
    const { result } = await importInto(folder, ["shop.json"])
    expect(result?.losses).toMatchObject([{ where: "shop.json: Folder / Moved", what: "setting strictSSL" }])
    const files = Object.entries(await textsIn(folder)).filter(([file]) => file.startsWith("apis/"))
    expect(files.filter(([file]) => file.includes("/requests/"))[0]?.[1]).toContain(
      '"followRedirects": false',
    )
    const secret = files.filter(([, text]) => text.includes("pass-12345678")).map(([file]) => file)
    expect(secret).toEqual([expect.stringMatching(/\.secrets\.env$/)])
    expect(await validated(folder)).toEqual([])
    expect((await importInto(folder, ["shop.json"])).result?.files).toEqual([])
  })
})
