// Saved requests in the browser, with the real command and real files: created, filled in, renamed, deleted.

import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { axeFindings } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { editor, showPlace } from "./edit-project.ts"
import {
  addParam,
  openTarget,
  requestPath,
  save,
  showPart,
  typeAndPick,
  type FormProject,
} from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

const place = "#/apis/shop/requests/books/mine"
/** The app stops before the browser does, and a missing file or operation gets an error response. */
const expected = /net::ERR_|status of 40[049]/

describe.runIf(hasBrowser)("saved requests in the browser", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected }, (opened) => ({ project, page } = opened))
  beforeEach(async () => {
    await showPlace(page, place)
    await page.getByRole("heading", { level: 1, name: "mine" }).waitFor()
    await page.getByRole("textbox", { name: "URL", exact: true }).waitFor()
  })

  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const text = () => project.read(requestPath)
  const choose = async (action: string): Promise<void> => {
    await page.getByRole("button", { name: /^More actions for/ }).click()
    await page.getByRole("menuitem", { name: action }).click()
  }

  it("are filled in by fields, and keep every other byte", async () => {
    await expect.poll(() => field("body copies").inputValue()).toBe("9007199254740993")
    await field("body book").fill("{{env.sh")
    await field("Kind of body book").selectOption("text")
    await field("body book").fill("{{env.sh")
    await typeAndPick(page, "o")
    await field("body book").press("End")
    await field("Add body field").click()
    await typeAndPick(page, "gift")
    await field("body gift").selectOption("false")
    await addParam(page, "Query", "x-trace")
    await page.keyboard.type("on")
    await showPart(page, "Settings")
    await field("Timeout").fill("250")
    await page.getByLabel("are followed").uncheck()
    await openTarget(page)
    await field("Description").fill("One order\nof mine")
    await save(page)
    await expect.poll(() => text()).toBe(`{
  "version": 1,
  "description": "One order\\nof mine",
  "operation": "createOrder",
  "params": {
    "query": {
      "x-trace": "on"
    }
  },
  "body": { "book": "{{env.shop}}",  "copies": 9007199254740993,  "gift": false },
  "timeoutMs": 250,
  "followRedirects": false
}
`)
    await showPart(page, "Query")
    await field("query x-trace").fill("")
    await showPart(page, "Settings")
    await field("Timeout").fill("")
    await page.getByLabel("are followed").check()
    await field("Description").fill("")
    await showPart(page, "Body")
    await page.getByRole("button", { name: "Remove body gift" }).click()
    await save(page)
    await expect.poll(() => text()).toBe(`{
  "version": 1,
  "operation": "createOrder",
  "body": { "book": "{{env.shop}}",  "copies": 9007199254740993 }
}
`)
  })

  it("send an operation, or a method and a path, and a body of any type", async () => {
    await openTarget(page)
    await page.getByRole("radio", { name: "a method and a path" }).click()
    await expect.poll(() => field("Method").inputValue()).toBe("POST")
    await field("URL").fill("/files/{id}")
    await field("URL").press("Tab")
    await showPart(page, "Path")
    await field("path id").fill("7")
    await showPart(page, "Body")
    await field("Type").selectOption("multipart")
    await field("Add part").click()
    await page.keyboard.type("scan")
    await page.keyboard.press("Enter")
    await page
      .getByRole("group", { name: "scan" })
      .or(page.locator(".param-row", { hasText: "scan" }))
      .getByLabel("a file")
      .check()
    await field("scan: file").fill("files/a.pdf")
    await field("scan: content type").fill("application/pdf")
    await save(page)
    await expect.poll(() => text()).toBe(`{
  "version": 1,
  "method": "POST",
  "path": "/files/{id}",
  "params": {
    "path": {
      "id": "7"
    }
  },
  "body": { "book": 1,  "copies": 9007199254740993,  "scan": {"file": "files/a.pdf", "contentType": "application/pdf"} },
  "bodyType": "multipart"
}
`)
    await field("Type").selectOption("text")
    await page.getByText("Removed the body because it had another type.").waitFor()
    await field("Text").fill("Dear {{customer}}")
    await save(page)
    await expect.poll(() => text()).toContain('"body": "Dear {{customer}}"')
    await page.getByRole("button", { name: "Remove body" }).click()
    await save(page)
    await expect.poll(() => text()).not.toMatch(/body/)
  })

  it("show problems at their fields, and the text if it does not parse", async () => {
    await showPart(page, "Settings")
    await field("Timeout").fill("-1")
    await page.locator(".form-field", { hasText: "Timeout" }).getByText("expected more than 0").waitFor()
    await field("Timeout").fill("")
    await page.getByRole("tab", { name: "JSON" }).first().click()
    await editor(page).click()
    await page.keyboard.press("Control+End")
    await page.keyboard.type("!")
    await page.getByRole("tab", { name: "Form" }).waitFor({ state: "detached" })
    await editor(page).waitFor()
    await page.keyboard.press("Control+z")
    await page.getByRole("tab", { name: "Form" }).waitFor()
    await expect.poll(() => text()).toContain('"copies": 9007199254740993')
  })

  it("are created from an operation, copied, renamed and deleted", async () => {
    await showPlace(page, "#/apis/shop/operations/POST/%2Forders")
    await page.getByRole("button", { name: "Save as request" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("a/b")
    await page.keyboard.press("Enter")
    await dialog.getByText('must not contain "/"').waitFor()
    await dialog.getByLabel("Name").fill("fresh")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "fresh" }).waitFor()
    await expect
      .poll(() => project.read("apis/shop/requests/orders/fresh.json"))
      .toBe('{\n  "version": 1,\n  "operation": "createOrder",\n  "body": {\n    "book": 0\n  }\n}\n')
    await choose("Duplicate…")
    await expect.poll(() => dialog.getByLabel("Name").inputValue()).toBe("fresh copy")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "fresh copy" }).waitFor()
    await choose("Rename…")
    await dialog.getByLabel("Name").fill("fresh")
    await page.keyboard.press("Enter")
    await dialog.getByText("A saved request with this name already exists.").waitFor()
    await dialog.getByLabel("Resource").fill("others")
    await page.keyboard.press("Enter")
    await page.locator(".bench-head").getByText("others").waitFor()
    await expect.poll(() => project.read("apis/shop/requests/others/fresh.json")).toContain("createOrder")
    await choose("Delete…")
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel")
    await dialog.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor()
    await expect(project.read("apis/shop/requests/others/fresh.json")).rejects.toThrow("ENOENT")
  })

  it("are renamed with the blocks that use them, after a preview, and list those blocks before they are deleted", async () => {
    const flow = "apis/workflow/flow.json"
    const blocks =
      '{"version":1, "blocks":[ {"id":"send","type":"request", "request":{"api":"shop","resource":"books","instance":"mine"}}]}'
    await project.write(flow, blocks)
    const request = await text()
    await choose("Rename…")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Resource").fill("orders")
    await dialog.getByLabel("Name").fill("yours")
    await page.keyboard.press("Enter")
    await dialog.getByText("2 files will change:").waitFor()
    // A conflict that appears since is reported, and the plan is made again.
    await project.write(flow, `${blocks}\n`)
    await dialog.getByRole("button", { name: "Rename in 2 files" }).click()
    await dialog.getByText("Files changed on disk").waitFor()
    await expect.poll(() => project.read(flow)).toBe(`${blocks}\n`)
    await dialog.getByRole("button", { name: "Rename in 2 files" }).click()
    await page.getByRole("heading", { level: 1, name: "yours" }).waitFor()
    await expect
      .poll(() => project.read(flow))
      .toBe(`${blocks.replace("books", "orders").replace("mine", "yours")}\n`)
    await expect.poll(() => project.read("apis/shop/requests/orders/yours.json")).toBe(request)
    await choose("Delete…")
    await dialog.getByText("1 block uses it and can't run without it:").waitFor()
    await dialog.getByText("flow: send").waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})
