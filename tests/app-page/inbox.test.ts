// The inbox in the app: added to a project, and the messages that a run has received.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { json, read, shopDocument, subscribe, workflow } from "../inbox/inbox-project.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace, startEditProject, type EditProject } from "./edit-project.ts"

describe.runIf(hasBrowser)("the inbox", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let project: EditProject
  beforeAll(async () => {
    api = await startApi({
      "POST /subscriptions": async ({ json: body }) => {
        const { url } = body as { url: string }
        await fetch(url, json({ id: 7, state: "paid" }))
        await fetch(url, json({ id: 8, state: "lost" }))
        return { status: 201 }
      },
    })
    project = await startEditProject({
      "apis/shop/openapi.json": shopDocument,
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { level: "local", baseUrl: api.url },
      "apis/workflow/paid.json": workflow(subscribe("/onPaid"), read("arrived", { path: "/onPaid" })),
    })
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })

  it("is added by one button, and a run shows its address and its messages with their verdicts", async () => {
    const page = await open(await project.link())
    await page.getByRole("button", { name: "Add an inbox" }).click()
    await page.getByRole("heading", { level: 1, name: "inbox" }).waitFor()
    expect(await project.callsheet(["validate"])).toMatchObject({ exitCode: 0 })
    await showPlace(page, "#/")
    await page.getByRole("heading", { name: "APIs" }).waitFor()
    await expect.poll(() => page.getByRole("button", { name: "Add an inbox" }).count()).toBe(0)

    await showPlace(page, "#/workflows/paid")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    const report = page.getByRole("region", { name: "Report of the run" })
    await report.getByText(/^inbox at http:\/\/127\.0\.0\.1:\d+\/\*\*\*$/).waitFor()
    await report.getByText("2 messages in the inbox").waitFor()
    const live = report.getByRole("listbox", { name: "Messages" }).getByRole("option")
    await expect
      .poll(() => live.allTextContents())
      .toEqual([
        '0POST /onPaid {"id":7,"state":"paid"}matches',
        '1POST /onPaid {"id":8,"state":"lost"}violates',
      ])
    await report.getByRole("treeitem").filter({ hasText: "arrived" }).click()
    const response = page.getByRole("region", { name: "Response" })
    await response.getByText("2 messages").waitFor()
    const options = response.getByRole("listbox", { name: "Messages" }).getByRole("option")
    await expect
      .poll(() => options.allTextContents())
      .toEqual([
        '0POST /onPaid {"id":7,"state":"paid"}matches',
        '1POST /onPaid {"id":8,"state":"lost"}violates',
      ])
    await response.getByRole("list", { name: "Contract violations" }).getByText("/body/state").waitFor()
    const message = response.getByRole("group", { name: "message" })
    await message.locator(".cm-lintRange-error", { hasText: '"lost"' }).waitFor()
    await options.first().click()
    await message.getByText('"paid"').waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("has its port and its address as defaults in callsheet.json", async () => {
    await project.write(
      "callsheet.json",
      '{ "version": 1, "defaults": { "inboxUrl": "https://hook.example/x/" } }',
    )
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await showPlace(page, "#/workflows/paid")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("inbox at https://hook.example/x/***", { exact: true }).waitFor()

    // The fields of the run bar win.
    await page.getByRole("textbox", { name: "inbox port" }).fill("x")
    await page.getByRole("textbox", { name: "inbox URL" }).fill("https://other.example/y")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("This must be a port from 1 to 65535.").waitFor()
    await page.getByRole("textbox", { name: "inbox port" }).fill("")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("inbox at https://other.example/y/***", { exact: true }).waitFor()
  })
})
