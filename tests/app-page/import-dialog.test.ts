// The dialog that imports requests, as teams use it: files and folders that they drop, mistakes, and what the preview says.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { createFolder, readText } from "../harness/callsheet.ts"
import { splitCollection } from "../import/split-collection.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startInEmptyFolder } from "./empty-folder.ts"

const key = "sk_live_9f8e7d6c5b4a39281706f5e4d3c2b1a0"

const collection = {
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{accessToken}}" }] },
  variable: [{ key: "accessToken", value: key }],
  item: [{ name: "orders", request: { method: "GET", url: "https://a.example/orders" } }],
}

const bruno = {
  "users/bruno.json": '{"version":"1","name":"Users","type":"collection"}',
  "users/Admin/list.bru":
    "meta {\n  name: list\n  type: http\n}\n\nget {\n  url: https://a.example/users\n}\n",
  "users/.git/config.json": "{}",
  "notes/readme.md": "# Notes\n",
}

const text = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
})

/** Drops files and folders of this machine on an element, as a user does. */
async function drop(page: Page, onto: Locator, paths: readonly string[]): Promise<void> {
  const box = await onto.boundingBox()
  const session = await page.context().newCDPSession(page)
  const place = { x: Math.round((box?.x ?? 0) + 4), y: Math.round((box?.y ?? 0) + 4) }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...place, data })
}

describe.runIf(hasBrowser)("the import dialog", () => {
  const { open } = useBrowser()

  const begin = async () => {
    const { folder, command } = await startInEmptyFolder()
    const page = await open(command.link, { expected: /api\// })
    await page.getByRole("main").getByRole("button", { name: "Import requests" }).click()
    const dialog = page.getByRole("dialog")
    const files = dialog.getByLabel("Files", { exact: true })
    await files.waitFor({ state: "attached" })
    const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click()
    const alert = async () => (await dialog.getByRole("alert").textContent())?.trim()
    return { folder, page, dialog, files, press, alert }
  }

  it("takes a dropped Bruno folder, without the files of git, and refuses others", async () => {
    const place = await createFolder()
    for (const [path, content] of Object.entries(bruno)) {
      mkdirSync(join(place, path, ".."), { recursive: true })
      writeFileSync(join(place, path), content)
    }
    const { folder, page, dialog, press, alert } = await begin()
    const onto = dialog.getByText("Or paste text")
    await drop(page, onto, [join(place, "notes")])
    await expect.poll(alert).toBe("The folder notes has no collection: no .bru, .yml or .json files.")
    await drop(page, onto, [join(place, "notes"), join(place, "users")])
    await expect.poll(alert).toBe("Drop one folder. A collection has only one.")
    await drop(page, onto, [join(place, "users")])
    await dialog.getByText("users (2 files)").waitFor()
    await expect.poll(alert).toBe("")
    await press("Remove users (2 files)")
    await expect.poll(() => dialog.getByText("users (2 files)").count()).toBe(0)
    await drop(page, onto, [join(place, "users")])
    await press("Preview")
    await dialog.getByText("1 request of the API users: 1 saved request, 1 workflow.").waitFor()
    await press("Import")
    await page.getByRole("region", { name: "After the import" }).waitFor()
    await expect.poll(() => readText(folder, "apis/users/requests/admin/list.json")).toContain("/users")
    await page.getByText("no OpenAPI document describes it").waitFor()
  })

  it("keeps the page if a file is dropped next to the form", async () => {
    const { dialog } = await begin()
    const isKept = (kind: "file" | "text") =>
      dialog.getByRole("heading", { name: "Import requests" }).evaluate((element, kind) => {
        const dataTransfer = new DataTransfer()
        if (kind === "file") dataTransfer.items.add(new File(["{}"], "shop.json"))
        else dataTransfer.setData("text/plain", "curl https://a.example")
        // A browser opens a dropped file unless the page prevents it.
        return !element.dispatchEvent(
          new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }),
        )
      }, kind)
    await expect.poll(() => isKept("file")).toBe(true)
    await expect.poll(() => isKept("text")).toBe(false)
  })

  it("says what is wrong with what it is given, and what to do", async () => {
    const { dialog, files, press, alert } = await begin()
    await press("Preview")
    await expect.poll(alert).toBe("Choose files or a folder, or paste text.")
    await files.setInputFiles(text("photo.png", Uint8Array.from([0x89, 0x50, 0x4e, 0x47])))
    await press("Preview")
    await expect.poll(alert).toMatch(/^photo\.png: the file is not UTF-8: byte 0 is invalid\. Save the file/)
    await press("Remove photo.png")
    await files.setInputFiles(text("notes.json", '{"hello":"world"}'))
    await press("Preview")
    await expect.poll(alert).toMatch(/"notes\.json" is not in a format .*callsheet imports Postman/)
    await press("Remove notes.json")
    await files.setInputFiles(text("shop.json", JSON.stringify(collection)))
    await dialog.getByLabel("API (optional)").fill("My Shop")
    await press("Preview")
    await expect.poll(alert).toMatch(/^The name of an API has lowercase letters/)
  })

  it("says which values are secrets and why, and takes the focus to the checklist", async () => {
    const { page, dialog, files, press } = await begin()
    await files.setInputFiles(text("shop.json", JSON.stringify(collection)))
    await press("Preview")
    const secrets = dialog.getByRole("region", { name: "Values in secrets files" })
    await expect.poll(() => secrets.textContent()).toContain("used as credentials: shop.accessToken")
    await expect.poll(() => dialog.textContent()).toContain("so 1 request has the header authorization")
    expect(await page.content()).not.toContain(key)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await press("Import")
    const list = page.getByRole("region", { name: "After the import" })
    await expect.poll(() => list.evaluate((element) => element.matches(":focus"))).toBe(true)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await expect
      .poll(() =>
        list.getByRole("button", { name: "Run 1 workflow" }).evaluate((one) => one.matches(":focus")),
      )
      .toBe(true)
  })

  it("counts the suites of a split collection, and what a document adds", async () => {
    const { dialog, files, press } = await begin()
    const split = splitCollection({ url: "https://a.example", perFolder: 40 })
    await files.setInputFiles(text("shop.json", JSON.stringify(split)))
    await press("Preview")
    await dialog
      .getByText(/^81 requests of the API shop: 81 saved requests, \d workflows, 1 suite\.$/)
      .waitFor()
    await press("Back")
    await press("Remove shop.json")
    await files.setInputFiles(
      text(
        "pets.yaml",
        "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: {/pets: {get: {}, post: {}}}\n",
      ),
    )
    await press("Preview")
    await dialog.getByText("Adds the API pets with 2 operations and 1 environment.").waitFor()
  })
})
