// A project on disk with environments to edit from the page, served by the real command.

import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { createFolder, restoreFiles } from "../harness/callsheet.ts"

export interface EnvironmentsProject {
  readonly command: RunningCommand
  /** A path below `apis/shop/environments`. */
  readonly read: (file: string) => string
  readonly write: (file: string, text: string) => void
  /** A path from the root of the project. */
  readonly path: (file: string) => string
  /** A fresh link of the app. */
  readonly link: () => Promise<string>
  /** Restores the files of the start for the next test. The app keeps running. Returns a fresh link. */
  readonly reset: () => Promise<string>
  readonly close: () => Promise<void>
}

export const stagingSecret = "staging-kettle-71"
export const localSecret = "local-lantern-47"

/** The odd formatting is intended: an edit keeps it. */
export const valueFiles = {
  "schema.json": `{
    "version": 1,
    "variables": {
        "baseUrl": { "type": "string", "required": true, "description": "Where the shop is." },
        "timeout": { "type": "number", "required": false, "default": 5000 },
        "sandbox": { "type": "boolean", "required": false },
        "greeting": { "type": "string", "required": false },
        "apiKey": { "type": "string", "required": true, "secret": true }
    }
}
`,
  "base.json": `{ "baseUrl": "https://base.example", "greeting": "Hello" }\n`,
  "local.json": `{"extends": "base", "level": "local"}\n`,
  "production.json": `{\n\t"extends": "base",\n\t"level": "production"\n}\n`,
  "staging.json": `{\r\n  "extends": "base",\r\n  "level": "staging",\r\n  "timeout": 10000\r\n}\r\n`,
  "staging.secrets.env": `# kept as it is\napiKey=${stagingSecret}\n`,
  "local.secrets.env": `apiKey='${localSecret}'\n`,
} as const

export const workflow = `{
  "version": 1,
  "blocks": [
    {
      "id": "hello", "type": "request", "description": "Says greeting.",
      "request": { "api": "shop", "resource": "words", "operation": "sayHello", "overrides": { "params": { "query": { "words": "{{greeting}}, Ada" } } } }
    }
  ]
}
`

/** The app runs until `close`. */
export async function startEnvironmentsProject(): Promise<EnvironmentsProject> {
  const values = Object.entries(valueFiles).map(
    ([name, text]) => [`apis/shop/environments/${name}`, text] as const,
  )
  const files = {
    ...Object.fromEntries(values),
    "apis/workflow/greet.json": workflow,
    ".gitignore": "*.secrets.env\n",
  }
  const folder = await createFolder(files)
  const home = await createFolder()
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") }
  const command = await startCommand({ cwd: folder, env })
  const at = (file: string): string => join(folder, "apis/shop/environments", file)
  return {
    command,
    read: (file) => readFileSync(at(file), "utf8"),
    write: (file, text) => writeFileSync(at(file), text),
    path: (file) => join(folder, file),
    link: command.nextLink,
    reset: async () => {
      const link = await command.nextLink()
      await restoreFiles(folder, files)
      return link
    },
    close: async () => {
      await command.end("SIGINT")
      for (const made of [folder, home]) rmSync(made, { recursive: true, force: true })
    },
  }
}

/** Shows the table of the shop, or of one of its environments. */
export async function showTable(page: Page, environment?: string): Promise<void> {
  const hash = `#/apis/shop/environments${environment === undefined ? "" : `/${environment}`}`
  await page.goto(`${new URL(page.url()).origin}/${hash}`)
  await page.getByRole("grid").waitFor()
}

/** The cell of a variable in an environment, wherever the table has it. */
export async function cellOf(page: Page, variable: string, environment: string) {
  const column = await page
    .getByRole("columnheader", { name: new RegExp(`^${environment}\\b`) })
    .getAttribute("aria-colindex")
  return page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${variable}\\b`) }) })
    .locator(`[role=gridcell][aria-colindex="${column ?? ""}"]`)
}

/** Types in the focused cell, replacing its content. */
export async function typeInto(
  page: Page,
  cell: { click: () => Promise<void> },
  text: string,
): Promise<void> {
  await cell.click()
  await page.keyboard.press("Enter")
  await page.keyboard.type(text)
  await page.keyboard.press("Enter")
}
