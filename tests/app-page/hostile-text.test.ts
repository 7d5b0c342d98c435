// Names and texts of a project are shown as text, run nothing, and do not break the layout.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ProjectContent, serveProject, type TestProject } from "./test-project.ts"
import { environmentsView } from "./environments-view.ts"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"

const hostile: readonly string[] = [
  "<script>document.title='owned'</script>",
  "<img src=x onerror=\"document.title='owned'\">",
  "javascript:document.title='owned'",
  "{{constructor.constructor('document.title=1')()}}",
  "'\"><svg/onload=document.title='owned'>",
  "a".repeat(10_000),
  "\u05d0\u05d1\u05d2 \u202eevil\u202c \u0627\u0644\u0639",
  "👩‍👩‍👧‍👦🏳️‍🌈".repeat(200),
  "line\nbreak\ttab\u0000nul\u001b[31mescape\u0007",
  "half \ud800 a pair",
  "__proto__",
  "constructor",
  "Z\u0351\u036b".repeat(300),
  "../../etc/passwd",
  "%2e%2e%2f#/problems?x=1&y",
]

const content: ProjectContent = {
  project: {
    name: hostile[1] ?? "",
    // API names are directory names that the format allows. The server knows no others.
    apis: hostile.map((text, index) => ({
      name: `api-${index}`,
      document: { file: text },
      environments: [{ name: text, level: "production", extends: text }],
      requests: [{ resource: text, name: text, description: text, target: text }],
    })),
    workflows: hostile.map((text) => ({ name: text, apis: ["api-0", text], blocks: 1 })),
  },
  problems: hostile.map((text) => ({
    code: "field-value",
    severity: "error",
    message: text,
    file: text,
    line: 1,
    column: 1,
    hint: text,
  })),
  operations: Object.fromEntries(
    hostile.map((text, index) => [
      `api-${index}`,
      [{ name: text, method: "GET", path: text, resources: [text], summary: text, deprecated: true }],
    ]),
  ),
}

/** Names of environments and variables are those that the format allows. Values and descriptions are anything. */
const hostileEnvironments = (api: string) =>
  environmentsView(
    api,
    content.project.apis
      .flatMap(({ environments }) => environments)
      .map((environment) => ({ ...environment, extends: hostile[0] ?? "" })),
    {
      variables: hostile.map((text) => ({
        name: text,
        type: "string",
        required: true,
        secret: false,
        description: text,
        processVariable: text,
      })),
      own: (environment, { name }) => (environment === name ? undefined : name),
    },
  )

describe.runIf(hasBrowser)("hostile text", () => {
  const { open } = useBrowser()
  let served: TestProject
  beforeAll(async () => {
    served = await serveProject({
      ...content,
      calls: { "environments.read": async ({ api }) => hostileEnvironments(api) },
    })
  })
  afterAll(() => served.app.close())

  it("is text in every view, and keeps the layout", async () => {
    // The server rejects names that the format does not allow.
    const page = await open(served.app.makeLink("anyone"), {
      expected: /status of 400.*\/api\/(?:files|impact|mocks)\.read/,
    })
    await page.getByRole("heading", { level: 1 }).waitFor()
    const views = hostile.flatMap((text, index) => {
      const name = encodeURIComponent(text.toWellFormed())
      const api = `api-${index}`
      return [
        `#/workflows/${name}`,
        `#/apis/${api}`,
        `#/apis/${api}/operations/GET/${name}`,
        `#/apis/${api}/environments/${name}`,
        `#/apis/${api}/requests/${name}/${name}`,
      ]
    })
    for (const view of ["#/", "#/problems", ...views]) {
      await page.evaluate((hash) => {
        window.location.hash = hash
      }, view)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await expect.poll(() => page.title()).toMatch(/<img src=x .* · callsheet$/)
      const state = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        main:
          (document.querySelector("main")?.scrollWidth ?? 0) -
          (document.querySelector("main")?.clientWidth ?? 0),
        elements: document.querySelectorAll(":is(main, nav) :is(script, img, svg:not(.lucide[aria-hidden]))")
          .length,
      }))
      expect(state, view.slice(0, 80)).toMatchObject({ width: 1280, main: 0, elements: 0 })
    }
  })

  it("shows invisible characters as symbols", async () => {
    const page = await open(served.app.makeLink("anyone"))
    await page.getByRole("link", { name: /^Problems/ }).click()
    const text = (await page.getByRole("main").textContent()) ?? ""
    expect(text).toContain("tab␀nul␛[31mescape␇".slice(3))
    expect(text).toContain("[U+202E]evil[U+202C]")
    expect(text).not.toMatch(/[\u202a-\u202e\u0000\u001b]/)
  })

  it("is found and opened by the search", async () => {
    const page = await open(served.app.makeLink("anyone"))
    const search = page.getByRole("combobox", { name: "Search" })
    await search.fill("<script>")
    await page.getByRole("listbox", { name: "Search results" }).getByRole("option").first().waitFor()
    await search.press("Enter")
    await page.getByRole("heading", { level: 1, name: "<script>" }).waitFor()
  })
})
