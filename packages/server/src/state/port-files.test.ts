import { spawnSync } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { platform, tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { stateFolder, type ProjectState } from "@callsheet/engine"
import { readPortFiles, writePortFile } from "./port-files.ts"

let folder: string
let place: ProjectState
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-port-"))
  mkdirSync(join(folder, "project"))
  mkdirSync(join(folder, "other"))
  place = { state: join(folder, "state", "callsheet"), root: join(folder, "project") }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const content = { address: "127.0.0.1", port: 4000, owner: "s3cret" }
const files = () => readdirSync(join(place.state, "app"))
const mode = (path: string) => statSync(path).mode & 0o777
const isPosix = platform() !== "win32"

describe("a port file", () => {
  it("is found by the project's directory, and removed when its app stops", () => {
    const remove = writePortFile(place, { ...content, extra: "dropped" } as typeof content)
    expect(readPortFiles(place)).toEqual([content])
    expect(readPortFiles({ ...place, root: join(folder, "other") })).toEqual([])
    remove?.()
    expect(readPortFiles(place)).toEqual([])
    expect(files()).toEqual([])
  })

  it("contains what was passed and nothing else that the app knows", () => {
    writePortFile(place, { ...content, key: "the-key-of-the-session" } as typeof content)
    const text = readFileSync(join(place.state, "app", files()[0] ?? ""), "utf8")
    expect(text).not.toContain("the-key-of-the-session")
  })

  it.runIf(isPosix)("is readable only by its user, in directories that are too", () => {
    writePortFile(place, content)
    expect(mode(join(place.state, "app", files()[0] ?? ""))).toBe(0o600)
    expect([mode(place.state), mode(join(place.state, "app"))]).toEqual([0o700, 0o700])
  })

  it.runIf(isPosix)("restricts a directory that others could read", () => {
    mkdirSync(join(place.state, "app"), { recursive: true })
    chmodSync(place.state, 0o755)
    writePortFile(place, content)
    expect(mode(place.state)).toBe(0o700)
  })

  it.runIf(isPosix)("is not written through a link", () => {
    mkdirSync(join(folder, "state"), { recursive: true })
    symlinkSync(join(folder, "other"), place.state)
    expect(writePortFile(place, content)).toBeUndefined()
    expect(readdirSync(join(folder, "other"))).toEqual([])
  })

  it("of a killed process is removed by the next one", () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""])
    writePortFile(place, content)
    const [name = ""] = files()
    const own = JSON.parse(readFileSync(join(place.state, "app", name), "utf8")) as object
    const dead = join(place.state, "app", name.replace(/.{5}\.json$/, "dead0.json"))
    writeFileSync(dead, JSON.stringify({ ...own, pid, port: 4001 }))
    expect(readPortFiles(place)).toEqual([content])
    expect(files()).toEqual([name])
  })

  it.runIf(platform() === "linux")("is not written if the system refuses its directory", () => {
    expect(writePortFile({ ...place, state: "/proc/nope/callsheet" }, content)).toBeUndefined()
  })

  it("that is not valid is ignored and kept", () => {
    writePortFile(place, content)
    const [name = ""] = files()
    for (const [at, text] of ["", "{", "[]", "{}", '{"pid":"x"}'].entries())
      writeFileSync(join(place.state, "app", name.replace(/.{5}\.json$/, `0000${at}.json`)), text)
    expect(readPortFiles(place)).toEqual([content])
  })
})

describe.runIf(platform() === "linux")("stateFolder", () => {
  it("is below XDG_STATE_HOME, or ~/.local/state if that is not an absolute path", () => {
    expect(stateFolder({ XDG_STATE_HOME: "/x" })).toBe("/x/callsheet")
    expect(stateFolder({ XDG_STATE_HOME: "x" })).toMatch(/\.local\/state\/callsheet$/)
    expect(stateFolder({})).toMatch(/\.local\/state\/callsheet$/)
  })
})
