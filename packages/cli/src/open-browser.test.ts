import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { platform, tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { browserOpener, openBrowser } from "./commands/app.ts"

const address = "http://127.0.0.1:4000/#link=s3cret"
const screen = { DISPLAY: ":0" }

describe("browserOpener", () => {
  it.each(["darwin", "win32"])("AS-06: keeps the address out of the command line on %s", (system) => {
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
  it("passes on arguments and input", async () => {
    const folder = mkdtempSync(join(tmpdir(), "callsheet-open-"))
    const [command, written] = [join(folder, "opener"), join(folder, "written")]
    writeFileSync(
      command,
      `#!/bin/sh\n{ echo "$1"; cat; } > "${written}.part" && mv "${written}.part" "${written}"\n`,
    )
    chmodSync(command, 0o755)
    openBrowser({ command, words: ["word"], input: "input" }, process.env)
    const end = performance.now() + 10_000
    while (!existsSync(written) && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 5))
    expect(readFileSync(written, "utf8")).toBe("word\ninput")
    rmSync(folder, { recursive: true, force: true })
  })

  it("starts no program from the project", async () => {
    const folder = mkdtempSync(join(tmpdir(), "callsheet-open-"))
    const [own, system] = [join(folder, "node_modules/.bin"), join(folder, "bin")]
    for (const place of [own, system]) {
      mkdirSync(place, { recursive: true })
      writeFileSync(join(place, "opener"), `#!/bin/sh\necho x > "${place}/called"\n`)
      chmodSync(join(place, "opener"), 0o755)
    }
    const path = [own, "node_modules/.bin", ".", "", system, process.env["PATH"]].join(":")
    openBrowser({ command: "opener", words: [] }, { PATH: path })
    await vi.waitFor(() => expect(existsSync(join(system, "called"))).toBe(true), { timeout: 10_000 })
    expect(existsSync(join(own, "called"))).toBe(false)
    rmSync(folder, { recursive: true, force: true })
  })

  it("ignores a missing program", async () => {
    openBrowser({ command: "/nowhere/opener", words: [] }, {})
    openBrowser({ command: "/nowhere/opener", words: [], input: "x" }, {})
    // An unhandled error would end the test run before another process ends.
    await once(spawn(process.execPath, ["-e", ""]), "close")
  })
})
