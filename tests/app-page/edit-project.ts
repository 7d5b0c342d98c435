// A project on disk. Its files are edited on the page of the real command, which can be restarted.

import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { callsheet, createFolder, restoreFiles, type Files } from "../harness/callsheet.ts"

export interface EditProject {
  /** The project's root. */
  readonly folder: string
  /** A fresh link of the app. */
  readonly link: () => Promise<string>
  /** Stops the app and starts it again at another port. */
  readonly restart: () => Promise<void>
  readonly end: () => Promise<void>
  /**
   * Restores the files of the start, without drafts and runs, for the next test. The app keeps running. Returns a fresh
   * link, which the app makes after it has kept the last drafts of closed pages.
   */
  readonly reset: () => Promise<string>
  readonly read: (path: string) => Promise<string>
  readonly write: (path: string, content: string | Uint8Array) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  /** Links a package of this repository into the project. */
  readonly install: (name: string) => Promise<void>
  readonly callsheet: (words: readonly string[]) => ReturnType<typeof callsheet>
  readonly close: () => Promise<void>
}

export async function startEditProject(files: Files): Promise<EditProject> {
  const folder = await createFolder(files)
  const home = await createFolder()
  const state = join(home, "state")
  const env = { HOME: home, XDG_STATE_HOME: state }
  let command: RunningCommand | undefined = await startCommand({ cwd: folder, env })
  const link = async (): Promise<string> => {
    if (command === undefined) throw new Error("the app has ended")
    return command.nextLink()
  }
  const end = async (): Promise<void> => {
    await command?.end("SIGINT")
    command = undefined
  }
  return {
    folder,
    link,
    end,
    restart: async () => {
      await end()
      command = await startCommand({ cwd: folder, env })
    },
    reset: async () => {
      const fresh = await link()
      await restoreFiles(folder, files)
      for (const kind of ["drafts", "runs", "sends"])
        await rm(join(state, "callsheet", kind), { recursive: true, force: true })
      return fresh
    },
    read: (path) => readFile(join(folder, path), "utf8"),
    write: (path, content) => writeFile(join(folder, path), content),
    remove: (path) => rm(join(folder, path)),
    install: async (name) => {
      await mkdir(join(folder, "node_modules"), { recursive: true })
      const source = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
      await symlink(source, join(folder, "node_modules", name), "junction")
    },
    callsheet: (words) => callsheet(words, { folder, env }),
    close: async () => {
      await end()
      await Promise.all([folder, home].map((path) => rm(path, { recursive: true, force: true })))
    },
  }
}

/** Shows a route of an open page. */
export async function showPlace(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    // Avoid the page's types, which not every test has.
    const { location } = globalThis as unknown as { readonly location: { hash: string } }
    location.hash = to
  }, hash)
}

/** Chooses the environment of the project, when a workflow, suite or request is shown and hears its keys. */
export async function chooseEnvironment(page: Page, name: string): Promise<void> {
  await page.getByRole("form", { name: /^(?:Run|Send)$/ }).waitFor()
  await page.getByLabel("Environment", { exact: true }).selectOption(name)
}

/** Returns the text of the open file's toolbar. */
export const saveState = (page: Page) => page.locator(".save-bar-state")

/** The code editor's input. */
export const editor = (page: Page) => page.locator(".code-editor").getByRole("textbox", { name: /^Text of/ })

/** The lines that the editor shows, as a user sees them. */
export const shownText = (page: Page): Promise<string> =>
  page
    .locator(".code-editor .cm-content .cm-line")
    .allTextContents()
    .then((lines) => lines.join("\n"))

/** Moves the cursor to the end of the text and types. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press("Control+End")
  await page.keyboard.type(text)
}
