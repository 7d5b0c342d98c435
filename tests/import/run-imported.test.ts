// `import --run`: runs what was imported, and says how the requests were answered and what is left to do.

import { describe, expect, it } from "vitest"
import { callsheet, readText } from "../harness/callsheet.ts"
import { startApi } from "../harness/api-server.ts"
import { folderWith } from "./import-into.ts"
import { splitCollection } from "./split-collection.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

const item = (url: string, path: string, test?: string): object => ({
  name: path,
  request: { method: "GET", url: `${url}/${path}`, header: [{ key: "X-Key", value: "{{apiKey}}" }] },
  ...(test === undefined ? {} : { event: [{ listen: "test", script: { exec: [test] } }] }),
})

const collection = (url: string): object => ({
  info: { name: "Shop", schema },
  variable: [{ key: "apiKey", value: "sk-live-0123456789", type: "secret" }],
  item: [
    item(url, "orders", "weird(pm)"),
    item(url, "broken"),
    item(url, "health", "pm.test('up', () => pm.response.to.have.status(204))"),
  ],
})

const ok = { 200: { description: "OK", content: { "application/json": { schema: { required: ["id"] } } } } }

const document = (url: string): object => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url }],
  paths: Object.fromEntries(
    ["/orders", "/broken", "/health"].map((path) => [path, { get: { responses: ok } }]),
  ),
})

/** `/broken` violates its contract, and the check of `/health` fails. */
const startShop = () =>
  startApi({
    "GET /orders": { body: { id: 1 } },
    "GET /broken": { body: {} },
    "GET /health": { body: { id: 2 } },
  })

describe("callsheet import --run", () => {
  it("says how many requests were answered as documented, and what is left to do", async () => {
    const api = await startShop()
    const folder = await folderWith({ "shop.json": collection(api.url), "openapi.json": document(api.url) })
    const words = ["import", "shop.json", "--document", "openapi.json", "--api", "shop", "--run"]
    const { stdout, exitCode } = await callsheet(words, { folder })
    await api.close()
    expect(stdout).toContain("contract-broken")
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^2 of 3 requests answered as documented; 1 other block failed; 1 script to finish: apis\/workflow\/scripts\/shop\/.+\.ts$/,
    )
    expect(exitCode).toBe(1)
    // A failed request doesn't keep the later ones from being sent, and no file says that contracts are checked.
    expect(api.requests.map(({ url }) => url)).toEqual(["/orders", "/broken", "/health"])
    expect(await readText(folder, "apis/workflow/shop.json")).not.toContain("validateContracts")
  })

  it("runs the parts of a large collection as their suite, in order and with the values that they pass", async () => {
    const api = await startApi({ "GET /login": { body: { token: "tok-123456" } }, "*": { body: {} } })
    const folder = await folderWith({ "shop.json": splitCollection({ url: api.url, perFolder: 40 }) })
    const { stdout } = await callsheet(["import", "shop.json", "--run"], { folder })
    await api.close()
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^81 of 81 requests answered/)
    expect(api.requests.map(({ url }) => url).slice(40, 43)).toEqual(["/first/39", "/second/0", "/second/1"])
    expect(new Set(api.requests.slice(1).map(({ headers }) => headers["x-token"]))).toEqual(
      new Set(["tok-123456"]),
    )
  })

  it("prints only the result as JSON, and no secret", async () => {
    const api = await startShop()
    const folder = await folderWith({ "shop.json": collection(api.url) })
    const { stdout, stderr } = await callsheet(["import", "shop.json", "--run", "--json"], { folder })
    await api.close()
    expect(JSON.parse(stdout)).toMatchObject({
      requests: 3,
      run: {
        requests: 3,
        answered: 3,
        undocumented: 3,
        otherFailures: 1,
        exitCode: 1,
        scripts: [expect.any(String)],
      },
    })
    expect(stderr).toContain("assertion-failed")
    expect(api.requests[0]?.headers["x-key"]).toBe("sk-live-0123456789")
    expect(stdout + stderr).not.toContain("sk-live-0123456789")
  })

  it("sends nothing to production without a confirmation", async () => {
    const api = await startShop()
    const folder = await folderWith({
      "shop.json": collection(api.url),
      "project/apis/shop/environments/prod.json": { level: "production", baseUrl: api.url },
      "project/apis/shop/environments/prod.secrets.env": "apiKey=sk-live-0123456789\n",
    })
    const words = [
      "import",
      "shop.json",
      "--into",
      "project",
      "--api",
      "shop",
      "--force",
      "--run",
      "--env",
      "prod",
    ]
    const { stdout, stderr, exitCode } = await callsheet(words, { folder })
    expect([exitCode, api.requests]).toEqual([2, []])
    expect(stderr).toContain("--yes")
    expect(stdout).toContain("no request was sent; 1 script to finish")
    await callsheet([...words, "--yes"], { folder })
    await api.close()
    expect(api.requests.length).toBe(3)
  })

  it("keeps the imported files if the run can't start", async () => {
    const folder = await folderWith({ "shop.json": collection("https://a.example") })
    const { stderr, exitCode } = await callsheet(["import", "shop.json", "--run", "--env", "nope"], {
      folder,
    })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no environment "nope"')])
    expect(await readText(folder, "apis/workflow/shop.json")).toBeDefined()
  })

  it.each([
    [["--env", "local"], "--env needs --run"],
    [["--yes"], "--yes needs --run"],
    [["--run", "--dry-run"], "--dry-run"],
    [["--run", "--env", "a", "--env", "b"], "--env"],
  ])("refuses %j before it writes", async (words, message) => {
    const folder = await folderWith({ "shop.json": collection("https://a.example") })
    const { stderr, exitCode } = await callsheet(["import", "shop.json", ...words], { folder })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(await readText(folder, "apis/workflow/shop.json")).toBeUndefined()
  })
})
