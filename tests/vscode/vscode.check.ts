// The extension in a real VS Code: problems, the Test Explorer and commands as a user sees them, and Restricted Mode.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { version } from "../package/packed.ts"
import { openVscode, type VsCode } from "./open-vscode.ts"
import { change } from "./project-files.ts"

const workflow = "apis/workflow/sessions.json"
const settingsOf = (folder: string): string => join(folder, ".vscode/settings.json")
const ownSchema = {
  fileMatch: ["/apis/workflow/*.json"],
  url: "./.vscode/callsheet/workflow.schema.json",
}
const otherSchema = { fileMatch: ["/mine.json"], url: "./mine.schema.json" }
const expectPoll = { timeout: 60_000, interval: 100 }

/** Misspells the first operation of a workflow. */
function misspell(folder: string): void {
  change(folder, "apis/workflow/smoke.json", ['"operation": "getHealth"', '"operation": "getHealthy"'])
  change(folder, "apis/workflow/smoke.json", ['"resource": "health"', '"resource": "Health"'])
}

/** Empties the text in quotes after a key, and returns what VS Code offers there. The file is then as before. */
async function completionsOf(vscode: VsCode, key: string): Promise<string> {
  const text = readFileSync(join(vscode.folder, "apis/workflow/smoke.json"), "utf8")
  const line = text.split("\n").findIndex((own) => own.includes(`"${key}": "`)) + 1
  await vscode.open("smoke.json", line)
  const { keyboard } = vscode.page
  await keyboard.press("End")
  if (text.split("\n")[line - 1]?.endsWith(",") === true) await keyboard.press("ArrowLeft")
  await keyboard.press("ArrowLeft")
  await keyboard.press("Control+Shift+ArrowLeft")
  await keyboard.press("Delete")
  await keyboard.press("Control+Space")
  const offered = vscode.page.locator(".suggest-widget.visible .monaco-list-row")
  await offered.first().waitFor()
  await vscode.picture("completion")
  const labels = await offered.allInnerTexts()
  await keyboard.press("Escape")
  await keyboard.press("Control+Z")
  return labels.join("\n")
}

describe("in a trusted workspace", () => {
  let vscode: VsCode
  let failingLine: number
  beforeAll(async () => {
    vscode = await openVscode({
      isTrusted: true,
      prepare: (folder) => {
        // The assertion starts three lines above its value.
        failingLine = change(folder, workflow, ['"value": 401', '"value": 402']) - 3
        writeFileSync(join(folder, "apis/shop/environments/production.secrets.env"), "password=made-up\n")
        misspell(folder)
        mkdirSync(join(folder, ".vscode"), { recursive: true })
        writeFileSync(settingsOf(folder), JSON.stringify({ "json.schemas": [ownSchema, otherSchema] }))
      },
    })
  })
  afterAll(() => vscode.close())

  it("removes the JSON Schemas of init --editor from the settings, if the user agrees", async () => {
    const notification = vscode.page.locator(".notification-toast").filter({ hasText: "JSON Schemas" })
    await notification.getByRole("button", { name: "Remove Them" }).click()
    const kept = () => JSON.parse(readFileSync(settingsOf(vscode.folder), "utf8")) as unknown
    await expect.poll(kept, expectPoll).toEqual({ "json.schemas": [otherSchema] })
  })

  it("starts in less than 300 ms", async () => {
    await expect.poll(() => vscode.log(), expectPoll).toMatch(/activated in \d+ ms/)
    expect(Number(/activated in (\d+) ms/.exec(vscode.log())?.[1])).toBeLessThan(300)
  })

  it("shows a problem at its place", async () => {
    const lines = readFileSync(join(vscode.folder, "apis/workflow/smoke.json"), "utf8").split("\n")
    const line = lines.findIndex((text) => text.includes("getHealthy"))
    const column = (lines[line] ?? "").indexOf('"getHealthy"') + 1
    await vscode.open("smoke.json")
    await expect.poll(() => vscode.problems(), expectPoll).toContain(`[Ln ${line + 1}, Col ${column}]`)
    const problems = await vscode.problems()
    expect(problems).toContain("getHealthy")
    expect(problems).toContain("operation-unknown")
    await vscode.picture("problem")
  })

  it("completes an operation", async () => {
    expect(await completionsOf(vscode, "operation")).toContain("getHealth")
    await vscode.command("File: Revert File")
  })

  it("asks for an environment, runs, and shows the failure at its line", async () => {
    await vscode.open("sessions.json")
    await vscode.command("callsheet: Run Workflow")
    await vscode.choose("Environment for runs", "local")
    const row = await vscode.test("sessions")
    await row.locator(".codicon-testing-failed-icon").waitFor()
    await row.click()
    await vscode.page.keyboard.press("ArrowRight")
    await vscode.open("sessions.json", failingLine)
    const top = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? Infinity
    const number = vscode.page.locator(".line-numbers").getByText(String(failingLine), { exact: true })
    const message = vscode.page.getByText("401 != 402")
    const distance = async (): Promise<number> => Math.abs((await top(message)) - (await top(number)))
    await expect.poll(distance, expectPoll).toBeLessThan(5)
    // The picture of docs/guide/editors.md.
    await vscode.picture("failure")
  })

  it("lists the failure with its assertion, and logs no secret", async () => {
    await vscode.command("Test Results: Focus on Test Results View")
    await vscode.page.getByText("by-nothing.response.status equals 402").first().waitFor()
    await vscode.picture("results")
    const secrets = readFileSync(join(vscode.folder, "apis/shop/environments/local.secrets.env"), "utf8")
    for (const [, value = ""] of secrets.matchAll(/^\w+=(.+)$/gm))
      expect(vscode.log()).not.toContain(value.replaceAll('"', ""))
  })

  it("runs a workflow from the Test Explorer, block by block", async () => {
    const row = await vscode.press("catalog", "Run Test")
    await row.locator(".codicon-testing-passed-icon").waitFor()
    await row.click()
    await vscode.page.keyboard.press("ArrowRight")
    await (await vscode.test("pages")).locator(".codicon-testing-passed-icon").waitFor()
    await vscode.picture("test-explorer")
  })

  it("opens the last response as a document", async () => {
    await vscode.command("callsheet: Open Response")
    await vscode.choose("Open a response", "catalog/all")
    await vscode.page.locator(".tab.active").filter({ hasText: "all.json" }).waitFor()
    await expect.poll(() => vscode.text(), expectPoll).toContain('"status"')
  })

  it("renames a block, with everything that reads it", async () => {
    const path = join(vscode.folder, workflow)
    const readers = (name: string): number => readFileSync(path, "utf8").split(`"${name}.response.`).length
    const before = readers("by-token")
    expect(before).toBeGreaterThan(1)
    const lines = readFileSync(path, "utf8").split("\n")
    await vscode.open("sessions.json", lines.findIndex((line) => line.includes('"id": "by-token"')) + 1)
    const { keyboard } = vscode.page
    await keyboard.press("End")
    await keyboard.press("ArrowLeft")
    await keyboard.press("ArrowLeft")
    await keyboard.press("ArrowLeft")
    await keyboard.press("F2")
    const name = vscode.page.locator(".rename-box input")
    await name.fill("with-token")
    await name.press("Enter")
    await vscode.picture("renamed")
    await vscode.command("File: Save All Files")
    await expect.poll(() => readers("with-token"), expectPoll).toBe(before)
    expect(readFileSync(path, "utf8")).not.toContain("by-token")
  })

  it("asks for the name of a production environment, and sends nothing without it", async () => {
    await vscode.command("callsheet: Choose Environment")
    await vscode.choose("Environment for runs", "production")
    await vscode.open("sessions.json")
    await vscode.command("callsheet: Run Workflow")
    await vscode.page.locator(".quick-input-widget").getByText("Type production to send").waitFor()
    await vscode.picture("production")
    await vscode.input.press("Escape")
    await (await vscode.test("sessions")).locator(".codicon-testing-error-icon").waitFor()
    expect(vscode.log()).not.toContain("--yes")
  })

  it("covers the operations of a document", async () => {
    await vscode.command("callsheet: Choose Environment")
    await vscode.choose("Environment for runs", "local")
    await vscode.command("Test: Run All Tests with Coverage")
    const coverage = vscode.page.locator(".test-coverage-list-item").filter({ hasText: "openapi.json" })
    await coverage.waitFor()
    await vscode.picture("coverage")
  })
})

describe("in Restricted Mode", () => {
  let vscode: VsCode
  beforeAll(async () => {
    vscode = await openVscode({
      isTrusted: false,
      prepare: (folder) => {
        misspell(folder)
      },
    })
  })
  afterAll(() => vscode.close())

  it("shows problems, and runs nothing of the workspace", async () => {
    await vscode.open("smoke.json")
    await expect.poll(() => vscode.problems(), expectPoll).toContain("operation-unknown")
    await vscode.picture("restricted")
    expect(await completionsOf(vscode, "operation")).toContain("getHealth")
    await vscode.page.keyboard.press("F1")
    await vscode.input.pressSequentially("callsheet: ")
    const rows = vscode.page.locator(".quick-input-list .monaco-list-row")
    await expect
      .poll(() => rows.allInnerTexts().then((texts) => texts.join("\n")), expectPoll)
      .toContain("Restart Language Server")
    expect((await rows.allInnerTexts()).join("\n")).not.toContain("Run Workflow")
    await vscode.input.press("Escape")
    expect(vscode.log()).not.toContain(`callsheet ${version}: `)
  })
})
