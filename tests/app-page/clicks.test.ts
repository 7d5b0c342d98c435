// Counts the clicks and keys of three jobs, as a user does them who knows the page: each has a goal.

import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { startApi } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"

describe.runIf(hasBrowser)("a user who knows the page", () => {
  const { open } = useBrowser()

  const begin = async (
    routes: Parameters<typeof startApi>[0],
    files: (url: string) => Parameters<typeof createFolder>[0] = () => ({}),
  ) => {
    const api = await startApi(routes)
    const [folder, home] = [await createFolder(files(api.url)), await createFolder()]
    const command = await startCommand({
      cwd: folder,
      env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
    })
    onTestFinished(async () => {
      await command.end("SIGINT")
      await api.close()
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    })
    const page = await open(command.link, { expected: /api\/operations\.read/ })
    const read = (path: string): string => readFileSync(join(folder, path), "utf8")
    return { api, page, hand: createHand(page), read }
  }

  it("saves a first assertion and sees it pass, in 8 clicks from an empty directory with a document", async () => {
    const { api, page, hand, read } = await begin({
      "GET /parcels": { body: { parcels: [], total: 0 } },
    })
    await hand.click(page.getByRole("main").getByRole("button", { name: "Add an OpenAPI document" }))
    await hand.click(page.getByLabel("Or paste text"))
    await hand.paste(document(api.url))
    await hand.click(page.getByRole("button", { name: "Preview" }))
    await hand.click(page.getByRole("button", { name: "Add", exact: true }))
    await hand.click(page.getByRole("button", { name: "Send", exact: true }))
    await hand.click(page.getByRole("button", { name: "Add 1 assertion" }))
    await hand.click(page.getByRole("button", { name: "Run", exact: true }))
    await outcome(page, "passed")
    const { validateContracts, blocks } = JSON.parse(read("apis/workflow/listParcels.json")) as Written
    expect(validateContracts).toBe(true)
    expect(blocks.at(-1)?.assertions).toEqual([
      { source: "listParcels.response.status", operator: "equals", value: 200 },
    ])
    hand.report("a first assertion", { clicks: 8, keys: 10 })
  })

  it("imports a Postman collection and sees it pass, in 8 clicks", async () => {
    const { api, page, hand, read } = await begin({
      "GET /parcels": { body: { parcels: [] } },
      "POST /parcels": { status: 201, body: { id: "p1" } },
    })
    await hand.click(page.getByRole("main").getByRole("button", { name: "Import requests" }))
    await hand.click(page.getByLabel("Or paste text"))
    await hand.paste(JSON.stringify(collection(api.url)))
    await hand.click(page.getByRole("button", { name: "Preview" }))
    await hand.click(page.getByRole("button", { name: "Import", exact: true }))
    await hand.click(page.getByRole("treeitem", { name: "parcels", exact: true }).first())
    await hand.click(page.getByRole("button", { name: "Run", exact: true }))
    await outcome(page, "passed")
    expect(api.requests.map(({ method }) => method)).toEqual(["GET", "POST"])
    const { blocks } = JSON.parse(read("apis/workflow/parcels.json")) as Written
    expect(JSON.stringify(blocks)).toContain('"value":201')
    hand.report("a Postman collection", { clicks: 8, keys: 1 })
  })

  it("builds a workflow of eight blocks that passes, in 25 clicks", async () => {
    const { page, hand, read } = await begin(
      {
        "POST /greetings": { status: 201, body: { id: "g1", text: "Hello, Grace" } },
        "GET /greetings/g1": { body: { id: "g1", text: "Hello, Grace" } },
      },
      greetings,
    )
    const operation = (path: string): Locator => page.getByRole("treeitem", { name: path })
    const item = (name: string): Locator =>
      page.getByRole("menuitem").filter({ has: page.getByText(name, { exact: true }) })
    const line = (): Locator =>
      page.getByRole("group", { name: "response body" }).getByText('"id"', { exact: true })
    const addBlock = async (kind: string): Promise<void> => {
      await hand.click(page.getByRole("button", { name: "Add a block" }))
      await hand.click(item(kind))
    }
    // The request with its body, and the assertion on its status.
    await hand.click(operation("POST /greetings"))
    await hand.click(page.getByRole("main").getByLabel("body name", { exact: true }))
    await hand.type("Grace")
    await hand.click(page.getByRole("button", { name: "Send", exact: true }))
    await hand.click(page.getByRole("button", { name: "Add 1 assertion" }))
    // Its id becomes an output and a condition.
    await hand.click(page.getByRole("button", { name: "Run", exact: true }))
    await hand.click(line(), "right")
    await hand.click(item("Save as transform"))
    await hand.click(block(page, "createGreeting"))
    await hand.click(line(), "right")
    await hand.click(item("Branch on it (condition)"))
    // In the condition, a group with a script.
    await hand.click(block(page, "then"))
    await addBlock("group")
    await addBlock("script")
    await hand.click(page.getByRole("button", { name: "New script…" }))
    await hand.click(page.getByRole("dialog").getByRole("button", { name: "Create" }))
    // After the output, a loop with the other request.
    await hand.click(block(page, "createGreeting-values"))
    await addBlock("loop")
    await addBlock("request")
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    await hand.type("getG")
    await hand.press("Enter")
    await hand.click(page.getByRole("main").getByLabel("path id", { exact: true }))
    await hand.type("{{createGreeting-values.id}}")
    await hand.click(page.getByRole("button", { name: "Run", exact: true }))
    await outcome(page, "passed")
    await page.locator(".bench-status").getByText("9 passed").waitFor()
    const { blocks } = JSON.parse(read("apis/workflow/createGreeting.json")) as Written
    expect(blocks.map(({ type }) => type)).toEqual(["request", "assert", "transform", "loop", "condition"])
    hand.report("a workflow of eight blocks", { clicks: 25, keys: 60 })
  })
})

const block = (page: Page, id: string): Locator =>
  page.getByRole("tree", { name: "Blocks" }).getByText(id, { exact: true })

const outcome = (page: Page, words: string): Promise<void> =>
  page.locator(".bench-status").getByText(words, { exact: true }).first().waitFor()

interface Written {
  readonly validateContracts?: boolean
  readonly blocks: readonly { readonly type: string; readonly assertions?: unknown }[]
}

const document = (url: string) => `openapi: 3.1.0
info: { title: Parcel tracker, version: "1" }
servers: [{ url: "${url}", description: local }]
paths:
  /parcels:
    get: { operationId: listParcels, responses: { "200": { description: All of them. } } }
`

const collection = (url: string) => {
  const test = (status: number) => ({
    listen: "test",
    script: { exec: [`pm.test("status", () => { pm.response.to.have.status(${status}) })`] },
  })
  return {
    info: {
      name: "Parcels",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: [
      {
        name: "List parcels",
        event: [test(200)],
        request: { method: "GET", url: `${url}/parcels` },
      },
      {
        name: "Create a parcel",
        event: [test(201)],
        request: { method: "POST", url: `${url}/parcels`, body: { mode: "raw", raw: '{"to":"Ada"}' } },
      },
    ],
  }
}

const greetings = (url: string) => ({
  "apis/example/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Greetings", version: "1" },
    paths: {
      "/greetings": {
        post: {
          operationId: "createGreeting",
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
              },
            },
          },
          responses: { "201": { description: "Created." } },
        },
      },
      "/greetings/{id}": {
        get: {
          operationId: "getGreeting",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { "200": { description: "Found." } },
        },
      },
    },
  },
  "apis/example/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/example/environments/local.json": { level: "local", baseUrl: url },
})

/** Does what a hand does, and counts it. A choice in a list takes two clicks, and a file of the system's dialog three. */
function createHand(page: Page) {
  const used = { clicks: 0, keys: 0 }
  return {
    click: async (target: Locator, button: "left" | "right" = "left"): Promise<void> => {
      await target.click({ button })
      used.clicks++
    },
    press: async (key: string): Promise<void> => {
      await page.keyboard.press(key)
      used.keys++
    },
    type: async (text: string): Promise<void> => {
      await page.keyboard.insertText(text)
      used.keys += text.length
    },
    paste: async (text: string): Promise<void> => {
      await page.keyboard.insertText(text)
      used.keys++
    },
    report: (job: string, goal: typeof used): void => {
      process.stdout.write(`${job}: ${used.clicks} clicks and ${used.keys} keys\n`)
      expect(used.clicks).toBeLessThanOrEqual(goal.clicks)
      expect(used.keys).toBeLessThanOrEqual(goal.keys)
    },
  }
}
