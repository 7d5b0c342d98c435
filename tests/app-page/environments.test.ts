// The table of environments with the real command and real files: typing, secrets, resets and conflicts.

import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import {
  cellOf,
  localSecret,
  showTable,
  stagingSecret,
  startEnvironmentsProject,
  typeInto,
  valueFiles,
  workflow,
  type EnvironmentsProject,
} from "./environments-project.ts"

const says = (cell: Locator, text: string | RegExp): Promise<void> => cell.filter({ hasText: text }).waitFor()

describe.runIf(hasBrowser)("the table of environments", () => {
  const { open } = useBrowser()
  let project: EnvironmentsProject
  let page: Page
  /** Messages that a browser prints itself for an error response or a missing one. */
  const expected = /Failed to load resource|net::ERR_/
  beforeAll(async () => {
    project = await startEnvironmentsProject()
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    page = await open(await project.reset(), { expected })
    await page.getByRole("tree").waitFor()
    await showTable(page)
  })

  it("shows each cell's value and source, and no secret", async () => {
    await says(await cellOf(page, "baseUrl", "base"), /^https:\/\/base\.example$/)
    const inherited = await cellOf(page, "baseUrl", "staging")
    await says(inherited, "https://base.examplefrom base")
    expect((await inherited.boundingBox())?.height).toBe(32)
    await says(await cellOf(page, "timeout", "local"), "5000default")
    await says(await cellOf(page, "timeout", "staging"), /^10000$/)
    await says(await cellOf(page, "sandbox", "local"), /^—$/)
    await says(await cellOf(page, "apiKey", "staging"), "hidden secret")
    await says(await cellOf(page, "apiKey", "production"), "missingrequired, no value")
    const html = await page.content()
    for (const secret of [stagingSecret, localSecret]) expect(html).not.toContain(secret)
    await page.getByRole("button", { name: /required values? missing/ }).click()
    await expect.poll(() => page.getByRole("rowheader").count()).toBe(1)
  })

  it("sets a value of one environment and resets it, with every other byte unchanged", async () => {
    const cell = await cellOf(page, "baseUrl", "staging")
    await typeInto(page, cell, "https://staging.example")
    await says(cell, /^https:\/\/staging\.example$/)
    const set = valueFiles["staging.json"].replace(
      "10000\r\n",
      `10000,\r\n  "baseUrl": "https://staging.example"\r\n`,
    )
    expect(project.read("staging.json")).toBe(set)
    await page.keyboard.press("Delete")
    await says(cell, "https://base.examplefrom base")
    expect(project.read("staging.json")).toBe(valueFiles["staging.json"])
    expect(project.read("base.json")).toBe(valueFiles["base.json"])
  })

  it("accepts numbers by JSON's grammar, true and false as a choice, and null on request", async () => {
    const timeout = await cellOf(page, "timeout", "local")
    await typeInto(page, timeout, "0x10")
    await page.getByText("That is not a number.").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA")
    expect(project.read("local.json")).toBe(valueFiles["local.json"])
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("123456789012345678901")
    await page.keyboard.press("Enter")
    await says(timeout, /^123456789012345678901$/)
    const sandbox = await cellOf(page, "sandbox", "local")
    await sandbox.click()
    await page.keyboard.press("f")
    await page.keyboard.press("Enter")
    await says(sandbox, /^false$/)
    const greeting = await cellOf(page, "greeting", "local")
    await greeting.click({ button: "right" })
    await page.getByRole("menuitem", { name: "No value (null)" }).click()
    await says(greeting, /^nullno value$/)
    expect(JSON.parse(project.read("local.json"))).toMatchObject({ sandbox: false, greeting: null })
    expect(project.read("local.json")).toContain(`"timeout": 123456789012345678901`)
  })

  it("discards typed text on Escape, and saves nothing that is unchanged", async () => {
    const cell = await cellOf(page, "greeting", "staging")
    await cell.click()
    await page.keyboard.type("Hi")
    await page.keyboard.press("Escape")
    await says(cell, "Hellofrom base")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await says(cell, "Hellofrom base")
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("gridcell")
    expect(project.read("staging.json")).toBe(valueFiles["staging.json"])
  })

  it("keeps a secret in its own file, in no state of the page, and the value file unchanged", async () => {
    const cell = await cellOf(page, "apiKey", "production")
    await cell.dblclick()
    const field = page.getByLabel("New value")
    await expect.poll(() => field.getAttribute("type")).toBe("password")
    await field.fill("fresh # secret-93")
    await page.keyboard.press("Enter")
    await says(cell, "hidden secret")
    expect(project.read("production.secrets.env")).toContain("fresh # secret-93")
    expect(project.read("production.json")).toBe(valueFiles["production.json"])
    expect(await page.content()).not.toContain("secret-93")
    const file = project.path("apis/shop/environments/production.secrets.env")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await cell.click()
    await page.keyboard.press("Delete")
    await says(cell, "missing")
    const staging = await cellOf(page, "apiKey", "staging")
    await staging.click({ button: "right" })
    await page.getByRole("menuitem", { name: "No value (null)" }).click()
    await says(staging, "required, but null")
    expect(project.read("staging.secrets.env")).not.toContain(stagingSecret)
  })

  it("saves a secret after a cell of its environment that is still being saved", async () => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let writes = 0
    await page.route("**/api/environments.write", async (route) => {
      if (writes++ === 0) await released
      await route.continue()
    })
    const greeting = await cellOf(page, "greeting", "production")
    await typeInto(page, greeting, "Hi")
    const secret = await cellOf(page, "apiKey", "production")
    await secret.dblclick()
    await page.getByLabel("New value").fill("fresh-secret-94")
    await page.keyboard.press("Enter")
    release()
    await says(secret, "hidden secret")
    expect(JSON.parse(project.read("production.json"))).toMatchObject({ greeting: "Hi" })
    expect(project.read("production.secrets.env")).toContain("fresh-secret-94")
  })

  it("keeps the lines of a pasted secret", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.evaluate(() => navigator.clipboard.writeText("-----BEGIN-----\nabc\n-----END-----\n"))
    await (await cellOf(page, "apiKey", "production")).dblclick()
    await page.getByLabel("New value").press("ControlOrMeta+v")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect(project.read("production.secrets.env")).toContain("-----BEGIN-----\nabc\n-----END-----")
  })

  it("reveals one secret at a time, hides it again by itself, and reports it in the terminal by name", async () => {
    await page.clock.install()
    await showTable(page)
    const reveal = async (environment: string): Promise<void> => {
      await (await cellOf(page, "apiKey", environment)).click({ button: "right" })
      await page.getByRole("menuitem", { name: "Reveal" }).click()
    }
    await reveal("staging")
    await page.getByText(stagingSecret).waitFor()
    await page.clock.fastForward(20_000)
    await expect.poll(() => page.getByText(stagingSecret).count()).toBe(1)
    await page.clock.fastForward(10_100)
    await expect.poll(() => page.content()).not.toContain(stagingSecret)
    await reveal("local")
    await page.getByText(localSecret).waitFor()
    await (await cellOf(page, "timeout", "local")).click()
    await expect.poll(() => page.content()).not.toContain(localSecret)
    await reveal("local")
    await page.getByText(localSecret).waitFor()
    await page.evaluate(() => window.dispatchEvent(new Event("blur")))
    await expect.poll(() => page.content()).not.toContain(localSecret)
    await reveal("local")
    await page.getByText(localSecret).waitFor()
    await page.keyboard.press("Escape")
    await expect.poll(() => page.content()).not.toContain(localSecret)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("gridcell")
    expect(project.command.stderr()).toMatch(/shop\/staging apiKey/)
    expect(project.command.stderr()).not.toContain(stagingSecret)
  })

  it("copies a secret without showing it, and says so if the browser does not allow that", async () => {
    await page.context().clearPermissions()
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => seen.push(document.documentElement.outerHTML)).observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      })
    })
    const cell = await cellOf(page, "apiKey", "staging")
    await cell.click()
    await page.keyboard.press("ControlOrMeta+c")
    await page.getByText("The browser blocked copying.").waitFor()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.keyboard.press("ControlOrMeta+c")
    await page.getByText("Copied", { exact: true }).first().waitFor()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(stagingSecret)
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.join("\n"))
    expect(seen).toContain("Copied")
    expect(seen).not.toContain(stagingSecret)
  })

  it("offers both sides if another window has changed the value meanwhile", async () => {
    const other = await open(await project.link(), { expected })
    await other.getByRole("tree").waitFor()
    await showTable(other)
    const [mine, theirs] = [await cellOf(page, "baseUrl", "local"), await cellOf(other, "baseUrl", "local")]
    await mine.click()
    await page.keyboard.press("Enter")
    await page.keyboard.type("https://mine.example")
    await typeInto(other, theirs, "https://theirs.example")
    await says(theirs, /^https:\/\/theirs\.example$/)
    // The page receives the change while the user types, and keeps the typed text.
    const panel = page.getByText("changed in another window")
    await panel.waitFor()
    await expect.poll(() => page.getByRole("button", { name: "Save mine" }).count()).toBe(0)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Save mine" }).waitFor()
    expect(project.read("local.json")).toContain("theirs")
    await says(page.locator(".env-sides"), "https://theirs.example")
    await says(page.locator(".env-sides"), "https://mine.example")
    await page.getByRole("button", { name: "Save mine" }).click()
    await says(mine, /^https:\/\/mine\.example$/)
    await says(theirs, /^https:\/\/mine\.example$/)
    expect(JSON.parse(project.read("local.json"))).toMatchObject({ baseUrl: "https://mine.example" })
  })

  it("never overwrites a changed file that was not read again, and can take theirs", async () => {
    const cell = await cellOf(page, "timeout", "staging")
    await cell.click()
    await page.keyboard.press("Enter")
    await page.keyboard.type("77")
    let isHeld = true
    await page.route("**/api/environments.read", (route) => (isHeld ? route.abort() : route.continue()))
    const changed = valueFiles["staging.json"].replace("10000", "9999")
    const isRead = page.waitForResponse("**/api/project.read")
    project.write("staging.json", changed)
    await isRead
    isHeld = false
    await page.keyboard.press("Enter")
    await page.getByText("changed in another window").waitFor()
    expect(project.read("staging.json")).toBe(changed)
    await page.getByRole("button", { name: /^Take/ }).click()
    await says(cell, /^9999$/)
    expect(project.read("staging.json")).toBe(changed)
  })

  it("keeps typed text while the server doesn't respond, and saves it once on request", async () => {
    const cell = await cellOf(page, "greeting", "production")
    let writes = 0
    await page.route("**/api/environments.write", (route) => {
      writes++
      return route.abort()
    })
    await typeInto(page, cell, "Good day")
    await page.locator(".env-panel").getByText("callsheet app is not responding").waitFor()
    await says(cell, "Good day")
    expect(writes).toBe(1)
    await page.unroute("**/api/environments.write")
    expect(project.read("production.json")).toBe(valueFiles["production.json"])
    await page.getByRole("button", { name: "Save again" }).click()
    await says(cell, /^Good day$/)
    expect(JSON.parse(project.read("production.json"))).toMatchObject({ greeting: "Good day" })
  })

  it("resets a cell after the save in progress, if requested meanwhile", async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route("**/api/environments.write", async (route) => {
      await held
      await route.continue()
    })
    const cell = await cellOf(page, "greeting", "production")
    await typeInto(page, cell, "Good day")
    await says(cell, /saving/)
    await cell.click()
    await page.keyboard.press("Delete")
    release()
    await says(cell, /Hello/)
    await expect
      .poll(() => JSON.parse(project.read("production.json")) as object)
      .not.toHaveProperty("greeting")
  })

  it("asks before the page is left with unsaved text", async () => {
    const cell = await cellOf(page, "greeting", "production")
    await cell.click()
    await page.keyboard.type("x")
    const asked = page.waitForEvent("dialog")
    const closing = page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe("beforeunload")
    await dialog.dismiss()
    await closing
    await page.keyboard.press("Escape")
  })

  it("keeps typed text for a deleted environment until it is discarded", async () => {
    await page.route("**/api/environments.write", (route) => route.abort())
    await typeInto(page, await cellOf(page, "greeting", "production"), "Good day")
    await page.locator(".env-panel").getByText("callsheet app is not responding").waitFor()
    rmSync(project.path("apis/shop/environments/production.json"))
    const orphans = page.getByRole("alert").filter({ hasText: "no longer exist" })
    await orphans.getByText("Good day").waitFor()
    await orphans.getByRole("button", { name: "Discard" }).click()
    await orphans.waitFor({ state: "detached" })
  })

  it("creates an environment once, however often the button is pressed, and accepts only names that the format allows", async () => {
    await page.getByRole("button", { name: "New environment" }).click()
    const name = page.getByRole("textbox", { name: "Name" })
    await name.fill("con")
    await page.getByText("An environment can't have this name").waitFor()
    await name.fill("Staging")
    await page.getByText('"staging" already exists.').waitFor()
    await name.fill("preview")
    await page.getByLabel("Extends").selectOption("staging")
    await page.getByLabel("Level").selectOption("local")
    let calls = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/environments.create")) calls++
    })
    await page.getByRole("button", { name: "Create" }).dblclick()
    await page.getByRole("heading", { level: 1, name: "preview" }).waitFor()
    expect(calls).toBe(1)
    expect(JSON.parse(project.read("preview.json"))).toEqual({ extends: "staging", level: "local" })
    await says(await cellOf(page, "timeout", "preview"), "10000from staging")
  })

  it("edits extends, level and TLS, and nothing else of the file", async () => {
    await openMenu(page, "staging", "Settings…")
    await page.getByLabel("Level").selectOption("production")
    await page.getByLabel("TLS certificates").selectOption("false")
    await page.getByText("Certificates are not verified").waitFor()
    await expect
      .poll(() => page.getByLabel("Extends").locator("option").allTextContents())
      .toEqual(["None", "base", "local", "production"])
    await page.getByLabel("Extends").selectOption("")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("columnheader", { name: /^staging.*TLS not verified/ }).waitFor()
    expect(JSON.parse(project.read("staging.json"))).toEqual({
      level: "production",
      timeout: 10_000,
      tls: { verify: false },
    })
    expect(project.read("staging.json")).toContain("\r\n")
  })

  it("renames an environment with those that extend it, and does not delete an extended one", async () => {
    await openMenu(page, "base", "Delete…")
    await page
      .getByText(`You can't delete it, because "local", "production" and "staging" extend it.`)
      .waitFor()
    await page.getByRole("button", { name: "Close" }).click()
    await openMenu(page, "base", "Rename…")
    await page.getByRole("textbox", { name: "Name" }).fill("common")
    await page.getByRole("button", { name: "Rename" }).click()
    await page.getByRole("heading", { level: 1, name: "common" }).waitFor()
    expect(project.read("common.json")).toBe(valueFiles["base.json"])
    expect(project.read("local.json")).toBe(valueFiles["local.json"].replace("base", "common"))
    await openMenu(page, "staging", "Delete…")
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("columnheader", { name: /^staging/ }).waitFor({ state: "detached" })
    for (const file of ["staging.json", "staging.secrets.env"])
      expect(existsSync(project.path(`apis/shop/environments/${file}`)), file).toBe(false)
  })

  it("shows a file that does not parse as text with its problem, and no empty table over it", async () => {
    project.write("schema.json", valueFiles["schema.json"].replace('"version": 1,', '"version": 1'))
    await page.getByText("has an error. Fix it as text.").waitFor()
    await expect.poll(() => page.getByRole("grid").count()).toBe(0)
    await expect.poll(() => page.getByText("Declare the first variable").count()).toBe(0)
    await page.getByRole("link", { name: "Open as text" }).click()
    await page.getByRole("heading", { level: 1, name: "schema.json" }).waitFor()
    await page.getByText('"version"').first().waitFor()
    project.write("schema.json", valueFiles["schema.json"])
    project.write("staging.json", "{ broken")
    await showTable(page)
    const cell = await cellOf(page, "timeout", "staging")
    await says(cell, "can't be read")
    await cell.click()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "Open as text" }).click()
    await page.getByRole("heading", { level: 1, name: "staging" }).waitFor()
  })

  it("declares a variable at once, and accepts only names that the format allows", async () => {
    await page.getByRole("button", { name: "New variable" }).click()
    const name = page.getByRole("textbox", { name: "Name" })
    await name.fill("level")
    await page.getByText(`"level" is reserved in value files and can't be a variable`).waitFor()
    await name.fill("timeout")
    await page.getByText('"timeout" is already declared.').waitFor()
    await name.fill("retries")
    await page.getByLabel("Type").selectOption("number")
    await page.getByLabel("Required").check()
    const standard = page.getByLabel("Default")
    await standard.fill("three")
    await page.getByText("That is not a number.").waitFor()
    await standard.fill("3")
    await page.getByLabel("Description").fill("How often a call is <b>tried</b>.")
    await page.getByRole("button", { name: "Declare" }).click()
    await page.getByRole("rowheader", { name: /^retries/ }).waitFor()
    await says(await cellOf(page, "retries", "staging"), "3default")
    const { variables } = JSON.parse(project.read("schema.json")) as { variables: unknown }
    expect(variables).toMatchObject({
      retries: {
        type: "number",
        required: true,
        default: 3,
        description: "How often a call is <b>tried</b>.",
      },
    })
    expect(Object.keys(variables as object).at(-1)).toBe("retries")
  })

  it("saves a variable's description at once, and leaves the rest of the schema unchanged", async () => {
    await openMenu(page, "timeout", "Edit…", "rowheader")
    await page.getByLabel("Description").fill("Milliseconds.")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("rowheader", { name: /Milliseconds/ }).waitFor()
    expect(project.read("schema.json")).toBe(
      valueFiles["schema.json"].replace(
        '"default": 5000 }',
        '"description": "Milliseconds.", "default": 5000 }',
      ),
    )
  })

  it("shows the result of its change if somebody else has changed the declaration meanwhile", async () => {
    await openMenu(page, "timeout", "Edit…", "rowheader")
    await page.getByLabel("Description").fill("Mine.")
    const theirs = valueFiles["schema.json"].replace("5000", "7000")
    project.write("schema.json", theirs)
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Files changed on disk, so nothing was written.").waitFor()
    expect(project.read("schema.json")).toBe(theirs)
    await page.getByRole("button", { name: "Cancel" }).click()
  })

  it("shows each file that renaming a variable changes, and then changes exactly those bytes", async () => {
    await openMenu(page, "greeting", "Rename…", "rowheader")
    await page.getByRole("textbox", { name: "New name" }).fill("salutation")
    await page.getByRole("button", { name: "Review changes" }).click()
    await page.getByText("3 files will change:").waitFor()
    await page.getByText("apis/workflow/greet.json").waitFor()
    await page.getByText("salutation").first().waitFor()
    expect(project.read("base.json")).toBe(valueFiles["base.json"])
    await page.getByRole("button", { name: "Rename in 3 files" }).dblclick()
    await page.getByRole("rowheader", { name: /^salutation/ }).waitFor()
    const renamed = (text: string): string => text.replaceAll("greeting", "salutation")
    for (const file of ["schema.json", "base.json"] as const)
      expect(project.read(file), file).toBe(renamed(valueFiles[file]))
    // The user's own formatting stays.
    expect(project.read("../../workflow/greet.json")).toBe(workflow.replace("{{greeting}}", "{{salutation}}"))
    for (const file of ["staging.json", "local.json", "production.json"] as const)
      expect(project.read(file), file).toBe(valueFiles[file])
  })

  it("plans again if a file of the plan has changed meanwhile, and writes nothing before the user sees that", async () => {
    await openMenu(page, "greeting", "Rename…", "rowheader")
    await page.getByRole("textbox", { name: "New name" }).fill("salutation")
    await page.keyboard.press("Enter")
    await page.getByText("3 files will change:").waitFor()
    project.write("local.json", `{"extends": "base", "level": "local", "greeting": "Moin"}\n`)
    await page.getByRole("button", { name: "Rename in 3 files" }).click()
    await page.getByText("Files changed on disk, so nothing was written.").waitFor()
    await page.getByText("4 files will change:").waitFor()
    expect(project.read("schema.json")).toBe(valueFiles["schema.json"])
    await page.getByRole("button", { name: "Rename in 4 files" }).click()
    await page.getByRole("rowheader", { name: /^salutation/ }).waitFor()
    expect(JSON.parse(project.read("local.json"))).toMatchObject({ salutation: "Moin" })
  })

  it("moves values out of committed files when a variable becomes a secret, after showing that", async () => {
    await openMenu(page, "greeting", "Edit…", "rowheader")
    await page.getByLabel("Secret").check()
    await page.getByRole("button", { name: "Review changes" }).click()
    await page.locator("summary", { hasText: "apis/shop/environments/base.secrets.env" }).waitFor()
    expect(project.read("base.json")).toBe(valueFiles["base.json"])
    await page.getByRole("button", { name: /^Save in \d files$/ }).click()
    await says(await cellOf(page, "greeting", "base"), "hidden secret")
    expect(project.read("base.json")).not.toContain("Hello")
    expect(project.read("base.secrets.env")).toContain("Hello")
    expect(await page.content()).not.toContain("Hello")
  })

  it("deletes a variable with its values, after showing that", async () => {
    await openMenu(page, "timeout", "Delete…", "rowheader")
    await page.getByRole("button", { name: "Review changes" }).click()
    await page.getByRole("button", { name: "Delete in 2 files" }).click()
    await page.getByRole("rowheader", { name: /^timeout/ }).waitFor({ state: "detached" })
    expect(project.read("staging.json")).not.toContain("timeout")
  })

  it("starts from nothing: the first variable, the first environment, the first value", async () => {
    mkdirSync(project.path("apis/mail"))
    writeFileSync(project.path("apis/mail/openapi.json"), '{ "openapi": "3.1.0", "info": {}, "paths": {} }\n')
    await page.getByRole("treeitem", { name: "mail" }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/#/apis/mail/environments`)
    await page.getByText("Declare the first variable").waitFor()
    await page.getByRole("button", { name: "New variable" }).click()
    await page.getByRole("button", { name: "Declare" }).click()
    await page.getByRole("alert").getByText("Enter a name.").waitFor()
    await page.getByRole("textbox", { name: "Name" }).fill("baseUrl")
    await page.getByLabel("Required").check()
    await page.getByRole("button", { name: "Declare" }).click()
    await page.getByText("Create the first environment").waitFor()
    await page.getByRole("button", { name: "New environment" }).first().click()
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("Enter a name.").waitFor()
    await page.getByRole("textbox", { name: "Name" }).fill("local")
    await page.getByRole("button", { name: "Create" }).click()
    const cell = await cellOf(page, "baseUrl", "local")
    await says(cell, "missing")
    await typeInto(page, cell, "http://127.0.0.1:8080")
    await says(cell, /^http:\/\/127\.0\.0\.1:8080$/)
    const { stdout } = await callsheet(["env", "read", "mail", "local", "--json"], {
      folder: project.path(""),
    })
    expect(stdout).toContain("http://127.0.0.1:8080")
  })

  it("works with the keyboard only", async () => {
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("new environment in shop")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "New environment" }).waitFor()
    await page.keyboard.type("demo")
    await page.keyboard.press("Tab")
    await page.keyboard.type("base")
    for (const key of ["Tab", "Tab", "Tab", "Enter"]) await page.keyboard.press(key)
    await page.getByRole("heading", { level: 1, name: "demo" }).waitFor()
    // Tab moves from the sidebar to the main part, and then to the only focusable cell.
    for (let step = 0; step < 20; step++) {
      const role = await page.evaluate(() => document.activeElement?.getAttribute("role"))
      if (role === "gridcell") break
      await page.keyboard.press("Tab")
    }
    await page.keyboard.press("ArrowDown")
    await page.keyboard.type("1500")
    await page.keyboard.press("Tab")
    await says(await cellOf(page, "timeout", "demo"), /^1500$/)
    await page.keyboard.press("Control+Home")
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Variable")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")
    await page.getByRole("menu").waitFor()
    await page.keyboard.press("Escape")
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("baseUrl")
    await page.keyboard.press("Control+End")
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("env-cell-4-4")
    expect(JSON.parse(project.read("demo.json"))).toMatchObject({ timeout: 1500 })
  })
})

async function openMenu(
  page: Page,
  name: string,
  item: string,
  role: "columnheader" | "rowheader" = "columnheader",
): Promise<void> {
  const head = page.getByRole(role, { name: new RegExp(`^${name}\\b`) })
  await head.click()
  await page.keyboard.press("Enter")
  await page.getByRole("menuitem", { name: item }).click()
}
