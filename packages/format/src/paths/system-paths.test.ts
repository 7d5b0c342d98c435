import { posix, win32 } from "node:path"
import { describe, expect, it } from "vitest"
import {
  givenPath,
  isWithin,
  leadsOut,
  wayBetween,
  wayInside,
  withoutFolder,
  withSlashes,
} from "./system-paths.ts"

describe("withSlashes", () => {
  it("changes the separators of Windows, and no name of other systems", () => {
    expect(withSlashes(String.raw`apis\shop\a.json`, win32)).toBe("apis/shop/a.json")
    expect(withSlashes(String.raw`apis/a\b.json`, posix)).toBe(String.raw`apis/a\b.json`)
  })
})

describe("givenPath", () => {
  it.each([
    [String.raw`\\?\C:\shop`, String.raw`C:\shop`],
    [String.raw`\\.\c:\shop`, String.raw`c:\shop`],
    ["//?/C:/shop", String.raw`C:\shop`],
    [String.raw`\\?\UNC\server\share\shop`, String.raw`\\server\share\shop`],
    [String.raw`\\server\share\shop`, String.raw`\\server\share\shop`],
    ["shop", String.raw`D:\work\shop`],
    [String.raw`\shop`, String.raw`D:\shop`],
    ["D:", String.raw`D:\work`],
  ])("of %s on Windows is %s", (given, path) => {
    expect(givenPath(win32, String.raw`D:\work`, given)).toBe(path)
  })

  it("elsewhere keeps such a name", () => {
    expect(givenPath(posix, "/work", String.raw`\\?\C:\shop`)).toBe(String.raw`/work/\\?\C:\shop`)
  })
})

describe("wayInside", () => {
  it.each([
    [String.raw`C:\proj`, String.raw`C:\proj\apis\shop.yaml`, "apis/shop.yaml"],
    [String.raw`C:\proj`, String.raw`c:\PROJ\apis`, "apis"],
    [String.raw`C:\proj`, String.raw`C:\proj`, ""],
    [String.raw`C:\proj`, String.raw`C:\project\apis`, undefined],
    [String.raw`C:\proj`, String.raw`D:\proj\apis`, undefined],
    [String.raw`\\server\share\proj`, String.raw`\\server\share\proj\apis`, "apis"],
    [String.raw`\\server\share\proj`, String.raw`\\server\other\proj\apis`, undefined],
    [String.raw`C:\proj`, String.raw`C:\proj\..name`, "..name"],
  ])("of %s to %s on Windows is %s", (folder, path, way) => {
    expect(wayInside(win32, folder, path)).toBe(way)
  })

  it.each([
    ["/proj", "/proj/apis", "apis"],
    ["/proj", "/PROJ/apis", undefined],
    ["/proj", "/proj/..name", "..name"],
    ["/proj", "/", undefined],
  ])("of %s to %s elsewhere is %s", (folder, path, way) => {
    expect(wayInside(posix, folder, path)).toBe(way)
  })
})

describe("wayBetween", () => {
  it("leads out of a directory, and names another drive", () => {
    expect(wayBetween(win32, String.raw`C:\proj\.callsheet`, String.raw`C:\proj\apis`)).toBe("../apis")
    expect(wayBetween(win32, String.raw`C:\proj`, String.raw`D:\files\a`)).toBe("D:/files/a")
  })
})

describe("leadsOut", () => {
  const everywhere = [
    String.raw`C:\a`,
    "C:a",
    "C:/a",
    String.raw`\a`,
    String.raw`\\server\share\a`,
    "/a",
    "..",
    "a/../..",
  ]
  it.each(everywhere)("refuses %s on every system", (path) => {
    expect([leadsOut(win32, path), leadsOut(posix, path)]).toEqual([true, true])
  })

  it("follows the separators of the system", () => {
    const path = String.raw`a\..\..\b`
    expect([leadsOut(win32, path), leadsOut(posix, path)]).toEqual([true, false])
  })

  it.each(["a", "a/../b", "..name/a", "./a"])("accepts %s on every system", (path) => {
    expect([leadsOut(win32, path), leadsOut(posix, path)]).toEqual([false, false])
  })
})

describe("isWithin", () => {
  it.each([
    [String.raw`C:\proj`, String.raw`C:\proj\a`, true],
    [String.raw`C:\proj`, String.raw`C:\project`, false],
    [String.raw`C:\proj`, String.raw`C:\PROJ\a`, false],
    ["C:\\", String.raw`C:\a`, true],
    [String.raw`\\server\share`, String.raw`\\server\share2\a`, false],
  ])("of %s and %s on Windows is %s", (folder, path, is) => {
    expect(isWithin(folder, path, win32)).toBe(is)
  })

  it("accepts every path below the root", () => {
    expect([isWithin("/", "/a", posix), isWithin("/a", "/", posix)]).toEqual([true, false])
  })
})

describe("withoutFolder", () => {
  it("removes a directory in each form that a program on Windows writes", () => {
    const text = String.raw`at C:\proj\apis\a.ts, C:/proj/apis/a.ts and C:\proj/apis/a.ts`
    expect(withoutFolder(text, String.raw`C:\proj`, win32)).toBe(
      String.raw`at apis\a.ts, apis/a.ts and apis/a.ts`,
    )
  })

  it("keeps paths elsewhere", () => {
    expect(withoutFolder("/proj/a and /project/b", "/proj", posix)).toBe("a and /project/b")
  })
})
