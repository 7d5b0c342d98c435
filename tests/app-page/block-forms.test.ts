// The forms of all kinds of blocks, with the real command and real files: entered values are in the file, and nothing
// else changes.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import {
  addParam,
  openTarget,
  save,
  selectBlock,
  showPart,
  typeAndPick,
  workflowPath,
  workflowText,
  type FormProject,
} from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does, and a missing operation gets an error response. */
const expected = /net::ERR_|status of 400/

describe.runIf(hasBrowser)("the forms of blocks", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected }, (opened) => ({ project, page } = opened))

  const select = (id: string, workflow = "forms") => selectBlock(page, workflow, id)
  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const text = () => project.read(workflowPath)
  const changed = (from: string, to: string): string => {
    if (!workflowText.includes(from)) throw new Error(`the workflow does not contain ${from}`)
    return workflowText.replace(from, to)
  }

  it("finds an operation, and writes the entered values and nothing else", async () => {
    await select("book")
    await openTarget(page)
    await field("Operation").click()
    await typeAndPick(page, "one book")
    await page.getByText("/books/{bookId}").last().waitFor()
    await field("path bookId").fill("7")
    await showPart(page, "Query")
    await field("query lang").click()
    await typeAndPick(page, "d")
    await addParam(page, "Query", "x-trace")
    await page.keyboard.type("on")
    await save(page)
    await expect
      .poll(() => text())
      .toBe(
        changed(
          '"request": { "api": "shop", "operation": "createOrder" }',
          '"request": { "api": "shop", "resource": "books", "operation": "getBook", "overrides": {"params": {"query": {"lang": "de", "x-trace": "on"}, "path": {"bookId": "7"}}} }',
        ),
      )
    for (const name of ["query lang", "query x-trace"]) await field(name).fill("")
    await showPart(page, "Path")
    await field("path bookId").fill("")
    await save(page)
    await expect.poll(() => text()).not.toContain("overrides")
  })

  it("lists matches for text that was typed while the operations were loading", async () => {
    let held = 0
    await page.route("**/operations.list", () => void held++)
    await page.reload()
    await select("book")
    await openTarget(page)
    await field("Operation").click()
    await page.keyboard.type("one book")
    await expect.poll(() => held).toBeGreaterThan(0)
    // The deferred response continues.
    await page.unroute("**/operations.list")
    await page.getByRole("listbox", { name: "Suggestions" }).getByText("/books/{bookId}").waitFor()
  })

  it("writes typed values of a body with every digit, and requires what the document requires", async () => {
    await select("book")
    await openTarget(page)
    await field("Operation").click()
    await typeAndPick(page, "createOrder")
    await field("body book").fill("9007199254740993")
    await field("Add body field").click()
    await typeAndPick(page, "gift")
    await field("body gift").selectOption("true")
    await field("Add body field").click()
    await page.keyboard.type("note.text")
    await page.keyboard.press("Enter")
    await field("body note.text").fill("{{cus")
    await typeAndPick(page, "t")
    await save(page)
    const body = '"body": {"book": 9007199254740993, "gift": true, "note.text": "{{customer}}"}'
    await expect.poll(() => text()).toContain(`"overrides": {${body}}`)
    await field("body book").fill("many")
    await page.getByText("This must be a number.").waitFor()
    await save(page)
    await expect.poll(() => text()).toContain(body)
  })

  it("keeps the row of an emptied value while the user types the next one", async () => {
    await select("book")
    await openTarget(page)
    await field("Operation").click()
    await typeAndPick(page, "createOrder")
    for (const name of ["first", "second"]) {
      await field("Add body field").click()
      await page.keyboard.type(name)
      await page.keyboard.press("Enter")
      await page.keyboard.type(name)
    }
    await addParam(page, "Query", "x-trace")
    await page.keyboard.type("on")
    await save(page)
    // Fields that the form added itself are removed again.
    await select("check")
    await select("book")
    for (const [part, label, next] of [
      ["Body", "body first", "again"],
      ["Query", "query x-trace", "off"],
    ] as const) {
      await showPart(page, part)
      await field(label).press("ControlOrMeta+a")
      await page.keyboard.press("Delete")
      await save(page)
      await page.keyboard.type(next)
      await save(page)
    }
    const body = '"body": {"second": "second", "first": "again"}'
    await expect
      .poll(() => text())
      .toContain(`"overrides": {"params": {"query": {"x-trace": "off"}}, ${body}}`)
  })

  it("adds, completes, orders and removes assertions by keyboard, with one undo each", async () => {
    await select("book")
    await openTarget(page)
    await field("Operation").click()
    await typeAndPick(page, "getBook")
    await select("check")
    await page.getByRole("button", { name: "Add assertion" }).press("Enter")
    await expect.poll(() => field("Assertion 1: source").inputValue()).toBe("book.response.status")
    await page.getByRole("button", { name: "Add assertion" }).press("Enter")
    await field("Assertion 2: source").fill("")
    await typeAndPick(page, "bo")
    await typeAndPick(page, ".resp")
    await typeAndPick(page, ".body.auth")
    await typeAndPick(page, ".")
    await expect.poll(() => field("Assertion 2: source").inputValue()).toBe("book.response.body.author.name")
    await field("Assertion 2: operator").selectOption("hasValue")
    await field("Assertion 2: source").press("Alt+ArrowUp")
    await save(page)
    const assertions =
      '"assertions": [{"source": "book.response.body.author.name", "operator": "hasValue"}, {"source": "book.response.status", "operator": "equals", "value": 200}]'
    await expect.poll(() => text()).toContain(`"type": "assert", ${assertions} },`)
    await page.getByRole("button", { name: "Remove assertion 2" }).press("Enter")
    await field("Assertion 2: source").waitFor({ state: "detached" })
    await page.keyboard.press("Control+z")
    await field("Assertion 2: source").waitFor()
    await expect.poll(() => text()).toContain(assertions)
  })

  it("gives an assertion's fields the whole row, and shows its controls with the pointer", async () => {
    await select("check")
    await page.getByRole("button", { name: "Add assertion" }).press("Enter")
    const end = async (label: string): Promise<number> => {
      const box = await field(label).boundingBox()
      return Math.round((box?.x ?? 0) + (box?.width ?? 0))
    }
    await field("Id").focus()
    await expect.poll(() => end("Assertion 1: value")).toBe(await end("Id"))
    const remove = page.getByRole("button", { name: "Remove assertion 1" })
    const opacity = () => remove.locator("..").evaluate((buttons) => getComputedStyle(buttons).opacity)
    await field("Id").hover()
    await expect.poll(opacity).toBe("0")
    await field("Assertion 1: source").hover()
    await expect.poll(opacity).toBe("1")
    await expect.poll(() => end("Assertion 1: value")).toBe(await end("Id"))
  })

  it("says what a script replaces, and restores it in one step", async () => {
    await select("if-new")
    await page.getByRole("radio", { name: "Script" }).check()
    await page.getByText("The script replaces the previous value.").waitFor()
    await page.getByRole("combobox", { name: "Script" }).click()
    await typeAndPick(page, "wa")
    await field("Function").click()
    await typeAndPick(page, "pau")
    await page.getByRole("link", { name: "Open wait.ts" }).waitFor()
    await save(page)
    await expect
      .poll(() => text())
      .toBe(
        changed(
          '"if": { "source": "book.response.status", "operator": "exists" }, "then": []',
          '"script": {"name": "wait", "exportName": "pause"}, "then": []',
        ),
      )
    await page.getByRole("radio", { name: "Assertion" }).check()
    await page.getByText("no longer calls the script").waitFor()
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click()
    await expect.poll(() => field("Function").inputValue()).toBe("pause")
    await field("Timeout").fill("0")
    await page.getByText("expected more than 0").waitFor()
    await field("Timeout").fill("")
    await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
  })

  it("shows only the fields of a loop's mode, and removes those of another in the same step", async () => {
    await select("rounds")
    await field("Count").fill("3")
    await field("Mode").selectOption("until")
    await page.getByText(`Removed "count", which this mode doesn't use.`).waitFor()
    await field("At most").fill("5")
    await field("Iterator").fill("round")
    await save(page)
    await expect
      .poll(() => text())
      .toBe(
        changed(
          '"mode": "times", "count": 2, "blocks": []',
          '"mode": "until", "until": {"source": "book.response.status", "operator": "equals", "value": 200}, "maxIterations": 5, "iteratorVar": "round", "blocks": []',
        ),
      )
    await field("Mode").selectOption("forEach")
    await field("Source").fill("book.response.body.tags")
    await save(page)
    await expect
      .poll(() => text())
      .toContain(
        '"mode": "forEach", "source": "book.response.body.tags", "iteratorVar": "round", "blocks": []',
      )
  })

  it("renames outputs in place, and fills in a script block", async () => {
    await select("names")
    await page.getByRole("button", { name: "Add output" }).click()
    await page.keyboard.type("title")
    await page.keyboard.press("Tab")
    await field("Path of output title").fill("book.response.body.title")
    await page.getByRole("button", { name: "Add output" }).click()
    await page.keyboard.type("title")
    await page.getByText("Another output has this name.").waitFor()
    await page.keyboard.press("Control+a")
    await page.keyboard.type("body")
    await page.keyboard.press("Enter")
    await select("pause")
    await field("Function").fill("other")
    await save(page)
    await expect
      .poll(() => text())
      .toBe(
        changed(
          '"transforms": {}',
          '"transforms": {"title": "book.response.body.title", "body": "book.response.body"}',
        ).replace('"exportName": "pause"', '"exportName": "other"'),
      )
  })

  it("creates a script for a block, and makes the block call it", async () => {
    await select("if-new")
    await page.getByRole("radio", { name: "Script" }).check()
    await page.getByRole("button", { name: "New script…" }).click()
    const dialog = page.getByRole("dialog", { name: "New script" })
    await expect.poll(() => dialog.getByRole("radio", { name: "Condition" }).isChecked()).toBe(true)
    await dialog.getByLabel("Name").fill("is-new")
    await dialog.getByRole("button", { name: "Create" }).click()
    await page.getByRole("link", { name: "Open is-new.ts" }).waitFor()
    await save(page)
    await expect.poll(() => text()).toContain('"script": {"name": "is-new", "exportName": "isNew"}')
    await expect
      .poll(() => project.read("apis/workflow/scripts/forms/is-new.ts"))
      .toContain("ConditionContext")
  })

  it("shows no error in a new script block, and none when the script exists", async () => {
    await select("pause")
    const row = () => page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem").last()
    const errors = () => row().getByText("error", { exact: true }).count()
    const isChecked = page.waitForResponse(
      (response) =>
        response.url().endsWith("/files.check") && response.request().postData()?.includes("Later.") === true,
    )
    await page.getByRole("button", { name: "Add a block" }).click()
    await page.getByRole("menuitem", { name: /^script/ }).click()
    await field("Description").fill("Later.")
    await isChecked
    await select("book")
    await row().click()
    await expect.poll(() => field("Script").getAttribute("placeholder")).toBe("Choose or create a script")
    await expect.poll(() => field("Script").getAttribute("aria-invalid")).toBe("false")
    await expect.poll(errors).toBe(0)
    await field("Script").fill("note")
    await field("Function").fill("note")
    await field("Description").focus()
    await expect.poll(errors).toBe(1)
    await project.write("apis/workflow/scripts/forms/note.ts", "export const note = () => 1\n")
    await expect.poll(errors).toBe(0)
    // The name of a new script is that of the block.
    await field("Script").fill("")
    await field("Description").focus()
    await page.getByRole("button", { name: "New script…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
    await page.getByRole("link", { name: "Open script.ts" }).waitFor()
    await expect.poll(errors).toBe(0)
    await save(page)
    await expect.poll(() => text()).toContain('"name": "script", "exportName": "script"')
  })

  it("completes with values from the last run, with secrets masked", async () => {
    await runWorkflow()
    await select("look", "run")
    await field("Assertion 1: source").click()
    await field("Assertion 1: source").fill("book.response.body.")
    const list = page.getByRole("listbox", { name: "Suggestions" })
    await list.getByRole("option").filter({ hasText: "key" }).waitFor()
    await expect
      .poll(() => list.getByRole("option").filter({ hasText: "body.title" }).textContent())
      .toContain('"Faust"')
    await expect.poll(() => list.textContent()).toContain('"***"')
    expect(await page.content()).not.toContain("s3cr3t-of-shop")
    await field("Assertion 1: source").fill("book.response.headers.x-t")
    await list.getByRole("option").filter({ hasText: "x-token" }).waitFor()
    await expect.poll(() => list.textContent()).toContain("***")
  })

  it("creates an assertion from a received value, by mouse and by keyboard, and never one that compares a secret", async () => {
    await runWorkflow()
    const detail = page.getByRole("region", { name: "Selected block" })
    await page.getByRole("tree", { name: "Report" }).getByRole("treeitem").filter({ hasText: "book" }).click()
    const body = detail.getByRole("group", { name: "response body" })
    await body.getByRole("textbox").focus()
    for (let line = 0; line < 2; line++) await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("menu").getByRole("menuitem", { name: "Assert equals" }).press("Enter")
    await expect.poll(() => field("Assertion 2: source").inputValue()).toBe("book.response.body.title")
    await expect.poll(() => field("Assertion 2: value").inputValue()).toBe("Faust")
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByRole("tree", { name: "Report" }).getByRole("treeitem").filter({ hasText: "book" }).click()
    await body.getByText('"***"').hover()
    await body.getByText('"***"').click({ button: "right" })
    const items = await page.getByRole("menu").getByRole("menuitem").allTextContents()
    expect(items.some((item) => item.includes("equals") || item.includes("contains"))).toBe(false)
    await page.getByRole("menuitem", { name: "Save as transform" }).click()
    await page.getByRole("tree", { name: "Report" }).waitFor({ state: "detached" })
    await save(page)
    const written = JSON.parse(await project.read("apis/workflow/run.json")) as {
      blocks: readonly { readonly assertions?: unknown; readonly transforms?: unknown }[]
    }
    expect(written.blocks[1]?.assertions).toEqual([
      { source: "book.response", operator: "exists" },
      { source: "book.response.body.title", operator: "equals", value: "Faust" },
    ])
    expect(written.blocks[2]?.transforms).toEqual({ key: "book.response.body.key" })
  })

  it("finds one of 1,200 operations, with few of them in the DOM", async () => {
    await select("book")
    await openTarget(page)
    await field("API").selectOption("large")
    await field("Operation").click()
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
    await options.first().waitFor()
    expect(await options.count()).toBeLessThan(60)
    await page.keyboard.type("get thing 119")
    await options.filter({ hasText: "/things1199/" }).waitFor()
    expect(await options.count()).toBeLessThan(60)
  })

  const runWorkflow = async (): Promise<void> => {
    await showPlace(page, "#/workflows/run")
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByRole("main").getByRole("button", { name: "Run", exact: true }).first().click()
    await page
      .getByRole("tree", { name: "Report" })
      .getByRole("treeitem")
      .filter({ hasText: "book" })
      .waitFor()
    await expect.poll(() => project.api.requests.length).toBeGreaterThan(0)
  }
})
