// The app with the document of a third-party server: a workflow created, run and saved from the page.

import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Report, RunReport } from "@callsheet/format"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { axeFindings, useBrowser } from "../app-page/browser.ts"
import { hasBrowser } from "../app-page/chromium.ts"
import { chooseEnvironment, showPlace } from "../app-page/edit-project.ts"
import { save, typeAndPick } from "../app-page/form-project.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { installServers } from "./install.ts"
import { findings } from "./project.ts"
import { startTodoServer, type RunningServer } from "./servers.ts"

const installsWithinMs = 150_000

describe.runIf(hasBrowser)("LoopBack's todo server, in the app", () => {
  const { open } = useBrowser()
  let server: RunningServer
  let folder: string
  let home: string
  let command: RunningCommand
  let page: Page
  beforeAll(async () => {
    await installServers()
    server = await startTodoServer()
    const document = await fetch(`${server.url}/openapi.json`)
    folder = await createFolder({ "apis/todo/openapi.json": await document.text() })
    home = await createFolder()
    command = await startCommand({ cwd: folder, env: { HOME: home, XDG_STATE_HOME: join(home, "state") } })
  }, installsWithinMs)
  afterAll(async () => {
    await command.end("SIGINT")
    await server.stop()
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  })

  const field = (name: string): Locator => page.getByRole("main").getByLabel(name, { exact: true })
  const button = (name: string): Locator => page.getByRole("button", { name, exact: true })
  const inDialog = (name: string): Locator => page.getByRole("dialog").getByLabel(name, { exact: true })
  const create = (): Locator => page.getByRole("dialog").getByRole("button", { name: "Create" })
  const block = (id: string): Locator =>
    page
      .getByRole("tree", { name: /blocks/i })
      .getByRole("treeitem")
      .filter({ hasText: id })
      .first()
  const reportRow = (id: string): Locator =>
    page.getByRole("tree", { name: "Report" }).getByRole("treeitem").filter({ hasText: id }).first()
  const tab = (name: string): Locator => page.getByRole("tab", { name })

  const makeEnvironment = async (): Promise<void> => {
    await showPlace(page, "#/apis/todo/environments")
    await button("New environment").click()
    await inDialog("Name").fill("local")
    await create().click()
    await page.getByRole("heading", { level: 1, name: "local" }).waitFor()
  }

  const beginWorkflow = async (): Promise<void> => {
    await showPlace(page, "#/")
    await button("New workflow…").click()
    await inDialog("Name").fill("todos")
    await create().click()
    await page.getByRole("heading", { level: 1, name: "todos" }).waitFor()
    await page.getByRole("button", { name: /^Settings and inputs/ }).click()
    await page.getByRole("checkbox", { name: /check each response/ }).check()
  }

  /** Names the new block, and selects its operation by some of its words. */
  const request = async (id: string, words: string, operation: string): Promise<void> => {
    // The form of a new request opens this search, which takes the focus.
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    await field("Id").fill(id)
    await field("Id").press("Enter")
    await block(id).waitFor()
    await field("Operation").click()
    await typeAndPick(page, words)
    expect(await field("Operation").inputValue()).toBe(operation)
  }
  const addRequest = async (id: string, words: string, operation: string): Promise<void> => {
    await button("Add a block").click()
    await page.getByRole("menuitem", { name: /^request/ }).click()
    await request(id, words, operation)
  }

  /** Required fields of the document are there, the others are offered. */
  const fillBody = async (): Promise<void> => {
    await field("body title").fill("Pour the tea")
    await field("Add body field").click()
    await typeAndPick(page, "isC")
    await field("body isComplete").selectOption("false")
  }

  /** Inserts the id from the documented response to `create`. */
  const completeId = async (): Promise<void> => {
    await field("path id").click()
    await typeAndPick(page, "{{cr")
    await typeAndPick(page, ".resp")
    await typeAndPick(page, ".body.i")
    expect(await field("path id").inputValue()).toBe("{{create.response.body.id}}")
  }

  const makeWorkflow = async (): Promise<void> => {
    await page.getByRole("button", { name: /^request/ }).click()
    await request("create", "post todos", "TodoController.create")
    await fillBody()
    await addRequest("read", "get todos id", "TodoController.findById")
    await completeId()
    await addRequest("delete", "delete", "TodoController.deleteById")
    await completeId()
    await save(page)
    expect(await axeFindings(page)).toEqual([])
  }

  const run = async (status: string): Promise<RunReport> => {
    await tab("Runs").click()
    await chooseEnvironment(page, "local")
    const started = page.waitForResponse((response) => response.url().endsWith("/api/runs.start"))
    await page.keyboard.press("Control+Enter")
    const { run } = (await (await started).json()) as { run: string }
    await page.locator("#run-report").getByText(status, { exact: true }).first().waitFor()
    for (const end = performance.now() + 15_000; performance.now() < end;) {
      const report = await readReport(run)
      if (report !== undefined) return report
    }
    throw new Error(`the page shows another run than ${run}`)
  }

  /** Reads the report as the page does. Undefined while it shows the previous run, or while this one isn't over. */
  const readReport = async (run: string): Promise<RunReport | undefined> => {
    const link = page.url()
    // Leave the page first. It may still read data of the run, which would be mistaken for the response.
    await page.goto("about:blank")
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/api/runs.read")),
      page.goto(link),
    ])
    const read = (await answer.json()) as { run: string; isDone: boolean; report: Report }
    await tab("Runs").click()
    return read.run === run && read.isDone ? read.report.runs[0] : undefined
  }

  /** Creates assertions from two values that the real server has sent. */
  const assertReceivedValues = async (): Promise<void> => {
    for (const value of ['"Pour the tea"', "false"]) {
      await tab("Runs").click()
      await reportRow("read").click()
      const body = page
        .getByRole("region", { name: "Selected block" })
        .getByRole("group", { name: "response body" })
      await body.getByRole("textbox").getByText(value).click({ button: "right" })
      await page.getByRole("menuitem", { name: "Assert equals" }).click()
      await field("Assertion 1: source").waitFor()
    }
    expect(await field("Assertion 2: source").inputValue()).toBe("read.response.body.isComplete")
    await save(page)
  }

  it("creates a workflow from its contract, asserts its responses, and reports the same as the command", async () => {
    page = await open(command.link)
    await makeEnvironment()
    await beginWorkflow()
    await makeWorkflow()
    expect(findings(await run("passed"))).toEqual([])
    await assertReceivedValues()
    const fromPage = await run("passed")
    const result = await callsheet(["run", "todos", "--env", "todo=local", "--reporter", "json"], { folder })
    expect(result.exitCode).toBe(0)
    const [fromCommand] = result.report?.runs ?? []
    expect(verdicts(fromPage)).toEqual(["create passed", "read passed", "check-read", "delete passed"])
    if (fromCommand === undefined) throw new Error("the command wrote no report")
    expect(comparable(fromCommand)).toEqual(comparable(fromPage))
  }, 120_000)
})

/** Each block with its contract verdict. */
const verdicts = ({ blocks }: RunReport): readonly string[] =>
  blocks.map(({ id, contract }) => [id, ...(contract === undefined ? [] : [contract.status])].join(" "))

/** Removes parts that differ between runs: times, and the number of the to-do item. */
function comparable(report: RunReport): unknown {
  const { id } = (report.blocks[0]?.response?.body ?? {}) as { readonly id?: number }
  return JSON.parse(JSON.stringify(report), (name, value: unknown) => {
    if (/^(durationMs|startedAt|endedAt|date|etag|timings)$/i.test(name)) return "varies"
    // Only reports of the app have it.
    if (name === "startMs") return undefined
    if (value === id && name === "id") return "the todo"
    return typeof value === "string" ? value.replaceAll(`/todos/${id}`, "/todos/the-todo") : value
  })
}
