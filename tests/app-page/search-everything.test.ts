// The palette finds texts in all files of the project.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startEditProject, type EditProject } from "./edit-project.ts"

const files = {
  "apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      apiKey: { type: "string", required: true, secret: true },
      region: { type: "string", required: false },
    },
  },
  "apis/shop/environments/local.json": { level: "local", region: "north-pole" },
  "apis/shop/environments/local.secrets.env": "apiKey=planted-secret-41\n",
  "apis/workflow/flow.json": {
    version: 1,
    blocks: [
      {
        id: "outer",
        type: "group",
        blocks: [
          {
            id: "deep-one",
            type: "transform",
            description: "Counts penguins",
            transforms: { a: "planted-secret-41" },
          },
        ],
      },
    ],
  },
  "apis/workflow/scripts/flow/check.ts": "export const check = () => 'walrus'\n",
}

describe.runIf(hasBrowser)("the palette", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())

  it("finds block ids, descriptions, values and scripts, opens their place, and finds no secret", async () => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name: /^flow/ }).waitFor()
    const find = async (query: string): Promise<void> => {
      await page.keyboard.press("Control+k")
      // At once, because the page asks when the user stops typing.
      await page.keyboard.insertText(query)
    }
    const hit = (text: string) => page.getByRole("option").filter({ hasText: text })
    const answered = page.waitForResponse((response) => response.url().endsWith("/files.find"))
    await find("planted-secret-41")
    await answered
    await page.getByText("Nothing found").waitFor()
    await page.keyboard.press("Escape")
    await find("walrus")
    await hit("scripts/flow/check.ts").waitFor()
    await page.keyboard.press("Escape")
    await find("north-pole")
    await hit("local.json").waitFor()
    await page.keyboard.press("Escape")
    await page.route("**/files.find", () => undefined, { times: 1 })
    const cancelled = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/files.find"))
    const asked = page.waitForRequest((request) => request.url().endsWith("/files.find"))
    await find("penguin")
    await asked
    await page.keyboard.type("s")
    expect((await cancelled).postData()).toContain('"penguin"')
    await hit("flow.json · deep-one").waitFor()
    await page.keyboard.press("Enter")
    const selected = page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]")
    await selected.getByText("deep-one", { exact: true }).waitFor()
  })
})
