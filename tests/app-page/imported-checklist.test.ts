// What is left to do after an import: the page lists it, runs the workflows, and leads to each place.

import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { splitCollection } from "../import/split-collection.ts"
import { hasBrowser } from "./chromium.ts"
import { startInEmptyFolder } from "./empty-folder.ts"

const item = (url: string, name: string, test?: string) => ({
  name,
  request: { method: "GET", url: `${url}/${name}` },
  ...(test === undefined ? {} : { event: [{ listen: "test", script: { exec: [test] } }] }),
})

const collection = (url: string) => ({
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [item(url, "orders", "weird(pm)"), item(url, "health")],
})

const ok = { 200: { description: "OK", content: { "application/json": { schema: { required: ["id"] } } } } }

const document = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url }],
  paths: { "/orders": { get: { responses: ok } }, "/health": { get: { responses: ok } } },
})

const jsonFile = (name: string, value: object) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(value)),
})

describe.runIf(hasBrowser)("the checklist after an import", () => {
  const { open } = useBrowser()

  /** Opens the page of an empty directory, and imports files. */
  const importFiles = async (...files: readonly (readonly [label: string, object])[]) => {
    const { command } = await startInEmptyFolder()
    const page = await open(command.link, { expected: /api\// })
    await page.getByRole("main").getByRole("button", { name: "Import requests" }).click()
    const dialog = page.getByRole("dialog")
    for (const [index, [label, value]] of files.entries())
      await dialog.getByLabel(label, { exact: true }).setInputFiles(jsonFile(`${index}.json`, value))
    await dialog.getByRole("button", { name: "Preview", exact: true }).click()
    await dialog.getByRole("button", { name: "Import", exact: true }).click()
    const list = page.getByRole("region", { name: "After the import" })
    return { page, dialog, list, says: () => list.getByRole("status").textContent() }
  }

  it("runs the workflows, says how requests were answered, and leads to what is left", async () => {
    const api = await startApi({ "GET /orders": { body: {} }, "GET /health": { status: 500, body: {} } })
    onTestFinished(api.close)
    const { page, dialog, list, says } = await importFiles(["Files", collection(api.url)])
    await list.getByRole("button", { name: "Run 1 workflow" }).click()
    // Scripts of others run only after a question.
    await dialog.getByRole("button", { name: "I trust it, run" }).click()
    const answered = "1 of 2 requests answered with a status below 400; no document describes them"
    await expect.poll(says).toBe(`${answered}; 1 script to finish`)
    expect(api.requests.map(({ url }) => url)).toEqual(["/orders", "/health"])
    expect(await axeFindingsInThemes(page)).toEqual([])
    await expect
      .poll(() => list.getByRole("list", { name: "Requests and blocks to look at" }).textContent())
      .toMatch(/^shop.*answered 500$/)
    await list.getByRole("link", { name: "health" }).click()
    await page.getByRole("treeitem", { name: /health/, selected: true }).waitFor()
    await list.getByRole("link", { name: /^apis\/workflow\/scripts\/shop\// }).click()
    await page.getByText("ctx.untranslated()").first().waitFor()
    await list.getByRole("button", { name: "Close" }).click()
    await expect.poll(() => list.count()).toBe(0)
  })

  it("goes on after a failure, and checks what the document says, as the command does", async () => {
    const api = await startApi({ "GET /orders": { body: {} }, "GET /health": { body: { id: 1 } } })
    onTestFinished(api.close)
    const { list, says } = await importFiles(
      ["Files", { ...collection(api.url), item: [item(api.url, "orders"), item(api.url, "health")] }],
      ["OpenAPI document of these requests (optional)", document(api.url)],
    )
    await list.getByRole("button", { name: "Run 1 workflow" }).click()
    await expect.poll(says).toBe("1 of 2 requests answered as documented")
    expect(api.requests.map(({ url }) => url)).toEqual(["/orders", "/health"])
  })

  it("runs a split collection as its suite, which passes the values", async () => {
    const api = await startApi({ "GET /login": { body: { token: "tok-123456" } }, "*": { body: {} } })
    onTestFinished(api.close)
    const { list, says } = await importFiles(["Files", splitCollection({ url: api.url, perFolder: 40 })])
    await list.getByRole("button", { name: "Run 1 suite" }).click()
    const answered = "81 of 81 requests answered with a status below 400; no document describes them"
    await expect.poll(says).toBe(answered)
    expect(api.requests.map(({ url }) => url).slice(40, 43)).toEqual(["/first/39", "/second/0", "/second/1"])
    expect(new Set(api.requests.slice(1).map(({ headers }) => headers["x-token"]))).toEqual(
      new Set(["tok-123456"]),
    )
  })

  it("leads to the environment if one has to be chosen first", async () => {
    const api = await startApi({ "*": { body: {} } })
    onTestFinished(api.close)
    const urls = { key: "url", value: api.url, enabled: true }
    const environment = (name: string) => ({ name, values: [urls], _postman_variable_scope: "environment" })
    const { page, list, says } = await importFiles(
      ["Files", { ...collection("{{url}}"), item: [item("{{url}}", "orders")] }],
      ["Files", environment("Local")],
      ["Files", environment("Test")],
    )
    await list.getByRole("button", { name: "Run 1 workflow" }).click()
    await expect.poll(says).toBe("Choose an environment at the top right, then run again.")
    const choice = page.getByLabel("Environment", { exact: true })
    await expect.poll(() => choice.evaluate((element) => element.matches(":focus"))).toBe(true)
    await choice.selectOption("local")
    await list.getByRole("button", { name: "Run 1 workflow" }).click()
    await expect.poll(says).toContain("1 of 1 request answered")
  })
})
