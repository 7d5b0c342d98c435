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
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { CallsheetError } from "@callsheet/format"
import { CallerPath, ProjectPath } from "@callsheet/project"
import { openReportFile } from "./report-file.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-report-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (name: string) => openReportFile(CallerPath.from(folder, name))

function failureOf(action: () => unknown): CallsheetError {
  try {
    action()
  } catch (error) {
    if (error instanceof CallsheetError) return error
    throw error
  }
  throw new Error("nothing was thrown")
}

describe("openReportFile", () => {
  it("creates the directory and writes the whole text", () => {
    const file = open("a/b/report.json")
    file.output.write("one ")
    file.output.write("two ü")
    file.commit()
    expect(readFileSync(join(folder, "a/b/report.json"), "utf8")).toBe("one two ü")
    expect(readdirSync(join(folder, "a/b"))).toEqual(["report.json"])
  })

  it("keeps the old report until the new one is complete", () => {
    writeFileSync(join(folder, "r.xml"), "old")
    const file = open("r.xml")
    file.output.write("new")
    expect(readFileSync(join(folder, "r.xml"), "utf8")).toBe("old")
    file.commit()
    expect(readFileSync(join(folder, "r.xml"), "utf8")).toBe("new")
  })

  it("is not disturbed by leftovers of killed processes with the same id", () => {
    for (let at = 0; at < 100; at++) writeFileSync(join(folder, `.r.xml.${process.pid}-${at}.tmp`), "half")
    const file = open("r.xml")
    file.output.write("new")
    file.commit()
    expect(readFileSync(join(folder, "r.xml"), "utf8")).toBe("new")
  })

  it("leaves no file when it is discarded", () => {
    writeFileSync(join(folder, "r.xml"), "old")
    const file = open("r.xml")
    file.output.write("new")
    file.discard()
    expect(readdirSync(folder)).toEqual(["r.xml"])
    expect(readFileSync(join(folder, "r.xml"), "utf8")).toBe("old")
  })

  it("is never writable for others, and keeps the mode of the file that it replaces", () => {
    const mask = process.umask(0)
    try {
      open("new.json").commit()
      expect(statSync(join(folder, "new.json")).mode & 0o777).toBe(0o644)
      writeFileSync(join(folder, "private.json"), "")
      chmodSync(join(folder, "private.json"), 0o600)
      open("private.json").commit()
      expect(statSync(join(folder, "private.json")).mode & 0o777).toBe(0o600)
    } finally {
      process.umask(mask)
    }
  })

  it("writes through a link, and keeps the link", () => {
    writeFileSync(join(folder, "real.json"), "old")
    symlinkSync("real.json", join(folder, "link.json"))
    const file = open("link.json")
    file.output.write("new")
    file.commit()
    expect(readFileSync(join(folder, "real.json"), "utf8")).toBe("new")
    expect(readdirSync(folder).sort()).toEqual(["link.json", "real.json"])
  })

  it("writes directly to a device", () => {
    const file = openReportFile(CallerPath.from("/", "/dev/null"))
    file.output.write("gone")
    file.commit()
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true)
  })

  it("takes only a path that says who named it", () => {
    const named = { path: join(folder, "x"), shown: "x" }
    // @ts-expect-error A caller's path comes from `CallerPath.from`.
    const notBranded: CallerPath = named
    expect(notBranded).toBe(named)
    expect(() => new ProjectPath(folder, "../x", () => true)).toThrow(
      expect.objectContaining({ code: "path-refused" }),
    )
  })

  it("rejects a directory", () => {
    mkdirSync(join(folder, "reports"))
    expect(failureOf(() => open("reports"))).toMatchObject({
      code: "report-failed",
      message: `can't write the report "reports": expected a file but found a directory`,
    })
  })

  it("rejects a path below a file", () => {
    writeFileSync(join(folder, "file"), "")
    expect(failureOf(() => open("file/report.json"))).toMatchObject({
      code: "report-failed",
      message: `can't write the report "file/report.json": a part of its path is a file, not a directory`,
    })
  })

  it("reports a full disk at the end", () => {
    const file = openReportFile(CallerPath.from("/", "/dev/full"))
    file.output.write("x")
    expect(failureOf(() => file.commit()).message).toContain("the disk is full")
  })
})
