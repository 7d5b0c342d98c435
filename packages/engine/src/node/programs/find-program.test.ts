import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { findProgram } from "./find-program.ts"

const isRoot = process.getuid?.() === 0

/** The project `root` is in `base`, and `good` is a directory outside it with the program `op`. */
let base: string
let root: string
let good: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "callsheet-programs-")))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  root = join(base, "repo/tests")
  mkdirSync(root, { recursive: true })
  good = dirname(program("good/op"))
})

/** Writes a program below `base`. */
function program(path: string, mode = 0o755): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, "#!/bin/sh\n")
  chmodSync(file, mode)
  return file
}

function link(path: string, target: string): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  symlinkSync(target, file)
  return file
}

function folder(path: string, mode: number): string {
  const made = join(base, path)
  mkdirSync(made, { recursive: true })
  chmodSync(made, mode)
  return made
}

const search = (path: readonly string[], command = "op") =>
  findProgram(command, { root, processEnvironment: { PATH: path.join(delimiter) } })

/** Prepares a program that must not be found. Returns its directory, as PATH names it. */
type Trap = () => string

const foreign: Readonly<Record<string, Trap>> = {
  "the project": () => dirname(program("repo/tests/tools/op")),
  "the root of the project": () => dirname(program("repo/tests/op")),
  "node_modules of the project": () => dirname(program("repo/tests/node_modules/.bin/op")),
  "node_modules above the project": () => dirname(program("repo/node_modules/.bin/op")),
  "node_modules elsewhere": () => dirname(program("global/node_modules/tool/bin/op")),
  "node_modules in capitals": () => dirname(program("global/Node_Modules/.bin/op")),
  "a link to the project": () => link("linked", dirname(program("repo/tests/tools/op"))),
  "a link to node_modules": () => link("linked", dirname(program("repo/node_modules/.bin/op"))),
  "a directory whose program is a link to the project": () =>
    dirname(link("bin/op", program("repo/tests/tools/op"))),
  "a directory whose program is a link to node_modules": () =>
    dirname(link("bin/op", program("global/node_modules/tool/op"))),
  "a link that leads through the project": () =>
    dirname(link("bin/op", link("repo/tests/op", join(good, "op")))),
  "a directory that a link in the project leads to": () =>
    link("linked", link("repo/tests/bin", dirname(program("other/op")))),
  "a path that ends in /.": () => `${dirname(program("repo/tests/op"))}/.`,
  "a path with ..": () => `${dirname(program("repo/tests/op"))}/../tests`,
  "a path with .. after a link": () => {
    program("repo/tests/tools/op")
    mkdirSync(join(root, "tools/deep"))
    return `${link("linked", join(root, "tools/deep"))}/..`
  },
  "a path with repeated and trailing slashes": () => `${dirname(program("repo/tests/op"))}//`,
  "a relative path": () => {
    program("repo/tests/tools/op")
    return "tools"
  },
  "an empty entry": () => "",
}

const open: Readonly<Record<string, Trap>> = {
  "a directory that others can write to": () => {
    program("open/op")
    return folder("open", 0o777)
  },
  "a sticky directory that others can write to": () => {
    program("sticky/op")
    return folder("sticky", 0o1777)
  },
  "a directory below one that others can write to": () => {
    const bin = dirname(program("open/bin/op"))
    folder("open", 0o757)
    return bin
  },
  "a directory whose program others can write to": () => dirname(program("bin/op", 0o757)),
  "a link in a directory that others can write to": () => {
    const bin = link("sticky/bin", dirname(program("other/op")))
    folder("sticky", 0o1777)
    return bin
  },
  "a directory whose program is a link through such a directory": () => {
    const way = link("sticky/op", join(good, "op"))
    folder("sticky", 0o1777)
    return dirname(link("bin/op", way))
  },
}

const someone = 54_321
const owned: Readonly<Record<string, Trap>> = {
  "a directory of another user": () => {
    const bin = dirname(program("theirs/op"))
    chownSync(bin, someone, someone)
    return bin
  },
  "a directory whose program belongs to another user": () => {
    const file = program("bin/op")
    chownSync(file, someone, someone)
    return dirname(file)
  },
  "a directory that another group can write to": () => {
    program("shared/op")
    const bin = folder("shared", 0o775)
    chownSync(bin, 0, someone)
    return bin
  },
  "a directory whose program another group can write to": () => {
    const file = program("bin/op", 0o775)
    chownSync(file, 0, someone)
    return dirname(file)
  },
}

describe("findProgram", () => {
  const refuses = (trap: Trap): void => {
    const entry = trap()
    expect(search([entry]).program).toBeUndefined()
    expect(search([entry, good]).program?.file).toBe(join(good, "op"))
  }

  it.each(Object.entries(foreign))("never finds a program in %s", (_, trap) => refuses(trap))

  describe.skipIf(process.platform === "win32")("if others can change it,", () => {
    it.each(Object.entries(open))("never finds a program in %s", (_, trap) => refuses(trap))
    it.skipIf(!isRoot).each(Object.entries(owned))("never finds a program in %s", (_, trap) => refuses(trap))
  })

  it("knows a project that is opened through a link", () => {
    const bin = dirname(program("repo/tests/tools/op"))
    const opened = link("opened", root)
    const find = (path: string) => findProgram("op", { root: opened, processEnvironment: { PATH: path } })
    expect(find(bin).program).toBeUndefined()
    expect(find(join(opened, "tools")).program).toBeUndefined()
    expect(find(good).program?.file).toBe(join(good, "op"))
  })

  it("says why it refused the first program that it met", () => {
    const own = program("repo/tests/node_modules/.bin/op")
    const global = program("global/node_modules/.bin/op")
    expect(search([dirname(own), dirname(global)]).refused).toEqual({ file: own, because: "project" })
    expect(search([dirname(global)]).refused).toEqual({ file: global, because: "packages" })
    const shared = program("shared/op", 0o777)
    expect(search([dirname(shared)]).refused).toEqual({ file: shared, because: "others" })
    expect(search([good], "missing")).toEqual({ refused: undefined })
    expect(findProgram("op", { root, processEnvironment: {} })).toEqual({ refused: undefined })
  })

  it("checks the program at an absolute path, and knows no other paths", () => {
    expect(search([], join(good, "op")).program?.file).toBe(join(good, "op"))
    const own = program("repo/tests/op")
    expect(search([good], own).refused).toEqual({ file: own, because: "project" })
    for (const command of ["./op", "good/op", "../good/op", "~/op", ""])
      expect(search([base, good], command).program).toBeUndefined()
  })

  it("passes over directories and files that can't be run", () => {
    program("files/op", 0o644)
    folder("folders/op", 0o755)
    link("loops/op", "op")
    link("gone/op", join(base, "missing"))
    const path = ["files", "folders", "loops", "gone", "missing"].map((name) => join(base, name))
    expect(search([...path, good]).program?.file).toBe(join(good, "op"))
  })

  it("follows the links of package managers, and keeps the name of the link", () => {
    const file = program("opt/cellar/op/1.2/bin/op-cli")
    link("opt/alternatives/op", "../cellar/op/1.2/bin/op-cli")
    const calledAs = link("opt/bin/op", "../alternatives/op")
    expect(search([dirname(calledAs)]).program).toMatchObject({ file, calledAs })
  })

  it.skipIf(!isRoot)("trusts the group of root, and the directories of administrators", () => {
    // The group 0 is `root` or `wheel`.
    const file = program("admin/op", 0o775)
    chownSync(file, 0, 0)
    chmodSync(folder("admin", 0o2775), 0o2775)
    expect(search([dirname(file)]).program?.file).toBe(file)
  })

  it("gives a program only the directories that it searches itself", () => {
    const inProject = dirname(program("repo/tests/tools/op"))
    const packages = dirname(program("repo/node_modules/.bin/op"))
    const linked = link("linked", inProject)
    const shared = folder("shared", 0o777)
    const path = [inProject, packages, linked, "tools", ".", "", `${inProject}/..`, shared, good, "/usr/bin"]
    expect(search(path).program?.searchPath?.split(delimiter)).toEqual([good, "/usr/bin"])
    // An empty PATH would mean the working directory.
    expect(search([inProject, ""], join(good, "op")).program?.searchPath).toBe(good)
    const { program: found } = findProgram(join(good, "op"), { root, processEnvironment: {} })
    expect(found).toMatchObject({ file: join(good, "op"), searchPath: undefined })
  })
})
