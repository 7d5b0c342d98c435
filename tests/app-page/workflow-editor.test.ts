// Builds and changes workflows on the page, with the real command. Checks the files on disk.

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

const path = "apis/workflow/flow.json"
/** Formatted by hand. An action keeps the formatting of everything that it doesn't change. */
const start = `{ "version": 1,
  "blocks": [
    { "id": "login",  "type": "request", "request": { "api": "shop", "operation": "signIn" } },
    {
      "id": "all",
      "type": "group",
      "description": "with {{login.response.body.token}}",
      "blocks": [
        { "id": "one", "type": "group", "blocks": [] },
        { "id": "two", "type": "group", "blocks": [] }
      ]
    },
    { "id": "check", "type": "condition",
      "if": { "source": "login.response.status",   "operator": "exists" },
      "then": [] }
  ]
}
`
const operation = (operationId: string) => ({ operationId, responses: { "200": { description: "ok" } } })
const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/sessions": { post: operation("signIn") }, "/orders": { get: operation("listOrders") } },
  },
}
/** A message that a browser prints itself for an error response. */
const expected = /Failed to load resource/

describe.runIf(hasBrowser)("the editor of a workflow", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject({ ...files, [path]: { version: 1, blocks: [] } })
  })
  afterAll(() => project.close())
  const openFlow = async (text = start): Promise<{ readonly page: Page; readonly project: EditProject }> => {
    const link = await project.reset()
    await project.write(path, text)
    const page = await open(link, {
      expected,
      permissions: ["clipboard-read", "clipboard-write"],
    })
    await page.getByRole("treeitem", { name: "flow", exact: true }).waitFor()
    await showPlace(page, "#/workflows/flow")
    return { page, project }
  }
  /** Saves, and returns the text on disk. */
  const save = async (page: Page, project: EditProject): Promise<string> => {
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    return project.read(path)
  }
  const undoAll = async (page: Page): Promise<void> => {
    await page.getByRole("tree", { name: "Blocks" }).focus()
    for (let steps = 0; steps < 60; steps++) {
      const undo = page.getByRole("button", { name: "Undo", exact: true })
      if ((await undo.getAttribute("aria-disabled")) === "true") return
      await page.keyboard.press("Control+z")
    }
  }

  it("returns to the outline if undo removes the form's block, and drops the old announcement", async () => {
    const { page, project } = await openFlow()
    await project.write("apis/workflow/empty.json", `{ "version": 1, "blocks": [] }`)
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id)
    await block(page, "one").click()
    await page.keyboard.press("a")
    await page.getByRole("menuitem", { name: /^assert/ }).click()
    await said(page, "Added an assert block")
    await page.keyboard.press("Enter")
    await expect.poll(focused).not.toBe("blocks")
    await page.keyboard.press("Control+z")
    await expect.poll(focused).toBe("blocks")
    await expect.poll(() => page.locator(".wf-status").textContent()).toBe("")
    await block(page, "one").click()
    await page.keyboard.press("Alt+ArrowDown")
    await said(page, "Moved one down")
    await page.getByRole("treeitem", { name: "empty", exact: true }).click()
    await page.getByText("No blocks yet.").waitFor()
    await expect.poll(() => page.locator(".wf-status").textContent()).toBe("")
    await page.getByRole("button", { name: /^request/ }).click()
    await page.getByLabel("Id", { exact: true }).waitFor()
    await page.keyboard.press("Control+z")
    await expect.poll(focused).toBe("add-block")
  })

  it("moves, duplicates, wraps and deletes by keys, each with a minimal diff", async () => {
    const { page, project } = await openFlow()
    await block(page, "login").click()
    await page.keyboard.press("Alt+ArrowDown")
    await said(page, "Moved login down")
    const [login = ""] = /^ {4}\{ "id": "login".*\n/m.exec(start) ?? []
    const moved = start.replace(login, "").replace(/^ {4}\},\n/m, `    },\n${login}`)
    expect(await save(page, project)).toBe(moved)
    await page.keyboard.press("Alt+ArrowUp")
    await page.keyboard.press("Alt+ArrowUp")
    await said(page, "It is already first. Alt ← moves it out.")
    expect(await save(page, project)).toBe(start)
    await block(page, "one").click()
    await page.keyboard.press("Shift+ArrowDown")
    await page.keyboard.press("Control+d")
    await said(page, "Duplicated 2 blocks")
    const copies = start.replace(
      `{ "id": "two", "type": "group", "blocks": [] }`,
      ["two", "one-2", "two-2"]
        .map((id) => `{ "id": "${id}", "type": "group", "blocks": [] }`)
        .join(",\n        "),
    )
    expect(await save(page, project)).toBe(copies)
    await page.keyboard.press("Delete")
    await said(page, "Deleted 2 blocks. Press Ctrl Z to undo.")
    expect(await save(page, project)).toBe(start)
    await block(page, "one").click()
    await page.keyboard.press("Alt+ArrowLeft")
    await said(page, "Moved one out")
    await page.keyboard.press("Alt+ArrowRight")
    await said(page, "Moved one into all")
    await page.keyboard.press("w")
    await page.getByRole("menuitem", { name: /^group/ }).click()
    await said(page, "Wrapped one in a group")
    await page.keyboard.press("u")
    await said(page, "Unwrapped group")
    await undoAll(page)
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Delete")
    await said(page, "Deleted 3 blocks")
    await page.getByText("No blocks yet.").waitFor()
    await page.keyboard.press("Control+z")
    await expect.poll(() => outline(page)).toEqual(["login", "all", "one", "two", "check", "then", "else"])
  })

  it("restores the same bytes by undo, and again by redo", async () => {
    const { page, project } = await openFlow()
    await block(page, "two").click()
    for (const keys of ["Alt+ArrowLeft", "Control+d", "Alt+ArrowUp", "Alt+ArrowRight"])
      await page.keyboard.press(keys)
    await page.getByRole("textbox", { name: "Description" }).fill("Twice")
    await block(page, "login").click()
    await page.keyboard.press("Delete")
    const edited = await save(page, project)
    expect(edited).not.toBe(start)
    await undoAll(page)
    expect(await save(page, project)).toBe(start)
    for (let steps = 0; steps < 6; steps++) await page.keyboard.press("Control+Shift+z")
    expect(await save(page, project)).toBe(edited)
  })

  it("builds a workflow of all seven kinds with the keyboard only", async () => {
    const { page, project } = await openFlow(
      '{\n  "version": 1,\n  "validateContracts": true,\n  "blocks": []\n}\n',
    )
    await page.getByRole("button", { name: /^request/ }).focus()
    await page.keyboard.press("Enter")
    await expect.poll(() => focused(page)).toBe("Operation")
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    for (const [key, count] of [
      ["a", 1],
      ["t", 1],
      ["c", 1],
      ["l", 1],
      ["g", 1],
      ["s", 1],
    ] as const) {
      await page.keyboard.press("a")
      for (let presses = 0; presses < count; presses++) await page.keyboard.press(key)
      await page.keyboard.press("Enter")
      // The next block goes after this one, not into it.
      await page.keyboard.press("End")
    }
    const { blocks } = JSON.parse(await save(page, project)) as { blocks: readonly { type: string }[] }
    expect(
      flat(blocks as readonly Nested[])
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["assert", "condition", "group", "loop", "request", "script", "transform"].sort())
    expect(await axeFindings(page)).toEqual([])
  })

  it("builds a workflow of all seven kinds with the mouse only, one below the other", async () => {
    const { page, project } = await openFlow(
      '{\n  "version": 1,\n  "validateContracts": true,\n  "blocks": []\n}\n',
    )
    await page.getByRole("button", { name: /^request/ }).click()
    const kinds = ["assert", "transform", "condition", "loop", "group", "script"]
    for (const kind of kinds) {
      await page.locator(".wf-row[aria-level='1']").last().click()
      await page.getByRole("button", { name: "Add a block" }).click()
      const menu = page.getByRole("menu")
      const isInside = / inside it$| to then$/.test((await menu.getAttribute("aria-label")) ?? "")
      await menu.getByRole("menuitem", { name: new RegExp(`^${kind}`) }).click()
      await said(page, `Added ${kind === "assert" ? "an" : "a"} ${kind} block`)
      if (isInside) await page.keyboard.press("Alt+ArrowLeft")
    }
    const { blocks } = JSON.parse(await save(page, project)) as { blocks: readonly Nested[] }
    expect(blocks.map(({ type }) => type)).toEqual(["request", ...kinds])
    const { problems } = JSON.parse((await project.callsheet(["validate", "--json"])).stdout) as {
      problems: readonly { code: string }[]
    }
    // The user still has to choose an operation, names for values, and a script.
    expect(problems.map(({ code }) => code)).toEqual(["operation-unknown", "field-value", "script-missing"])
  })

  it("moves blocks by drag and drop, several at once and into empty branches, and drops nothing on Escape", async () => {
    const { page, project } = await openFlow()
    await drag(page, "login", block(page, "then"), 0.9, 90)
    await said(page, "Moved login")
    await expect.poll(() => outline(page)).toEqual(["all", "one", "two", "check", "then", "login", "else"])
    await block(page, "one").click()
    await block(page, "two").click({ modifiers: ["Control"] })
    await drag(page, "two", block(page, "else"), 0.9, 90)
    await said(page, "Moved 2 blocks")
    await expect.poll(() => outline(page)).toEqual(["all", "check", "then", "login", "else", "one", "two"])
    const parsed = JSON.parse(await save(page, project)) as {
      blocks: readonly [unknown, { else: readonly { id: string }[] }]
    }
    expect(parsed.blocks[1].else.map(({ id }) => id)).toEqual(["one", "two"])
    await press(page, "login", block(page, "all"), 0.1, 20)
    await page.keyboard.press("Escape")
    await page.mouse.up()
    expect(await outline(page)).toEqual(["all", "check", "then", "login", "else", "one", "two"])
  })

  it("renames a block and its references in one step, and shows their number first", async () => {
    const { page, project } = await openFlow()
    await block(page, "login").click()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Enter")
    const id = page.getByLabel("Id", { exact: true })
    await expect
      .poll(() => id.inputValue(), { message: "a block keeps the id that it has where none is typed" })
      .toBe("login")
    await id.fill("check")
    await page.getByText("Another block, an input or an iterator has this name.").waitFor()
    await id.press("Enter")
    await said(page, "The id check is taken")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    await id.fill("sign-in")
    await page.getByText("2 places in this workflow use it").waitFor()
    await page.keyboard.press("Enter")
    await said(page, "Renamed to sign-in, and in 2 places that use it")
    expect(await save(page, project)).toBe(
      start.replace('"login"', '"sign-in"').replaceAll("login.response", "sign-in.response"),
    )
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await page.keyboard.press("Control+z")
    expect(await save(page, project)).toBe(start)
  })

  it("copies and pastes blocks as JSON, with new ids", async () => {
    const { page, project } = await openFlow()
    await block(page, "two").click()
    await page.keyboard.press("Control+c")
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('{ "id": "two", "type": "group", "blocks": [] }')
    await block(page, "check").click()
    await page.keyboard.press("Control+v")
    await said(page, "Pasted 1 block")
    const { blocks } = JSON.parse(await save(page, project)) as { blocks: readonly { id: string }[] }
    expect(blocks.map(({ id }) => id)).toEqual(["login", "all", "check", "two-2"])
    await page.keyboard.press("Control+x")
    await page.keyboard.press("Control+z")
    await page.evaluate(() => navigator.clipboard.writeText("no blocks"))
    await page.keyboard.press("Control+v")
    await page.getByText("The clipboard has no blocks").waitFor()
  })

  it("keeps the text in sync both ways, and leads from a block to its text and back", async () => {
    const { page } = await openFlow()
    await block(page, "two").click()
    await page.getByRole("button", { name: "Show in JSON" }).click()
    await editor(page).waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.className))
      .toContain("code-editor-host")
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.type(', "description": "typed"')
    await page.getByRole("tab", { name: "Editor" }).click()
    await block(page, "two").getByText("typed").waitFor()
    await page.getByRole("textbox", { name: "Description" }).fill("by the form")
    await page.getByRole("tab", { name: "JSON" }).click()
    await expect.poll(() => shownText(page)).toContain('"description": "by the form"')
    await page
      .locator(".cm-line")
      .filter({ hasText: '"id": "one"' })
      .click({ position: { x: 60, y: 8 } })
    await page.getByText("In the block one").waitFor()
    await page.getByRole("tab", { name: "Editor" }).click()
    await expect.poll(() => page.getByRole("textbox", { name: "Id" }).inputValue()).toBe("one")
  })

  it("opens the text at the selected block, and the blocks at the cursor of the text, however quickly the user switches", async () => {
    const blocks = Array.from({ length: 300 }, (_, at) => ({ id: `b${at}`, type: "group", blocks: [] }))
    const { page } = await openFlow(JSON.stringify({ version: 1, blocks }, null, 2))
    await block(page, "b0").click()
    await page.keyboard.press("End")
    await block(page, "b299").waitFor()
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.locator(".cm-line").filter({ hasText: '"b299"' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("JSON")
    await page.locator(".cm-line").filter({ hasText: '"b296"' }).click()
    await page.getByRole("tab", { name: "Editor" }).click()
    await expect.poll(() => page.getByRole("textbox", { name: "Id" }).inputValue()).toBe("b296")
    await block(page, "b296").waitFor()
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.locator(".cm-line").filter({ hasText: '"b296"' }).waitFor()
    await page.getByText("In the block b296").waitFor()
  })

  it("shows a file that does not parse as text with its problem, and never overwrites it", async () => {
    const broken = start.replace('"version": 1,', '"version": 1')
    const { page, project } = await openFlow(broken)
    await page.getByText("The blocks can't be shown until you fix this:").waitFor()
    await page.getByText("json-syntax").waitFor()
    await expect.poll(() => page.getByRole("tree", { name: "Blocks" }).count()).toBe(0)
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    await page.getByRole("button", { name: "Go to it" }).click()
    await page.keyboard.press("Home")
    await project.write(path, start)
    await block(page, "login").waitFor()
    await expect.poll(() => project.read(path)).toBe(start)
  })

  it("keeps a text that is being fixed in the JSON view until the user switches to blocks", async () => {
    const { page, project } = await openFlow(start.replace('"version": 1,', '"version": 1'))
    await page.getByText("The blocks can't be shown until you fix this:").waitFor()
    await editor(page).click()
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("End")
    await page.keyboard.type(",  ")
    await page.getByRole("tab", { name: "JSON", selected: true }).waitFor()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    expect(await save(page, project)).toBe(start)
    await page.getByRole("tab", { name: "Editor" }).click()
    await block(page, "login").waitFor()
  })

  it("shows a block of unknown kind with its problem and its JSON, next to the others", async () => {
    const { page } = await openFlow(
      start.replace('"type": "group", "blocks": [] },', '"type": "grup", "blocks": [] },'),
    )
    const odd = block(page, "one")
    await odd.getByText("error").waitFor({ state: "attached" })
    await odd.click()
    await page.getByText("Unknown block type.").waitFor()
    await page.getByRole("group", { name: "JSON of the block" }).getByText('"grup"').waitFor()
    await block(page, "two").waitFor()
  })

  it("reports problems of the typed text, and not of the previous one", async () => {
    const { page } = await openFlow()
    await block(page, "login").click()
    await page.keyboard.press("a")
    await page.getByRole("menuitem", { name: /^loop/ }).click()
    const field = page.getByLabel("Count", { exact: true })
    await field.fill("-1")
    await page.getByText("expected 0 or more").waitFor()
    await field.fill("abc")
    await page.getByText("This must be a number.").waitFor()
    await expect.poll(() => page.getByText("expected 0 or more").count()).toBe(0)
  })

  it("edits settings of the whole workflow, and renames an input with its references", async () => {
    const text =
      '{\n  "version": 1,\n  "blocks": [\n    { "id": "a", "type": "group", "description": "{{user}}", "blocks": [] }\n  ],\n  "inputs": {\n    "user": { "type": "string",  "default": "12" }\n  }\n}\n'
    const { page, project } = await openFlow(text)
    await page.getByRole("button", { name: /^Settings and inputs/ }).click()
    await page.getByLabel("When a block fails").selectOption("continue")
    await page.getByLabel("Type").selectOption("number")
    const name = page.getByRole("textbox", { name: "Name" })
    await name.fill("customer")
    await name.press("Enter")
    await said(page, "Renamed to customer, and in 1 place that uses it")
    await page.getByLabel("required").check()
    expect(await save(page, project)).toBe(
      '{\n  "version": 1,\n  "blocks": [\n    { "id": "a", "type": "group", "description": "{{customer}}", "blocks": [] }\n  ],\n  "onFailure": "continue",\n  "inputs": {\n    "customer": { "type": "number",  "required": true,  "default": 12 }\n  }\n}\n',
    )
  })

  it("creates, copies, renames and deletes workflows, with their scripts", async () => {
    const { page, project } = await openFlow()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("new workflow")
    await page.getByRole("option", { name: /New workflow/ }).waitFor()
    await page.keyboard.press("Enter")
    const name = page.getByRole("textbox", { name: "Name" })
    await name.press("Enter")
    await page.getByRole("alert").getByText("Enter a name.").waitFor()
    await name.fill("con")
    await page.getByText("A workflow can't have this name").waitFor()
    await name.fill("FLOW")
    await page.getByText('"flow" already exists.').waitFor()
    await name.fill("fresh")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "fresh" }).waitFor()
    await expect
      .poll(() => project.read("apis/workflow/fresh.json"))
      .toBe('{\n  "version": 1,\n  "validateContracts": true,\n  "blocks": []\n}\n')
    const choose = async (does: string): Promise<void> => {
      await page.getByRole("button", { name: /^More actions for/ }).click()
      await page.getByRole("menuitem", { name: does }).click()
    }
    await showPlace(page, "#/workflows/flow")
    await block(page, "login").waitFor()
    await choose("Duplicate…")
    await page.getByRole("button", { name: "Duplicate", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "flow-2" }).waitFor()
    await expect.poll(() => project.read("apis/workflow/flow-2.json")).toBe(start)
    await choose("Rename…")
    await name.fill("other")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "other" }).waitFor()
    await expect.poll(() => project.read("apis/workflow/other.json")).toBe(start)
    await choose("Delete…")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await expect(project.read("apis/workflow/other.json")).rejects.toThrow("ENOENT")
    await expect.poll(() => project.read(path)).toBe(start)
  })

  it("goes with F6 from the blocks to the form and the result, and past buttons without effect with Tab", async () => {
    const { page } = await openFlow()
    await block(page, "login").click()
    const part = () =>
      page.evaluate(() => document.activeElement?.closest("[data-part]")?.getAttribute("aria-label"))
    for (const label of ["Selected block", "Result", "Search", "Project", "Blocks"]) {
      await page.keyboard.press("F6")
      await expect.poll(part).toMatch(label)
    }
    await page.keyboard.press("Shift+F6")
    await expect.poll(part).toBe("Project")
    for (const name of ["Undo", "Redo", "Save"])
      await expect
        .poll(() => page.getByRole("button", { name, exact: true }).getAttribute("tabindex"))
        .toBe("-1")
  })

  it("works in a window of 640 by 400, like one of 1280 by 800 at 200%", async () => {
    const { page } = await openFlow()
    await page.setViewportSize({ width: 640, height: 400 })
    for (const part of ["JSON", "Scripts", "Runs", "Editor"])
      await page.getByRole("tab", { name: part }).click()
    await block(page, "login").click()
    await page.getByLabel("Description").fill("Signs in.")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    const [wide, shown] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return [scrollWidth, clientWidth]
    })
    expect(wide, "nothing leads sideways").toBe(shown)
  })

  it("shows hostile text as text", async () => {
    const odd = "<img src=x onerror=\"document.title='owned'\">\u202eevil"
    const text = JSON.stringify({
      version: 1,
      blocks: [
        { id: "odd", type: odd, description: odd },
        { id: odd, type: "group", description: odd, blocks: [] },
      ],
    })
    const { page } = await openFlow(text)
    const row = page.getByRole("treeitem").filter({ hasText: "[U+202E]evil" }).last()
    await row.click()
    await page.getByRole("textbox", { name: "Id" }).waitFor()
    await page.keyboard.press("Control+d")
    await page.getByText("Duplicated <img").waitFor()
    await expect.poll(() => page.locator("img").count()).toBe(0)
    expect(await page.title()).not.toContain("owned")
  })
})

const block = (page: Page, id: string) =>
  page
    .getByRole("tree", { name: "Blocks" })
    .getByRole("treeitem")
    .filter({ has: page.locator(".wf-id, .wf-branch").getByText(id, { exact: true }) })

const said = (page: Page, words: string): Promise<void> =>
  page.locator(".wf-status").getByText(words).waitFor()

const outline = (page: Page): Promise<readonly string[]> =>
  page.locator(".wf-row").locator(".wf-id, .wf-branch").allTextContents()

/** The label of the focused element. */
const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement instanceof HTMLInputElement
      ? (activeElement.labels?.[0]?.textContent ?? "")
      : undefined
  })

/** Presses on a block and moves by a part of a row's height, and to the right in pixels, without releasing. */
async function press(
  page: Page,
  id: string,
  target: ReturnType<typeof block>,
  part: number,
  right: number,
): Promise<void> {
  const [from, to] = [await block(page, id).boundingBox(), await target.boundingBox()]
  if (from === null || to === null) throw new Error("a row is not visible")
  await page.mouse.move(from.x + 160, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 170, from.y + from.height / 2 + 8)
  await page.mouse.move(to.x + right, to.y + to.height * part, { steps: 4 })
  await page.locator(".wf-drop-above, .wf-drop-below, .wf-drop-into").first().waitFor()
}

async function drag(...[page, ...rest]: Parameters<typeof press>): Promise<void> {
  await press(page, ...rest)
  await page.mouse.up()
}

interface Nested {
  readonly type: string
  readonly blocks?: readonly Nested[]
  readonly then?: readonly Nested[]
  readonly else?: readonly Nested[]
}

const flat = (blocks: readonly Nested[]): readonly Nested[] =>
  blocks.flatMap((block) => [
    block,
    ...flat([...(block.blocks ?? []), ...(block.then ?? []), ...(block.else ?? [])]),
  ])
