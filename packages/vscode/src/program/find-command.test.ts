import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { findCommand, findServer, type CommandPlace } from "./find-command.ts"
import { isRecentEnough } from "./recent-enough.ts"

let top: string
let place: CommandPlace
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "callsheet-test-"))
  const workspace = join(top, "workspace")
  place = {
    extension: join(top, "extension"),
    workspace,
    root: join(workspace, "tests/shop"),
    isTrusted: true,
  }
  addPackage(join(place.extension, "dist"), "0.1.0")
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

/** Installs a callsheet in a directory, and returns its entry. */
function addPackage(folder: string, version: string): string {
  const own = join(folder, "node_modules/callsheet")
  mkdirSync(join(own, "bin"), { recursive: true })
  writeFileSync(join(own, "package.json"), JSON.stringify({ version }))
  writeFileSync(join(own, "bin/callsheet.js"), "")
  return join(own, "bin/callsheet.js")
}

describe("the command that runs workflows", () => {
  it("is the nearest one of the project, up to the workspace folder", () => {
    addPackage(top, "9.0.0")
    expect(findCommand(place)).toMatchObject({ isBundled: true, version: "0.1.0" })
    const entry = addPackage(place.workspace, "0.2.0")
    expect(findCommand(place)).toEqual({ entry, version: "0.2.0", isBundled: false })
    const nearer = addPackage(place.root, "0.3.0")
    expect(findCommand(place)).toMatchObject({ entry: nearer })
  })

  it("is the bundled one if that of the project is too old, broken or not trusted", () => {
    addPackage(place.root, "0.0.9")
    expect(findCommand(place).isBundled).toBe(true)
    const entry = addPackage(place.root, "0.1.0")
    expect(findCommand({ ...place, isTrusted: false }).isBundled).toBe(true)
    rmSync(entry)
    expect(findCommand(place).isBundled).toBe(true)
  })
})

describe("the command that serves the language", () => {
  it("is that of the project only if it has callsheet-lsp, too", () => {
    addPackage(place.root, "0.1.0")
    expect(findServer(place).isBundled).toBe(true)
    const server = join(place.root, "node_modules/callsheet-lsp")
    mkdirSync(server)
    writeFileSync(join(server, "package.json"), "{}")
    expect(findServer(place).isBundled).toBe(false)
  })
})

describe("a version", () => {
  it.each([
    ["0.1.0", true],
    ["0.1.0-rc.1", true],
    ["0.10.0", true],
    ["1.0.0", true],
    ["0.0.99", false],
    ["x", false],
    [undefined, false],
  ])("%s is recent enough: %s", (version, isEnough) => {
    expect(isRecentEnough(version, "0.1.0")).toBe(isEnough)
  })
})
