// A real VS Code with the packed extension and a copy of the sample project, in a browser. Installs it once, outside the
// repository.

import { execFile, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Browser, Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { startSampleApi, type SampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { launchBrowser } from "../app-page/chromium.ts"
import { vsix } from "./pack-extension.ts"

const run = promisify(execFile)
const home = process.env["CALLSHEET_VSCODE"] ?? join(homedir(), ".cache/callsheet-tests/vscode")
const sample = fileURLToPath(new URL("../../examples/shop", import.meta.url))
/** A directory for screenshots. Without it, none are taken. */
const pictures = process.env["CALLSHEET_PICTURES"]
const PATIENCE_MS = 60_000
const MONOSPACE = "DejaVu Sans Mono"

export interface OpenOptions {
  readonly isTrusted: boolean
  /** Changes files of the sample project. Receives the project's directory. */
  readonly prepare?: (folder: string) => void
}

export class VsCode {
  readonly page: Page
  readonly folder: string
  readonly #user: string
  readonly #close: () => Promise<void>

  constructor(
    page: Page,
    { folder, user, close }: { folder: string; user: string; close: () => Promise<void> },
  ) {
    this.page = page
    this.folder = folder
    this.#user = user
    this.#close = close
  }

  /** Runs a command of the palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1")
    await this.#take(`>${title}`, title)
    // The next list must not close with this one.
    await this.page.getByPlaceholder("Type the name of a command").waitFor({ state: "hidden" })
  }

  /** Takes a row of a list with this title, as soon as it is open. */
  async choose(title: string, row: string): Promise<void> {
    const list = this.page.locator(".quick-input-title").filter({ hasText: title })
    await list.waitFor()
    await this.#take(row, row)
    await list.waitFor({ state: "hidden" })
  }

  /**
   * Types a path into a dialog of VS Code, as soon as it shows its own. The caller accepts it. The dialog ignores Enter
   * until it lists the typed file.
   */
  async typePath(title: string, path: string): Promise<void> {
    await this.page.locator(".quick-input-title").filter({ hasText: title }).waitFor()
    await expect.poll(() => this.input.inputValue(), { timeout: PATIENCE_MS }).toContain(this.folder)
    await this.input.fill(path)
    if (!existsSync(path)) return
    const rows = this.page.locator(".quick-input-list .monaco-list-row")
    await rows
      .filter({ hasText: basename(path) })
      .first()
      .waitFor()
  }

  async #take(typed: string, row: string): Promise<void> {
    await this.input.waitFor()
    await this.input.fill(typed)
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: row }).first().click()
  }

  /** The field of a list or an input box. */
  get input(): Locator {
    return this.page.locator(".quick-input-widget input.input")
  }

  /** Opens a file, and puts the cursor in a line. */
  async open(path: string, line = 1): Promise<void> {
    const name = path.split("/").at(-1) ?? path
    await this.page.keyboard.press("Control+P")
    await this.#take(path, name)
    await this.page.locator(".tab.active").filter({ hasText: name }).waitFor()
    await this.goTo(line)
  }

  /** Puts the cursor in a line of the open file. */
  async goTo(line: number): Promise<void> {
    await this.page.keyboard.press("Control+G")
    await this.#take(`:${line}`, String(line))
    await this.input.waitFor({ state: "hidden" })
  }

  /** Shows the Test Explorer, and returns the row of a test. */
  async test(label: string): Promise<Locator> {
    await this.command("Testing: Focus on Test Explorer View")
    return this.page.locator(".test-explorer .monaco-list-row").filter({ hasText: label }).first()
  }

  /** Presses a button in the row of a test. */
  async press(label: string, button: string): Promise<Locator> {
    const row = await this.test(label)
    await row.hover()
    await row.getByRole("button", { name: button, exact: true }).click()
    return row
  }

  /** Clicks the code lens that starts with a title, right above a line of the open file. */
  async lens(line: number, title: string): Promise<void> {
    await this.goTo(line)
    const number = this.page.locator(".line-numbers").getByText(String(line), { exact: true })
    const lenses = this.page.locator(".codelens-decoration a").filter({ hasText: title })
    // VS Code adds and moves lenses one after the other, so another one may be the nearest for a moment.
    const click = async (): Promise<boolean> => {
      const at = await number.boundingBox()
      for (const lens of await lenses.elementHandles()) {
        const own = await lens.boundingBox()
        const distance = (at?.y ?? Infinity) - (own?.y ?? 0)
        if (distance <= 0 || distance > 1.5 * (at?.height ?? 0)) continue
        await lens.click()
        return true
      }
      return false
    }
    await expect.poll(click, { timeout: PATIENCE_MS }).toBe(true)
  }

  /** Returns the lines of the open file that are on screen. VS Code shows each space as a no-break space. */
  async text(): Promise<string> {
    const shown = await this.page.locator(".editor-instance .view-lines").last().innerText()
    return shown.replaceAll("\u00A0", " ")
  }

  /** Returns the list of problems, with their positions. */
  async problems(): Promise<string> {
    await this.command("Problems: Focus on Problems View")
    return this.page.locator(".markers-panel").innerText()
  }

  /** Returns what the extension logged. */
  log(): string {
    const logs = readdirSync(this.#user, { recursive: true, encoding: "utf8" })
    return logs
      .filter((path) => path.endsWith("callsheet.log"))
      .map((path) => readFileSync(join(this.#user, path), "utf8"))
      .join("")
  }

  async picture(name: string): Promise<void> {
    if (pictures === undefined) return
    mkdirSync(pictures, { recursive: true })
    await this.page.screenshot({ path: join(pictures, `${name}.png`) })
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** Starts everything. The caller closes it. */
export async function openVscode({ isTrusted, prepare }: OpenOptions): Promise<VsCode> {
  const { node, entry } = await installOnce()
  const top = mkdtempSync(join(tmpdir(), "callsheet-vscode-"))
  const folder = join(top, "shop")
  const user = join(top, "user")
  const api = await startSampleApi()
  copySample(folder, api)
  prepare?.(folder)
  writeSettings(user, isTrusted)
  const shared = [
    "--user-data-dir",
    user,
    "--extensions-dir",
    join(top, "extensions"),
    "--config",
    join(top, "config.yaml"),
  ]
  await run(node, [entry, ...shared, "--install-extension", vsix])
  const server = spawn(
    node,
    [
      entry,
      ...shared,
      "--auth",
      "none",
      "--bind-addr",
      "127.0.0.1:0",
      "--disable-telemetry",
      "--disable-update-check",
      folder,
    ],
    { stdio: ["ignore", "pipe", "ignore"], detached: true, env: { ...process.env, HOME: top } },
  )
  const browser = await launchBrowser()
  const close = async (): Promise<void> => {
    await closeAll(browser, server, api)
    // A process of the server may still write its last lines.
    rmSync(top, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  try {
    const page = await openPage(browser, `${await addressOf(server)}/?folder=${folder}`)
    // VS Code lists the commands of the Test Explorer as soon as there are tests.
    if (isTrusted) await page.locator('.activitybar a[aria-label="Testing"]').waitFor()
    return new VsCode(page, { folder, user, close })
  } catch (error) {
    await close()
    throw error
  }
}

async function installOnce(): Promise<{ readonly node: string; readonly entry: string }> {
  const script = fileURLToPath(new URL("../../scripts/vscode-server.mjs", import.meta.url))
  const { stdout } = await run(process.execPath, [script, home])
  return JSON.parse(stdout) as { node: string; entry: string }
}

/** Copies the sample project, whose `local` environment then uses the servers of this test. */
function copySample(folder: string, api: SampleApi): void {
  const server = join(sample, "server")
  cpSync(sample, folder, { recursive: true, filter: (path) => path !== server })
  for (const [name, url] of [
    ["shop", api.shopUrl],
    ["payments", api.paymentsUrl],
  ] as const) {
    const file = join(folder, "apis", name, "environments/local.json")
    const values = JSON.parse(readFileSync(file, "utf8")) as object
    writeFileSync(file, JSON.stringify({ ...values, baseUrl: url }, undefined, 2))
  }
}

function writeSettings(user: string, isTrusted: boolean): void {
  const settings = {
    "security.workspace.trust.enabled": !isTrusted,
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": true,
    "editor.minimap.enabled": false,
    "editor.fontFamily": MONOSPACE,
    "terminal.integrated.fontFamily": MONOSPACE,
    "testing.automaticallyOpenPeekView": "never",
    "files.hotExit": "off",
    "remote.autoForwardPorts": false,
  }
  mkdirSync(join(user, "User"), { recursive: true })
  writeFileSync(join(user, "User/settings.json"), JSON.stringify(settings))
}

function addressOf(server: ChildProcess): Promise<string> {
  let text = ""
  return new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`the server did not start\n${text}`)))
    // Reads to the end, because the server writes to this pipe as long as it runs.
    server.stdout?.on("data", (chunk: Buffer) => {
      text = `${text}${chunk.toString()}`.slice(-10_000)
      const [, address] = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? []
      if (address !== undefined) resolve(address)
    })
  })
}

async function openPage(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await page.goto(address)
  await page.locator(".monaco-workbench").waitFor()
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor()
  return page
}

async function closeAll(browser: Browser, server: ChildProcess, api: SampleApi): Promise<void> {
  await browser.close()
  // The server is several processes, which are one group.
  if (server.pid !== undefined && server.exitCode === null) {
    process.kill(-server.pid, "SIGKILL")
    await once(server, "exit")
  }
  await api.close()
}
