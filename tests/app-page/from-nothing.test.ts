// Checks the page for a newcomer: from an empty directory to a passing run and a clean `git diff`.

import { execFileSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { axeFindings, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
import { save, typeAndPick } from "./form-project.ts"

const secret = "story-kettle-4711"

describe.runIf(hasBrowser)("from an empty directory to a green run", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let folder: string
  let home: string
  let command: RunningCommand
  let page: Page
  beforeAll(async () => {
    api = await startGreetings()
    folder = await createFolder()
    home = await createFolder()
    git("init", "--quiet")
    await callsheet(["init"], { folder })
    git("add", "--all")
    git("commit", "--quiet", "--message", "Begin")
    command = await startCommand({ cwd: folder, env: { HOME: home, XDG_STATE_HOME: join(home, "state") } })
  })
  afterAll(async () => {
    await command.end("SIGINT")
    await api.close()
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  })

  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Story", "-c", "user.email=story@example.com", ...words], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    })
  const field = (name: string): Locator => page.getByRole("main").getByLabel(name, { exact: true })
  const button = (name: string): Locator => page.getByRole("button", { name, exact: true })
  const inDialog = (name: string): Locator => page.getByRole("dialog").getByLabel(name, { exact: true })
  const outline = (): Locator => page.getByRole("tree", { name: /blocks/i })
  const block = (id: string): Locator => outline().getByRole("treeitem").filter({ hasText: id }).first()

  /** Adds a block below the selection and names it. */
  const add = async (kind: string, id: string): Promise<void> => {
    await button("Add a block").click()
    await page.getByRole("menuitem", { name: new RegExp(`^${kind}`) }).click()
    // The form of a new request opens this search, which takes the focus.
    if (kind === "request") await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    await field("Id").fill(id)
    await field("Id").press("Enter")
    await block(id).waitFor()
  }
  const setCell = async (variable: string, text: string): Promise<void> => {
    await cell(variable).click()
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")
  }
  const cell = (variable: string): Locator =>
    page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${variable}\\b`) }) })
      .getByRole("gridcell")
      .last()

  /** Creates an environment, declares a variable, and sets a secret. */
  const declareAndSet = async (): Promise<void> => {
    await showPlace(page, "#/apis/example/environments")
    await button("New environment").click()
    await inDialog("Name").fill("staging")
    await inDialog("Extends").selectOption("local")
    await inDialog("Level").selectOption("staging")
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
    await page.getByRole("columnheader", { name: /^staging/ }).waitFor()
    await button("New variable").click()
    await inDialog("Name").fill("audience")
    await inDialog("Description").fill("Who is greeted.")
    await page.getByRole("dialog").getByRole("button", { name: "Declare" }).click()
    await page.getByRole("rowheader", { name: /^audience/ }).waitFor()
    await setCell("audience", "Grace")
    await setCell("baseUrl", api.url)
    await cell("apiKey").dblclick()
    await page.getByLabel("New value").fill(secret)
    await page.keyboard.press("Enter")
    await cell("apiKey").filter({ hasText: "hidden secret" }).waitFor()
    expect(git("status", "--short", "--untracked-files=all").trim().split("\n")).toEqual([
      "M apis/example/environments/schema.json",
      "?? apis/example/environments/staging.json",
    ])
    expect(read("apis/example/environments/staging.secrets.env")).toContain(secret)
  }

  /** Drags a workflow with all seven kinds of blocks together. */
  const dragTogether = async (): Promise<void> => {
    await showPlace(page, "#/")
    await button("New workflow…").click()
    await inDialog("Name").fill("story")
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { level: 1, name: "story" }).waitFor()
    await page.getByRole("button", { name: /^request/ }).click()
    await field("Id").fill("create")
    await field("Id").press("Enter")
    await field("Operation").click()
    await typeAndPick(page, "createG")
    await field("body name").fill("{{audience}}")
    await add("assert", "created")
    await field("Assertion 1: value").fill("200")
    await add("transform", "names")
    await button("Add output").click()
    await page.keyboard.type("id")
    await page.keyboard.press("Tab")
    await field("Path of output id").fill("create.response.body.id")
    await add("condition", "is-named")
    await field("Check: source").fill("names.id")
    await field("Check: operator").selectOption("hasValue")
    await add("group", "all-of-it")
    await block("names").click()
    await add("loop", "twice")
    await field("Count").fill("2")
    await field("Iterator").fill("round")
    // The empty container receives the next block.
    await add("request", "read")
    await field("Operation").click()
    await typeAndPick(page, "getG")
    await field("path id").fill("{{names.id}}")
    await drag("all-of-it", "then")
    await save(page)
    expect(shape(read("apis/workflow/story.json"))).toEqual([
      "request create",
      "assert created",
      "transform names",
      "loop twice",
      ["request read"],
      "condition is-named",
      ["group all-of-it", []],
    ])
  }

  /** Writes a script for a block and moves it into the group. */
  const writeScript = async (): Promise<void> => {
    await page.getByRole("tab", { name: "Scripts" }).click()
    await button("New script…").click()
    await inDialog("Name").fill("note")
    await page
      .getByRole("dialog")
      .getByRole("radio", { name: /^Script/ })
      .check()
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
    await page.locator(".code-editor").getByText("ScriptContext").first().waitFor()
    await showPlace(page, "#/workflows/story")
    await page.getByRole("tab", { name: "Editor" }).click()
    await block("all-of-it").click()
    await add("script", "say-so")
    await field("Script").click()
    await typeAndPick(page, "no")
    await field("Function").click()
    await typeAndPick(page, "no")
    await drag("say-so", "all-of-it")
    await save(page)
    expect(shape(read("apis/workflow/story.json")).at(-1)).toEqual(["group all-of-it", ["script say-so"]])
  }

  /** Runs it, sees where and why it failed, fixes it and runs it again. */
  const runAndFix = async (): Promise<void> => {
    await button("Run").click()
    await chooseEnvironment(page, "staging")
    await button("Run").click()
    await page.getByRole("tab", { name: "Runs" }).click()
    await ended("failed")
    const selected = page.getByRole("tree", { name: "Report" }).locator("[aria-selected=true]")
    await expect.poll(() => selected.textContent()).toContain("created")
    await expect.poll(() => page.locator(".difference-expected").textContent()).toBe("200")
    await expect.poll(() => page.locator(".difference-received").textContent()).toBe("201")
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole("tab", { name: "Editor" }).click()
    await block("created").click()
    await field("Assertion 1: value").fill("201")
    await save(page)
    await button("Run").click()
    await page.getByRole("tab", { name: "Runs" }).click()
    await ended("passed")
    expect(await page.content()).not.toContain(secret)
  }

  /** Leaves exactly the intended files in git, and a project that passes in CI. */
  const checkGit = async (): Promise<void> => {
    expect(git("status", "--short", "--untracked-files=all").trim().split("\n")).toEqual([
      "M apis/example/environments/schema.json",
      "?? apis/example/environments/staging.json",
      "?? apis/workflow/scripts/story/note.ts",
      "?? apis/workflow/story.json",
    ])
    expect(added(git("diff", "--unified=0"))).toEqual([
      "    },",
      '    "audience": {',
      '      "type": "string",',
      '      "required": false,',
      '      "description": "Who is greeted."',
    ])
    const options = { folder }
    const run = await callsheet(["run", "story", "--env", "example=staging", "--reporter", "json"], options)
    expect(run.exitCode).toBe(0)
    expect(run.report?.runs[0]?.status).toBe("passed")
    expect(run.stdout).not.toContain(secret)
    expect((await callsheet(["validate"], options)).exitCode).toBe(0)
  }

  const read = (path: string): string => readFileSync(join(folder, path), "utf8")

  /** Drags a row of the sidebar onto the middle of another one. */
  const drag = async (id: string, onto: string): Promise<void> => {
    const from = await center(block(id))
    const to = await center(block(onto))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 12, { steps: 3 })
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.mouse.up()
  }

  const ended = (status: string): Promise<void> =>
    page.locator("#run-report").getByText(status, { exact: true }).first().waitFor()

  it("declares, sets, keeps a secret, builds a workflow by dragging, runs, fixes and runs it again", async () => {
    page = await open(command.link)
    await declareAndSet()
    await dragTogether()
    await writeScript()
    await runAndFix()
    await checkGit()
  })
})

async function center(row: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await row.boundingBox()
  if (box === null) throw new Error("the row is not visible")
  return { x: box.x + 120, y: box.y + box.height / 2 }
}

function startGreetings(): Promise<ApiServer> {
  return startApi({
    "POST /greetings": ({ headers, json }) =>
      headers["x-api-key"] === secret
        ? { status: 201, body: { id: "g1", text: `Hello, ${(json as { name: string }).name}` } }
        : { status: 401 },
    "GET /greetings/g1": { body: { id: "g1", text: "Hello, Grace" } },
  })
}

interface SomeBlock {
  readonly id: string
  readonly type: string
  readonly blocks?: readonly SomeBlock[]
  readonly then?: readonly SomeBlock[]
}

type Shape = readonly (string | Shape)[]

/** Kinds and ids in order, each followed by its content. */
function shape(text: string): Shape {
  const of = (blocks: readonly SomeBlock[]): Shape =>
    blocks.flatMap(({ id, type, blocks: held, then }) => {
      const inside = held ?? then
      return inside === undefined ? [`${type} ${id}`] : [`${type} ${id}`, of(inside)]
    })
  return of((JSON.parse(text) as { blocks: readonly SomeBlock[] }).blocks)
}

const added = (diff: string): readonly string[] =>
  diff
    .split("\n")
    .filter((line) => /^[+](?![+])/.test(line))
    .map((line) => line.slice(1))
