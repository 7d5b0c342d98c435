// Checks callsheet.json on the page, with the real command and files: creating, completing, checking and saving it, and
// following changes on disk.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindings, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import {
  editor,
  saveState,
  showPlace,
  shownText,
  startEditProject,
  type EditProject,
} from "./edit-project.ts"

const workflow = { version: 1, blocks: [{ id: "wait", type: "group", blocks: [] }] }
const files = {
  "apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} },
  "apis/workflow/browse.json": workflow,
  "apis/workflow/checkout.json": workflow,
  "apis/workflow/greet.json": {
    version: 1,
    inputs: { word: { type: "string", required: true } },
    blocks: [
      {
        id: "polite",
        type: "assert",
        assertions: [{ source: "word", operator: "equals", value: "hello" }],
      },
    ],
  },
  "apis/workflow/prepare.json": {
    version: 1,
    inputs: { given: { type: "string", default: "hello" } },
    blocks: [{ id: "make", type: "transform", transforms: { word: "given" } }],
  },
}

/** One entry reads another's result, one takes an input of the run, and one fails on purpose. */
const greetings = {
  description: "Greets three times.",
  before: [{ workflow: "prepare", as: "start" }],
  workflows: [
    { workflow: "greet", as: "kind", inputs: { word: "{{start.make.word}}" }, finally: ["checkout"] },
    { workflow: "greet", as: "asked" },
    { workflow: "greet", as: "rude", inputs: { word: "hey" } },
  ],
  finally: ["browse"],
}

describe.runIf(hasBrowser)("callsheet.json on the page", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())

  const openPage = async (colorScheme: "light" | "dark" = "light"): Promise<Page> => {
    const page = await open(await project.link(), { colorScheme, expected: /Failed to load resource/ })
    return page
  }
  const row = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true })

  it("is created, completed, checked while typing, and saved", async () => {
    const page = await openPage()
    await row(page, "New suite…").waitFor()
    await showPlace(page, "#/settings")
    await page.getByRole("heading", { level: 1, name: "callsheet.json" }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole("button", { name: "Create callsheet.json" }).click()
    await editor(page).waitFor()
    await row(page, "callsheet.json").waitFor()
    expect((await project.callsheet(["validate"])).exitCode).toBe(0)
    await editor(page).click()
    await page.keyboard.press("Control+End")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.type('"smoke": {"work')
    const options = page.locator(".cm-tooltip-autocomplete .cm-completionLabel")
    await expect.poll(() => options.allTextContents()).toEqual(["workflows"])
    await page.locator(".cm-completionInfo").getByText("The entries of the suite.").waitFor()
    await options.getByText("workflows").click()
    await page.keyboard.type('"chek')
    await page.locator(".code-editor .cm-lintRange-error").getByText("chek").waitFor()
    for (let press = 0; press < 2; press++) await page.keyboard.press("Backspace")
    await expect.poll(() => options.allTextContents()).toEqual(["checkout"])
    await options.getByText("checkout").click()
    await page.locator(".code-editor .cm-lintRange-error").waitFor({ state: "detached" })
    await page.keyboard.press("Control+s")
    await saveState(page).getByText("Saved", { exact: true }).waitFor()
    await expect
      .poll(async () => JSON.parse(await project.read("callsheet.json")) as unknown)
      .toEqual({
        version: 1,
        suites: { smoke: { workflows: ["checkout"] } },
      })
  })

  it("shows a change on disk, and asks before it overwrites one", async () => {
    const page = await openPage("dark")
    await showPlace(page, "#/settings")
    await editor(page).waitFor()
    const text = (description: string) =>
      `${JSON.stringify({ version: 1, suites: { all: { description, workflows: ["*"] } } }, null, 2)}\n`
    await project.write("callsheet.json", text("first"))
    await expect.poll(() => shownText(page)).toContain('"first"')
    expect(await axeFindings(page)).toEqual([])
    await editor(page).click()
    await page.keyboard.press("Control+End")
    const kept = page.waitForResponse((response) => response.url().endsWith("/api/drafts.keep"))
    await page.keyboard.type(" ")
    await kept
    await project.write("callsheet.json", text("second"))
    await saveState(page)
      .getByText(/changed on disk/i)
      .waitFor()
    await page.keyboard.press("Control+s")
    await page.getByRole("dialog").waitFor()
    await expect.poll(() => project.read("callsheet.json")).toBe(text("second"))
    // Discard the draft. Otherwise, the next tests would open it.
    const dropped = page.waitForResponse((response) => response.url().endsWith("/api/drafts.drop"))
    await page.getByRole("dialog").getByRole("button", { name: "Take theirs" }).click()
    await saveState(page).getByText("Saved", { exact: true }).waitFor()
    await dropped
  })

  it("renames, copies and deletes a suite, and changes no other line", async () => {
    const text = (suites: string) =>
      `{\n  "version": 1,\n  "defaults": {"jobs":   2},\n  "suites": {\n${suites}\n  }\n}\n`
    const smoke = (name: string) => `    "${name}":  { "workflows": ["browse"] }`
    const last = '    "last": {"workflows":["prepare"]}'
    await project.write("callsheet.json", text([smoke("smoke"), last].join(",\n")))
    const page = await openPage()
    const dialog = page.getByRole("dialog")
    await row(page, "smoke").click()
    await page.getByRole("button", { name: "Run suite" }).click()
    const runs = page.getByRole("region", { name: "Runs" })
    await runs.getByText("passed").first().waitFor()
    await page.getByRole("tree", { name: "Project" }).focus()
    await page.keyboard.press("F2")
    await dialog.getByLabel("Name").fill("last")
    await dialog.getByText('"last" already exists.').waitFor()
    await dialog.getByLabel("Name").fill("quick")
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "quick" }).waitFor()
    await expect.poll(() => project.read("callsheet.json")).toBe(text([smoke("quick"), last].join(",\n")))
    await runs.getByText("passed").first().waitFor()
    await page.getByRole("button", { name: "More actions for quick" }).click()
    await page.getByRole("menuitem", { name: "Duplicate…" }).click()
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("quick-2")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "quick-2" }).waitFor()
    const copied = '    "quick-2": {\n      "workflows": [\n        "browse"\n      ]\n    }'
    const withCopy = [smoke("quick"), last, copied].join(",\n")
    await expect.poll(() => project.read("callsheet.json")).toBe(text(withCopy))
    await page.getByRole("tree", { name: "Project" }).focus()
    await page.keyboard.press("Delete")
    await dialog.getByRole("button", { name: "Delete" }).click()
    await row(page, "quick-2").waitFor({ state: "detached" })
    await expect.poll(() => project.read("callsheet.json")).toBe(text([smoke("quick"), last].join(",\n")))
    await showPlace(page, "#/settings")
    await editor(page).click()
    const kept = page.waitForResponse((response) => response.url().endsWith("/api/drafts.keep"))
    await page.keyboard.type(" ")
    await kept
    await page.getByRole("treeitem", { name: /^quick/ }).click({ button: "right" })
    await page.getByRole("menuitem", { name: "Rename…" }).click()
    await dialog.getByText("callsheet.json has unsaved changes. Save or discard them first.").waitFor()
    await page.keyboard.press("Escape")
    const dropped = page.waitForResponse((response) => response.url().endsWith("/api/drafts.drop"))
    await page.getByRole("button", { name: "Discard", exact: true }).click()
    await dropped
  })

  it("follows the rename of a workflow after a review, and warns before a deletion", async () => {
    await project.write(
      "callsheet.json",
      JSON.stringify({ version: 1, suites: { all: { workflows: ["browse"] } } }),
    )
    const page = await openPage()
    await showPlace(page, "#/workflows/browse")
    const choose = async (does: string): Promise<void> => {
      await page.getByRole("button", { name: /^More actions for/ }).click()
      await page.getByRole("menuitem", { name: does }).click()
    }
    await choose("Rename…")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("look-around")
    await page.keyboard.press("Enter")
    await dialog.getByText("callsheet.json").first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole("button", { name: "Rename in 2 files" }).click()
    await page.getByRole("heading", { level: 1, name: "look-around" }).waitFor()
    await expect
      .poll(async () => JSON.parse(await project.read("callsheet.json")) as unknown)
      .toMatchObject({
        suites: { all: { workflows: ["look-around"] } },
      })
    expect((await project.callsheet(["validate"])).exitCode).toBe(0)
    await choose("Delete…")
    await dialog.getByText("1 suite of callsheet.json can't run without it: all").waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press("Escape")
  })

  it("runs a suite, and shows its entries with their roles and reports", async () => {
    await project.write("callsheet.json", JSON.stringify({ version: 1, suites: { greetings } }, null, 2))
    await project.write("apis/workflow/browse.json", JSON.stringify(workflow))
    const page = await openPage("dark")
    await row(page, "greetings").click()
    await page.getByRole("heading", { level: 1, name: "greetings" }).waitFor()
    await page.getByText("6 entries of 4 workflows").waitFor()
    await page.getByRole("button", { name: "Run suite" }).click()
    await page.getByText("Enter a value.").waitFor()
    await page.getByLabel("word").fill("hello")
    await page.keyboard.press("Control+Enter")
    const list = page.getByRole("listbox", { name: "Runs of this session" })
    await list.getByRole("option").nth(5).waitFor()
    await page.getByText("5 passed, 1 failed").first().waitFor()
    await expect
      .poll(() => list.getByRole("option").allInnerTexts())
      .toEqual(
        ["start before", "kind main", "checkout finally", "asked main", "rude main", "browse finally"].map(
          (words) => expect.stringMatching(new RegExp(words.split(" ").join("[^]*"))),
        ),
      )
    await expect.poll(() => list.getByRole("option", { selected: true }).innerText()).toContain("rude")
    await page.getByRole("tree", { name: "Report" }).getByRole("treeitem", { name: "polite" }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await list.focus()
    for (let press = 0; press < 4; press++) await page.keyboard.press("ArrowUp")
    await page.getByRole("tree", { name: "Report" }).getByRole("treeitem", { name: "make" }).waitFor()
    await row(page, "greetings failed").waitFor()
    await page.reload()
    await list.getByRole("option").nth(5).waitFor()
    await project.write(
      "callsheet.json",
      JSON.stringify({ version: 1, suites: { greetings: { workflows: ["greet", "nobody"] } } }),
    )
    await page.getByText('the project has no workflow "nobody"').waitFor()
  })
})
