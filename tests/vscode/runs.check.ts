// Running in a real VS Code: code lenses, debugging, continuous run, cancel, rerun, environments.

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openVscode, type VsCode } from "./open-vscode.ts"
import { change, lineOf } from "./project-files.ts"

const sessions = "apis/workflow/sessions.json"
const returns = "apis/workflow/returns.json"
const wrong = ['"value": 401', '"value": 402'] as const
const right = ['"value": 402', '"value": 401'] as const
const expectPoll = { timeout: 60_000, interval: 100 }

/** Polls for a status that never comes. */
const slow = {
  version: 1,
  blocks: [
    {
      id: "forever",
      type: "loop",
      mode: "until",
      until: { source: "health.response.status", operator: "equals", value: 418 },
      maxIterations: 600,
      delayMs: 100,
      blocks: [
        {
          id: "health",
          type: "request",
          request: { api: "shop", resource: "health", operation: "getHealth" },
        },
      ],
    },
  ],
}

/** The production environments then send to the servers of this test. */
function sendProductionHere(folder: string): void {
  for (const api of ["shop", "payments"]) {
    const file = (name: string) => join(folder, "apis", api, `environments/${name}.json`)
    cpSync(join(file("local"), "../local.secrets.env"), join(file("local"), "../production.secrets.env"))
    const read = (name: string) => JSON.parse(readFileSync(file(name), "utf8")) as { baseUrl?: string }
    writeFileSync(
      file("production"),
      JSON.stringify({ ...read("production"), baseUrl: read("local").baseUrl }),
    )
  }
}

/** How many processes of the extension run callsheet with this option. */
function running(vscode: VsCode, option: string): number {
  const top = join(vscode.folder, "..")
  const lines = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0")
      } catch {
        return []
      }
    })
  return lines.filter((words) => words.includes(option) && words.some((word) => word.startsWith(top))).length
}

const passed = (row: Locator) => row.locator(".codicon-testing-passed-icon").waitFor()
const failed = (row: Locator) => row.locator(".codicon-testing-failed-icon").waitFor()
const lastRun = (vscode: VsCode): string =>
  vscode
    .log()
    .match(/callsheet \S+: run .*/g)
    ?.at(-1) ?? ""

describe("runs", () => {
  let vscode: VsCode
  beforeAll(async () => {
    vscode = await openVscode({
      isTrusted: true,
      prepare: (folder) => {
        change(folder, sessions, wrong)
        writeFileSync(join(folder, "apis/workflow/slow.json"), JSON.stringify(slow, undefined, 2))
        sendProductionHere(folder)
      },
    })
    await vscode.test("sessions")
  })
  afterAll(() => vscode.close())
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await vscode.picture(`failed: ${task.name}`)
  })

  it("asks for an environment only among those that exist", async () => {
    await vscode.open("sessions.json")
    await vscode.lens(lineOf(vscode.folder, sessions, '"blocks"'), "Run")
    await vscode.page.locator(".quick-input-title").filter({ hasText: "Environment for runs" }).waitFor()
    const offered = await vscode.page.locator(".quick-input-list .monaco-list-row").allInnerTexts()
    expect(offered.join("\n")).not.toContain("Defaults")
    await vscode.choose("Environment for runs", "local")
    await failed(await vscode.test("sessions"))
    await vscode.picture("lens-run")
  })

  it("runs up to the block of a lens, and gives no result to the workflow", async () => {
    await vscode.command("Test: Clear All Results")
    await vscode.lens(lineOf(vscode.folder, sessions, '"id": "by-jar"') - 1, "Run to here")
    const row = await vscode.test("sessions")
    await expect.poll(() => lastRun(vscode), expectPoll).toContain("--until=by-jar -- sessions")
    await row.click()
    await vscode.page.keyboard.press("ArrowRight")
    await passed(await vscode.test("by-jar"))
    // Only the two blocks have results. VS Code derives the icon of the workflow from them.
    await vscode.page.locator(".test-explorer").getByText("2/2").waitFor()
    await vscode.picture("lens-run-to-here")
    expect(await (await vscode.test("by-nothing")).locator(".codicon-testing-unset-icon").count()).toBe(1)
    await vscode.page.keyboard.press("ArrowLeft")
  })

  it("sends a saved request by its lens, and opens the response", async () => {
    await vscode.open("apis/shop/requests/orders/gift.json")
    await vscode.page.locator(".codelens-decoration a").filter({ hasText: "Send" }).click()
    await vscode.page
      .locator(".tab.active")
      .filter({ hasText: /orders.gift\.json/ })
      .waitFor()
    await expect.poll(() => vscode.text(), expectPoll).toMatch(/"status":\s*401/)
    await vscode.picture("sent")
  })

  it("stops at a breakpoint, from the lens and from the Test Explorer", async () => {
    await vscode.open("plan-return.ts", 6)
    await vscode.page.keyboard.press("F9")
    await vscode.page
      .locator(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified")
      .first()
      .waitFor()
    const frame = vscode.page.locator(".debug-call-stack").getByText("planReturn")
    const stopped = async (name: string): Promise<void> => {
      await frame.waitFor()
      await vscode.page.locator(".debug-top-stack-frame-line").waitFor()
      await vscode.picture(name)
      await vscode.page.keyboard.press("F5")
      await vscode.page.locator(".debug-toolbar").waitFor({ state: "hidden" })
    }
    await vscode.open("returns.json")
    await vscode.lens(lineOf(vscode.folder, returns, '"id": "plan"') - 1, "Debug script")
    await stopped("debug-lens")
    expect(lastRun(vscode)).toContain("--inspect-scripts=0 --until=plan -- returns")
    await vscode.press("returns", "Debug Test")
    await stopped("debug-profile")
    await passed(await vscode.test("returns"))
  })

  it("reruns what failed, and only that", async () => {
    await failed(await vscode.press("sessions", "Run Test"))
    change(vscode.folder, sessions, right)
    await vscode.command("Test: Rerun Failed Tests")
    await passed(await vscode.test("sessions"))
    expect(lastRun(vscode)).toMatch(/-- sessions$/)
    await vscode.picture("rerun")
  })

  it("runs again whenever a file changes, until it is turned off", async () => {
    const row = await vscode.press("sessions", "Turn on Continuous Run")
    await expect.poll(() => running(vscode, "--watch"), expectPoll).toBe(1)
    await passed(row)
    change(vscode.folder, sessions, wrong)
    await failed(row)
    await vscode.picture("continuous-failed")
    change(vscode.folder, sessions, right)
    await passed(row)
    await vscode.picture("continuous-passed")
    await vscode.press("sessions", "Turn off Continuous Run")
    await expect.poll(() => running(vscode, "--watch"), expectPoll).toBe(0)
  })

  it("cancels a run, which is then skipped and didn't fail", async () => {
    const row = await vscode.press("slow", "Run Test")
    const result = vscode.page.locator(".monaco-list-row").filter({ hasText: "forever" })
    await result.locator(".codicon-loading").first().waitFor()
    await vscode.page.getByRole("button", { name: "Cancel Test Run" }).click()
    await result.locator(".codicon-testing-skipped-icon").first().waitFor()
    await vscode.picture("canceled")
    expect(await row.locator(".codicon-testing-failed-icon").count()).toBe(0)
    await expect.poll(() => running(vscode, "run"), expectPoll).toBe(0)
  })

  it("sends to production after the user typed its name, knowing what will be sent", async () => {
    await vscode.command("callsheet: Choose Environment")
    await vscode.choose("Environment for runs", "production")
    await vscode.open("smoke.json")
    await vscode.command("callsheet: Run Workflow")
    const box = vscode.page.locator(".quick-input-widget")
    await box.getByText(/would send .*requests? to shop .*Type production to send/).waitFor()
    await vscode.picture("production-prompt")
    await vscode.input.fill("prod")
    await vscode.input.press("Enter")
    await vscode.input.waitFor({ state: "hidden" })
    await (await vscode.test("smoke")).locator(".codicon-testing-error-icon").waitFor()
    expect(vscode.log()).not.toContain("--yes")
    await vscode.press("smoke", "Run Test")
    await box.getByText("Type production to send").waitFor()
    await vscode.input.fill("production")
    await vscode.input.press("Enter")
    await vscode.input.waitFor({ state: "hidden" })
    await passed(await vscode.test("smoke"))
    expect(lastRun(vscode)).toContain("--yes")
  })
})
