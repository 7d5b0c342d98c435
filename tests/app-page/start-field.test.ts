// The field of the start page: from a URL or a curl command to a response and a saved request, and from the address of an
// OpenAPI document to an API that can be updated.

import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startInEmptyFolder } from "./empty-folder.ts"

const secret = "lantern-4711-kettle-quiet"

const document = (path: string) => `openapi: 3.1.0
info: { title: Parcel tracker, version: "1" }
paths:
  ${path}:
    get: { operationId: list, responses: { "200": { description: All of them. } } }
`

describe.runIf(hasBrowser)("the field of the start page", () => {
  const { open } = useBrowser()

  const begin = async () => {
    const served = { path: "/parcels" }
    const api = await startApi({
      "GET /parcels": ({ headers }) => ({ body: { parcels: [], key: headers["authorization"] ?? "none" } }),
      "GET /latest/openapi.yaml": { status: 302, headers: { location: "/v2/openapi.yaml" } },
      "GET /v2/openapi.yaml": () => ({
        headers: { "content-type": "application/yaml" },
        body: document(served.path),
      }),
      "GET /docs/openapi.json": { headers: { "content-type": "text/html" }, body: "<p>Docs</p>" },
      "GET /spec": () => ({ body: { openapi: "3.1.0", info: { title: "Spec", version: "1" }, paths: {} } }),
    })
    onTestFinished(api.close)
    const { folder, command } = await startInEmptyFolder()
    const page = await open(command.link, {
      expected: /api\/(?:imports\.\w+|requests\.try|operations\.read)/,
    })
    const field = page.getByLabel("URL, curl command, or address of an OpenAPI document")
    await field.waitFor()
    const button = (name: string): Locator => page.getByRole("button", { name, exact: true })
    return {
      api,
      served,
      folder,
      page,
      field,
      button,
      inDialog: (name: string): Locator =>
        page.getByRole("dialog").getByRole("button", { name, exact: true }),
      paste: async (text: string): Promise<void> => {
        await field.fill("")
        await field.focus()
        await page.keyboard.insertText(text)
      },
      read: (path: string): string => readFileSync(join(folder, path), "utf8"),
      files: (): readonly string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted(),
    }
  }

  it("sends a URL by Enter, writes nothing, and saves the request with its response", async () => {
    const { api, page, field, button, inDialog, paste, read, files, folder } = await begin()
    await paste(api.url.replace("http://", "") + "/parcels?state=open")
    await page.keyboard.press("Enter")
    const sent = page.getByRole("region", { name: "Sent request" })
    await sent.getByText('"none"').waitFor()
    expect(api.requests.map(({ url }) => url)).toEqual(["/parcels?state=open"])
    expect(files()).toEqual([])
    expect(await axeFindingsInThemes(page)).toEqual([])
    await button("Save request…").click()
    const name = page.getByRole("dialog").getByLabel("Name")
    await expect.poll(() => name.inputValue()).toBe("get-parcels")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.getByRole("dialog").getByLabel("API").fill("Parcels!")
    await inDialog("Save").click()
    await page.getByText("The name of an API has lowercase letters").waitFor()
    expect(files()).toEqual([])
    await page.getByRole("dialog").getByLabel("API").fill("parcels")
    await name.fill("open parcels")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: /open-parcels/ }).waitFor()
    await page.getByRole("region", { name: "Sent request" }).getByText('"none"').waitFor()
    expect(JSON.parse(read("apis/parcels/requests/parcels/open-parcels.json"))).toEqual({
      version: 1,
      method: "GET",
      path: "/parcels",
      params: { query: { state: "open" } },
    })
    expect(JSON.parse(read("apis/parcels/environments/local.json"))).toEqual({ baseUrl: api.url })
    expect(files().filter((file) => file.includes("workflow"))).toEqual([])
    await button("Send").click()
    await expect.poll(() => api.requests.length).toBe(2)
    expect((await callsheet(["validate"], { folder })).exitCode).toBe(0)
    // The field is still there for the next request, which joins the API and its environment.
    await page.keyboard.press("Control+k")
    await page.keyboard.insertText("send a url")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Send a URL" }).waitFor()
    await field.waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await paste(`${api.url}/spec`)
    await button("Send").click()
    await button("Add this OpenAPI document…").waitFor()
    await button("Save request…").click()
    await expect.poll(() => name.inputValue()).toBe("get-spec")
    await page.getByRole("dialog").getByLabel("API").fill("parcels")
    await inDialog("Save").click()
    await page.getByRole("heading", { level: 1, name: /get-spec/ }).waitFor()
    expect(readdirSync(join(folder, "apis/parcels/environments")).toSorted()).toEqual([
      "local.json",
      "schema.json",
    ])
  })

  it("sends a curl command of several lines, and keeps its token out of the tracked files", async () => {
    const { api, page, button, inDialog, paste, folder } = await begin()
    execFileSync("git", ["init", "--quiet"], { cwd: folder })
    await paste(`curl '${api.url}/parcels' \\\n  -H 'Authorization: Bearer ${secret}' \\\n  --digest`)
    await button("Send").click()
    await page.getByRole("list", { name: "Not sent as in the command" }).getByText("digest").waitFor()
    const sent = page.getByRole("region", { name: "Sent request" })
    await sent.getByText("parcels").first().waitFor()
    expect(api.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    await expect.poll(() => sent.textContent()).not.toContain(secret)
    await button("Save request…").click()
    await page.getByRole("list", { name: "Files" }).getByText(".secrets.env").waitFor()
    await inDialog("Save").click()
    await page.getByRole("heading", { level: 1, name: /get-parcels/ }).waitFor()
    await button("Send").click()
    await expect.poll(() => api.requests.length).toBe(2)
    expect(api.requests[1]?.headers.authorization).toBe(`Bearer ${secret}`)
    execFileSync("git", ["add", "--all"], { cwd: folder })
    const tracked = execFileSync("git", ["ls-files"], { cwd: folder, encoding: "utf8" }).trim().split("\n")
    expect(tracked.some((file) => file.endsWith(".json"))).toBe(true)
    expect(tracked.filter((file) => readFileSync(join(folder, file), "utf8").includes(secret))).toEqual([])
    expect(await page.content()).not.toContain(secret)
  })

  it("adds an API from the address of its document, and updates it after a look at the difference", async () => {
    const { api, served, page, button, inDialog, paste, read, files } = await begin()
    await paste(`${api.url}/latest/openapi.yaml`)
    await button("Fetch document").click()
    await page.getByRole("dialog").getByText(`302 to ${api.url}/v2/openapi.yaml`).waitFor()
    await page.getByText("apis/parcel-tracker/openapi.yaml").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.getByLabel("Name of the API").fill("parcels")
    await page.keyboard.press("Enter")
    await page.getByText("apis/parcels/openapi.yaml").waitFor()
    expect(files()).toEqual([])
    await inDialog("Add").click()
    await page.getByRole("heading", { level: 1, name: /list/ }).waitFor()
    expect(JSON.parse(read("callsheet.json"))).toEqual({
      version: 1,
      sources: { parcels: `${api.url}/latest/openapi.yaml` },
    })
    for (const { headers } of api.requests) {
      expect(headers).not.toHaveProperty("authorization")
      expect(headers).not.toHaveProperty("cookie")
    }
    await page.evaluate(() => window.location.assign("#/apis/parcels"))
    const update = async (): Promise<void> => {
      await button("Update from source…").click()
      await inDialog("Review changes").click()
    }
    await update()
    await page.getByText("Nothing changes.").waitFor()
    await inDialog("Close").click()
    served.path = "/boxes"
    await update()
    await page.getByText("Adds 1 operation: GET /boxes.").waitFor()
    await page.getByText("Removes 1 operation: GET /parcels.").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    expect(read("apis/parcels/openapi.yaml")).toBe(document("/parcels"))
    await inDialog("Update in 1 file").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect(read("apis/parcels/openapi.yaml")).toBe(document("/boxes"))
  })

  it("says what is wrong with an address or a text", async () => {
    const { api, page, button, inDialog, paste, files } = await begin()
    await paste("hello there")
    await page.keyboard.press("Enter")
    await page.getByText("expected one URL or one curl command").waitFor()
    await paste(`${api.url}/docs/openapi.json`)
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("answered with an HTML page").waitFor()
    await inDialog("Cancel").click()
    await paste("https://ann:pass@127.0.0.1/openapi.json")
    await button("Fetch document").click()
    await page.getByRole("alert").getByText("contains a name or password").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await inDialog("Cancel").click()
    await paste(`${api.url}/gone`)
    await button("Fetch it as an OpenAPI document").click()
    await page.getByRole("alert").getByText("answered with 404").waitFor()
    expect(files()).toEqual([])
  })
})
