import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { platform, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { browserOpener, openBrowser } from "./open-browser.ts"

const address = "http://127.0.0.1:4000/#link=s3cret"
const screen = { DISPLAY: ":0" }

describe("browserOpener", () => {
  it.each(["darwin", "win32"])("keeps the address out of the command line on %s", (system) => {
    const opener = browserOpener(address, system, {})
    expect(opener?.words.join(" ")).not.toContain("s3cret")
    expect(opener?.input).toContain(address)
  })

  it("needs a display on Linux, and supports no other systems", () => {
    expect(browserOpener(address, "linux", screen)).toEqual({ command: "xdg-open", words: [address] })
    expect(browserOpener(address, "linux", { WAYLAND_DISPLAY: "wayland-0" })?.command).toBe("xdg-open")
    expect(browserOpener(address, "linux", { DISPLAY: "" })).toBeUndefined()
    expect(browserOpener(address, "freebsd", screen)).toBeUndefined()
  })
})

describe.skipIf(platform() === "win32")("openBrowser", () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "callsheet-open-"))
    onTestFinished(() => rmSync(made, { recursive: true, force: true }))
    return made
  }
  const writeProgram = (file: string, body: string): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `#!/bin/sh\n${body}\n`)
    chmodSync(file, 0o755)
  }
  const hasStarted = (file: string) =>
    vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 10_000 })

  it("passes on arguments and input", async () => {
    const [root, own] = [folder(), folder()]
    const [command, written] = [join(own, "opener"), join(own, "written")]
    writeProgram(command, `{ echo "$1"; cat; } > "${written}.part" && mv "${written}.part" "${written}"`)
    openBrowser({ command, words: ["word"], input: "input" }, { root, processEnvironment: process.env })
    await hasStarted(written)
    expect(readFileSync(written, "utf8")).toBe("word\ninput")
  })

  it("starts no program from the project, and neither does the program that it starts", async () => {
    const [root, outside] = [folder(), folder()]
    const own = [join(root, "tools"), join(root, "node_modules/.bin")]
    const system = join(outside, "bin")
    for (const place of [...own, system]) {
      writeProgram(join(place, "opener"), `helper; echo x > "${place}/called"`)
      writeProgram(join(place, "helper"), `echo x > "${place}/helped"`)
    }
    const path = [...own, "node_modules/.bin", ".", "", system, process.env["PATH"]].join(":")
    openBrowser({ command: "opener", words: [] }, { root, processEnvironment: { PATH: path } })
    await hasStarted(join(system, "called"))
    expect(existsSync(join(system, "helped"))).toBe(true)
    for (const place of own)
      for (const mark of ["called", "helped"]) expect(existsSync(join(place, mark))).toBe(false)
  })

  it("ignores a missing program", async () => {
    const place = { root: folder(), processEnvironment: {} }
    openBrowser({ command: "/nowhere/opener", words: [] }, place)
    openBrowser({ command: "/nowhere/opener", words: [], input: "x" }, place)
    // An unhandled error would end the test run before another process ends.
    await once(spawn(process.execPath, ["-e", ""]), "close")
  })
})
