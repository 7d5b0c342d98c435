// The commands of a project in a real VS Code: new workflow, import, export, validate, and the app at a block.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openVscode, type VsCode } from "./open-vscode.ts"
import { change, lineOf } from "./project-files.ts"

const workflow = "apis/workflow/sessions.json"
const expectPoll = { timeout: 60_000, interval: 100 }

const postman = {
  info: {
    name: "Postman shop",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  item: [{ name: "health", request: { method: "GET", url: "http://127.0.0.1:1/health" } }],
}
const bruno = `meta {
  name: health
  type: http
  seq: 1
}

get {
  url: http://127.0.0.1:1/health
}
`

describe("commands", () => {
  let vscode: VsCode
  let outside: string
  beforeAll(async () => {
    vscode = await openVscode({ isTrusted: true })
    outside = join(vscode.folder, "..")
    writeFileSync(join(outside, "shop.postman_collection.json"), JSON.stringify(postman))
    mkdirSync(join(outside, "bruno"))
    writeFileSync(
      join(outside, "bruno/bruno.json"),
      JSON.stringify({ version: "1", name: "Bruno shop", type: "collection" }),
    )
    writeFileSync(join(outside, "bruno/health.bru"), bruno)
    await vscode.test("sessions")
  })
  afterAll(() => vscode.close())
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await vscode.picture(`failed: ${task.name}`)
  })

  const toast = (message: string) =>
    vscode.page.locator(".notification-toast").filter({ hasText: message }).first()
  const activeTab = (name: string) => vscode.page.locator(".tab.active").filter({ hasText: name })

  it("creates a workflow with a valid name, and sorts it in", async () => {
    await vscode.command("callsheet: New Workflow")
    await vscode.input.fill("sessions")
    await vscode.page.getByText("A workflow has this name.").waitFor()
    await vscode.input.fill("brand-new")
    await vscode.input.press("Enter")
    await activeTab("brand-new.json").waitFor()
    const file = join(vscode.folder, "apis/workflow/brand-new.json")
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ version: 1, blocks: [] })
    await (await vscode.test("brand-new")).waitFor()
    const rows = await vscode.page.locator(".test-explorer .monaco-list-row").allInnerTexts()
    expect(rows[0]).toContain("brand-new")
    await vscode.picture("new-workflow")
  })

  it.each([
    ["a Postman file", "Files", "shop.postman_collection.json", "postman-shop.json"],
    ["a Bruno folder", "Folder", "bruno", "bruno-shop.json"],
  ])("imports %s, and opens its workflow", async (_, kind, source, opened) => {
    await vscode.command("callsheet: Import Requests")
    await vscode.choose("Import from", kind)
    await vscode.typePath("Import ", join(outside, source))
    // In the dialog for folders, Enter would open the folder.
    if (kind === "Files") await vscode.input.press("Enter")
    else await vscode.page.locator(".quick-input-widget").getByRole("button", { name: "Import" }).click()
    await activeTab(opened).waitFor()
    await toast("imported everything").waitFor()
    await expect.poll(() => vscode.text(), expectPoll).toContain('"health"')
    await vscode.picture(`import-${kind.toLowerCase()}`)
    await vscode.command("Notifications: Clear All Notifications")
  })

  it("exports the open workflow in the chosen environment, and opens the export", async () => {
    await vscode.command("callsheet: Choose Environment")
    await vscode.choose("Environment for runs", "local")
    await vscode.open("smoke.json")
    await vscode.command("callsheet: Export Workflow")
    await vscode.choose("Export to", "curl")
    await vscode.typePath("Export smoke", join(vscode.folder, "requests.sh"))
    await vscode.page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click()
    await activeTab("requests.sh").waitFor()
    await expect.poll(() => vscode.text(), expectPoll).toContain("#!/usr/bin/env bash")
    const exported = readFileSync(join(vscode.folder, "requests.sh"), "utf8")
    const local = readFileSync(join(vscode.folder, "apis/shop/environments/local.json"), "utf8")
    expect(exported).toContain((JSON.parse(local) as { baseUrl: string }).baseUrl)
    await vscode.picture("export")
    await vscode.command("Notifications: Clear All Notifications")
  })

  it("validates the project, and leads to the problems", async () => {
    await vscode.command("callsheet: Validate Project")
    await toast("no problems").waitFor()
    await vscode.picture("validated")
    await vscode.command("Notifications: Clear All Notifications")
    change(vscode.folder, "apis/workflow/smoke.json", [
      '"operation": "getHealth"',
      '"operation": "getHealthy"',
    ])
    await vscode.command("callsheet: Validate Project")
    await toast("validate found errors").getByRole("button", { name: "Show Problems" }).click()
    await expect
      .poll(() => vscode.page.locator(".markers-panel").innerText(), expectPoll)
      .toContain("operation-unknown")
    await vscode.picture("validate-errors")
  })

  it("links to the app at the block of the cursor", async () => {
    const context = vscode.page.context()
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    await vscode.open("sessions.json", lineOf(vscode.folder, workflow, '"id": "by-token"') + 3)
    await vscode.command("callsheet: Open in the App")
    // The proxy of code-server changes addresses, and the app answers only at its own.
    await toast("answers only at").getByRole("button", { name: "Copy Link" }).click()
    await vscode.picture("app-link")
    const copied = () => vscode.page.evaluate<string>("navigator.clipboard.readText()")
    await expect.poll(copied, expectPoll).toMatch(/\/workflows\/sessions\/blocks\/by-token$/)
    const app = await context.newPage()
    await app.goto(await copied())
    await app.getByText("by-token").first().waitFor()
    expect(app.url()).toContain("/workflows/sessions/blocks/by-token")
    await app.close()
  })
})
