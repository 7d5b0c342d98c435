// Somebody with an API and an empty directory: to a first green request in the page, without a terminal.

import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startInEmptyFolder } from "./empty-folder.ts"

const document = (url: string) => `openapi: 3.1.0
info: { title: Parcel tracker, version: "1" }
servers: [{ url: "${url}", description: local }]
paths:
  /parcels/{id}:
    get: { operationId: getParcel, responses: { "200": { description: Found. } } }
  /parcels:
    get: { operationId: listParcels, responses: { "200": { description: All of them. } } }
`

const secret = "kettle-lantern-4711"

const collection = (url: string) => ({
  info: {
    name: "Parcels",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  variable: [{ key: "apiKey", value: secret }],
  item: [
    {
      name: "List parcels",
      request: {
        method: "GET",
        header: [{ key: "X-Api-Key", value: "{{apiKey}}" }],
        url: `${url}/parcels`,
      },
    },
    {
      name: "Send label",
      request: {
        method: "POST",
        url: `${url}/labels`,
        body: { mode: "formdata", formdata: [{ key: "file", type: "file", src: "/etc/hostname" }] },
      },
    },
  ],
})

describe.runIf(hasBrowser)("the first minute in an empty directory", () => {
  const { open } = useBrowser()

  const begin = async () => {
    const api = await startApi({
      "GET /parcels": ({ headers }) => ({ body: { parcels: [], key: headers["x-api-key"] ?? "none" } }),
    })
    onTestFinished(api.close)
    const { folder, command } = await startInEmptyFolder()
    const page = await open(command.link, { expected: /api\/(?:imports\.plan|operations\.read)/ })
    const way = (name: string): Locator => page.getByRole("main").getByRole("button", { name })
    const inDialog = (name: string): Locator =>
      page.getByRole("dialog").getByRole("button", { name, exact: true })
    return { api, folder, command, page, way, inDialog, validate: () => callsheet(["validate"], { folder }) }
  }

  const sendGreen = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByText("answered with 200").waitFor()
  }

  it("adds a pasted OpenAPI document, and sends its first operation", async () => {
    const { api, folder, command, page, way, inDialog, validate } = await begin()
    expect(command.stderr()).toContain("callsheet init")
    await page.getByText("Start with an API").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
    await way("Add an OpenAPI document").click()
    await inDialog("Preview").click()
    await page.getByText("Choose a file, enter a URL or paste text.").waitFor()
    await page.getByLabel("Or paste text").fill("just: text")
    await inDialog("Preview").click()
    await page.getByText("is not in a format that callsheet can import").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page
      .getByLabel("Or paste text")
      .fill("openapi: 3.1.0\ninfo:\n  title: Parcels: the tracker\npaths: {}\n")
    await inDialog("Preview").click()
    const alert = page.getByRole("dialog").getByRole("alert")
    await alert.getByText("pasted text", { exact: true }).waitFor()
    await expect.poll(() => alert.textContent()).toMatch(/needs quotes.*3:17/s)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.getByLabel("Or paste text").fill(document(api.url))
    await inDialog("Preview").click()
    await page.getByText("apis/parcel-tracker/openapi.yaml").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
    await inDialog("Add").click()
    await page.getByRole("heading", { level: 1, name: /listParcels/ }).waitFor()
    await sendGreen(page)
    expect(readFileSync(join(folder, "apis/parcel-tracker/openapi.yaml"), "utf8")).toBe(document(api.url))
    expect((await validate()).exitCode).toBe(0)
  })

  it("imports a Postman collection from a file, names what is lost, and sends its first request", async () => {
    const { api, folder, page, way, inDialog, validate } = await begin()
    await way("Import requests").click()
    const file = { name: "parcels.json", mimeType: "application/json" }
    const buffer = Buffer.from(JSON.stringify(collection(api.url)))
    await page.getByLabel("Files", { exact: true }).setInputFiles({ ...file, buffer })
    await inDialog("Preview").click()
    await page.getByText("2 requests of the API parcels: 2 saved requests, 1 workflow.").waitFor()
    const losses = page.getByRole("region", { name: "Not imported completely" })
    await expect.poll(() => losses.textContent()).toContain("parcels.json: Send label: file /etc/hostname")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await inDialog("Import").click()
    await page.getByRole("heading", { level: 1, name: /list-parcels/ }).waitFor()
    await sendGreen(page)
    expect(api.requests[0]?.headers["x-api-key"]).toBe(secret)
    expect(await page.content()).not.toContain(secret)
    expect((await validate()).exitCode).toBe(0)
    // Importing other content into the same files needs a confirmation that names them.
    await page.keyboard.press("Control+k")
    await page.keyboard.type("import requests")
    await page.keyboard.press("Enter")
    await page.getByLabel("Or paste text").fill(JSON.stringify(collection("http://127.0.0.1:1")))
    await inDialog("Preview").click()
    const others = page.getByRole("region", { name: "Files to replace" })
    await others.getByText("apis/parcels/environments/default.json").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await inDialog("Import").click()
    await page.getByRole("alert").getByText("Confirm that the existing files are replaced").waitFor()
    const environment = (): string =>
      readFileSync(join(folder, "apis/parcels/environments/default.json"), "utf8")
    expect(environment()).toContain(api.url)
    await others.getByRole("checkbox", { name: /^Replace/ }).check()
    await inDialog("Import").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect(environment()).toContain("http://127.0.0.1:1")
    expect((await validate()).exitCode).toBe(0)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("import requests")
    await page.keyboard.press("Enter")
    const bruno = await createFolder({
      "depot/bruno.json": { version: "1", name: "Depot", type: "collection" },
      "depot/status.bru": `meta {\n  name: Status\n  type: http\n}\n\nget {\n  url: ${api.url}/parcels\n}\n`,
    })
    onTestFinished(() => rmSync(bruno, { recursive: true, force: true }))
    await page.getByLabel("Bruno collection", { exact: true }).setInputFiles(join(bruno, "depot"))
    await inDialog("Preview").click()
    await page.getByText("1 request of the API depot: 1 saved request, 1 workflow.").waitFor()
    await page.getByText("apis/depot/requests/depot/status.json").waitFor()
  })

  it("creates the sample project, and runs its servers until the app stops", async () => {
    const { folder, command, page, way, validate } = await begin()
    await way("Sample project").click()
    const runGreen = async (on: Page): Promise<void> => {
      await on.getByRole("heading", { level: 1, name: "checkout" }).waitFor()
      await on.getByRole("button", { name: "Run", exact: true }).click()
      await on.getByRole("tab", { name: "Runs" }).click()
      await on.locator("#run-report").getByText("passed", { exact: true }).first().waitFor()
    }
    await runGreen(page)
    await page.getByRole("link", { name: "Overview" }).click()
    const lastRun = page
      .getByRole("row", { name: /checkout/ })
      .getByRole("cell")
      .nth(2)
    await expect.poll(() => lastRun.textContent()).toMatch(/passed ?(?:just now|\d+ min ago)[\d.]+ m?s$/)
    expect(await axeFindingsInThemes(page)).toEqual([])
    expect(readdirSync(folder).sort()).toEqual([".gitignore", "README.md", "apis", "callsheet.json", "files"])
    expect((await validate()).exitCode).toBe(0)
    const { baseUrl } = JSON.parse(
      readFileSync(join(folder, "apis/shop/environments/base.json"), "utf8"),
    ) as { readonly baseUrl: string }
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:40[1-9]0$/)
    expect((await fetch(`${baseUrl}/products`)).status).toBe(200)
    await page.close()
    await command.end("SIGINT")
    await expect(fetch(`${baseUrl}/products`)).rejects.toThrow("fetch failed")
    // Another start of the app finds the sample, and runs its servers again.
    const again = await startCommand({ cwd: folder, env: {} })
    onTestFinished(async () => void (await again.end("SIGINT")))
    expect((await fetch(`${baseUrl}/products`)).status).toBe(200)
  })
})
