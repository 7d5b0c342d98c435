import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { platform } from "node:os"
import { dirname, join } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { openProject } from "../read/read-project.ts"
import { temporaryProject } from "../testing/temporary-project.ts"
import { nodeDisk, type Disk } from "./write-scope.ts"
import { diskError, faultyDisk } from "../testing/faulty-disk.ts"
import { sweep, writeFileWhole } from "./write-file-whole.ts"

const FILE = "apis/shop/environments/staging.json"
const SECRETS = "apis/shop/environments/staging.secrets.env"

const write = (root: string, file: string, text: string, disk: Disk = nodeDisk) =>
  writeFileWhole({ project: openProject(root), disk, made: [] }, file, {
    bytes: new TextEncoder().encode(text),
    isSecret: file === SECRETS,
  })

function thrownBy(call: () => void): CallsheetError {
  try {
    call()
  } catch (error) {
    if (error instanceof CallsheetError) return error
  }
  throw new Error("no CallsheetError was thrown")
}

const modeOf = (path: string) => statSync(path).mode & 0o777

describe("writeFileWhole", () => {
  it("replaces a file, keeps its mode and leaves no other file", () => {
    const root = temporaryProject({ [FILE]: "old" })
    chmodSync(join(root, FILE), 0o640)
    write(root, FILE, "new")
    expect(readFileSync(join(root, FILE), "utf8")).toBe("new")
    expect(modeOf(join(root, FILE))).toBe(0o640)
    expect(readdirSync(dirname(join(root, FILE)))).toEqual(["staging.json"])
  })

  it("creates a secrets file that only its owner can ever read, and tightens the mode of an existing one", () => {
    const root = temporaryProject({ [FILE]: "{}" })
    const modes = new Set<number>()
    const disk = faultyDisk(({ name, args }) => {
      if (name === "writeSync") modes.add(nodeDisk.fstatSync(args[0] as number).mode & 0o777)
    })
    const umask = process.umask(0)
    try {
      write(root, SECRETS, "a=1\n", disk)
      chmodSync(join(root, SECRETS), 0o644)
      write(root, SECRETS, "a=2\n", disk)
    } finally {
      process.umask(umask)
    }
    expect([...modes]).toEqual([0o600])
    expect(modeOf(join(root, SECRETS))).toBe(0o600)
  })

  it("continues after a short write until everything is written", () => {
    const root = temporaryProject({ [FILE]: "old" })
    const disk = faultyDisk(({ name, args }) => {
      if (name !== "writeSync") return
      const [descriptor, bytes, from] = args as [number, Uint8Array, number]
      return nodeDisk.writeSync(descriptor, bytes, from, 1)
    })
    write(root, FILE, "new text", disk)
    expect(readFileSync(join(root, FILE), "utf8")).toBe("new text")
  })

  it.each([
    ["a write that writes nothing", "writeSync", 0, "only 0 of 8 bytes"],
    ["a write that reports more than it wrote", "writeSync", 8, "only 0 of 8 bytes"],
    ["a full disk", "writeSync", "ENOSPC", "the disk is full"],
    ["a failed sync", "fsyncSync", "EIO", "the disk reported an error"],
    ["a rejected rename", "renameSync", "EBUSY", "another program has it open"],
    ["a rename across two disks", "renameSync", "EXDEV", "two disks"],
    ["a directory that cannot be written", "openSync", "EACCES", "permission denied"],
    ["a read-only disk", "openSync", "EROFS", "read-only"],
    ["a read-only file", "accessSync", "EACCES", "permission denied"],
    ["a file of another user", "fchmodSync", "EPERM", "permission denied"],
  ] as const)("keeps every old byte and no temporary file at %s", (_, call, fault, reason) => {
    const root = temporaryProject({ [FILE]: "old" })
    const disk = faultyDisk(({ name }) => {
      if (name !== call) return
      if (typeof fault === "number") return fault
      throw diskError(fault)
    })
    const error = thrownBy(() => write(root, FILE, "new text", disk))
    expect(error.code).toBe("write-failed")
    expect(error.message).toContain(FILE)
    expect(error.message).toContain(reason)
    expect(error.message).not.toContain("/absolute")
    expect(readFileSync(join(root, FILE), "utf8")).toBe("old")
    expect(readdirSync(dirname(join(root, FILE)))).toEqual(["staging.json"])
  })

  it("works on a disk that can't sync directories", () => {
    const root = temporaryProject({ [FILE]: "old" })
    const disk = faultyDisk(({ name, args }) => {
      if (
        name === "openSync" &&
        statSync(String(args[0]), { throwIfNoEntry: false })?.isDirectory() === true
      ) {
        throw diskError("EISDIR")
      }
    })
    write(root, FILE, "new", disk)
    expect(readFileSync(join(root, FILE), "utf8")).toBe("new")
  })

  it("never writes through a name that somebody created at its temporary file's path", () => {
    const root = temporaryProject({ [FILE]: "old", "other.txt": "other" })
    let tries = 0
    const disk = faultyDisk(({ name, args }) => {
      if (name !== "openSync" || !String(args[0]).includes(".callsheet-") || tries++ > 0) return
      symlinkSync(join(root, "other.txt"), String(args[0]))
    })
    write(root, FILE, "new", disk)
    expect(readFileSync(join(root, FILE), "utf8")).toBe("new")
    expect(readFileSync(join(root, "other.txt"), "utf8")).toBe("other")
  })

  it("writes through a link that stays in the project, and keeps the link", () => {
    const root = temporaryProject({ "shared/staging.json": "old", "apis/shop/environments/other.json": "{}" })
    symlinkSync("../../../shared/staging.json", join(root, FILE))
    write(root, FILE, "new")
    expect(lstatSync(join(root, FILE)).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(root, "shared/staging.json"), "utf8")).toBe("new")
  })

  it("rejects a link out of the project, of the file or of its directory", () => {
    const outside = temporaryProject({ "staging.json": "theirs" })
    const root = temporaryProject({
      "apis/shop/environments/other.json": "{}",
      "apis/pay/openapi.json": "{}",
    })
    symlinkSync(join(outside, "staging.json"), join(root, FILE))
    symlinkSync(outside, join(root, "apis/pay/environments"))
    const refused = expect.objectContaining({ code: "link-outside" })
    expect(() => write(root, FILE, "new")).toThrow(refused)
    expect(() => write(root, "apis/pay/environments/staging.json", "new")).toThrow(refused)
    expect(readFileSync(join(outside, "staging.json"), "utf8")).toBe("theirs")
    expect(readdirSync(outside)).toEqual(["staging.json"])
  })

  it.each([
    ["apis/shop/environments", "../../.git"],
    ["apis/pay", "../.git/modules/pay"],
    ["apis/other", "../sub/.GIT"],
  ])("rejects a link of the directory %s to %s", (link, target) => {
    const root = temporaryProject({
      ".git/config": "theirs",
      ".git/modules/pay/config": "theirs",
      "sub/.GIT/config": "theirs",
      "apis/shop/openapi.json": "{}",
    })
    symlinkSync(target, join(root, link))
    const refused = expect.objectContaining({ code: "link-outside" })
    expect(() => write(root, `${link}/config`, "new")).toThrow(refused)
    expect(readFileSync(join(root, link, "config"), "utf8")).toBe("theirs")
  })

  it("rejects a link of the file into .git", () => {
    const root = temporaryProject({ ".git/config": "theirs" })
    symlinkSync(".git/config", join(root, ".gitignore"))
    expect(() => write(root, ".gitignore", "new")).toThrow(expect.objectContaining({ code: "link-outside" }))
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("theirs")
  })

  describe.runIf(platform() === "linux")(
    "if a directory becomes a link out of the project while a file is saved",
    () => {
      /**
       * Simulates a disk on which a link to `outside` replaces the directory, from the first call `from` to the next
       * call `to`.
       */
      function swappingDisk(
        root: string,
        outside: string,
        moment: { from: string; to?: string; isLinux?: boolean },
      ) {
        const folder = dirname(join(root, FILE))
        let state: "before" | "link" | "after" = "before"
        return faultyDisk(({ name, args }) => {
          const isTemp = name === "openSync" ? String(args[0]).includes(".callsheet-") : true
          if (state === "before" && name === moment.from && isTemp) {
            renameSync(folder, `${folder}.real`)
            symlinkSync(outside, folder)
            state = "link"
          } else if (state === "link" && name === moment.to) {
            unlinkSync(folder)
            renameSync(`${folder}.real`, folder)
            state = "after"
          }
          if (name === "readlinkSync" && moment.isLinux === false) throw diskError("ENOENT")
        })
      }

      it.each([
        ["opened", { from: "openSync" }],
        ["opened, and restored when the file is found", { from: "openSync", to: "readlinkSync" }],
        ["opened, and restored when it is renamed", { from: "openSync", to: "renameSync" }],
        ["opened, if the system reports no path", { from: "openSync", isLinux: false }],
        [
          "opened, until it is written, if the system reports no path",
          { from: "openSync", to: "writeSync", isLinux: false },
        ],
      ])("leaves no file outside: swapped while the file is %s", (_, moment) => {
        const outside = temporaryProject({ "other.txt": "other" })
        const root = temporaryProject({ [SECRETS]: "a=1\n" })
        const disk = swappingDisk(root, outside, moment)
        expect(() => write(root, SECRETS, "a=2\n", disk)).toThrow("a directory on its path was replaced")
        expect(readdirSync(outside)).toEqual(["other.txt"])
      })

      it("renames nothing in a directory that was moved outside with the temporary file", () => {
        const outside = temporaryProject({})
        const root = temporaryProject({ [SECRETS]: "a=1\n" })
        const folder = dirname(join(root, SECRETS))
        const disk = faultyDisk(({ name }) => {
          if (name !== "writeSync") return
          renameSync(folder, join(outside, "moved"))
          symlinkSync(join(outside, "moved"), folder)
        })
        expect(thrownBy(() => write(root, SECRETS, "a=2\n", disk)).code).toBe("link-outside")
        expect(readdirSync(join(outside, "moved"))).toEqual(["staging.secrets.env"])
        expect(readFileSync(join(outside, "moved/staging.secrets.env"), "utf8")).toBe("a=1\n")
      })

      it("leaves at most an empty file if the system reports no path and the directory was restored", () => {
        const outside = temporaryProject({})
        const root = temporaryProject({ [SECRETS]: "a=1\n" })
        const disk = swappingDisk(root, outside, { from: "openSync", to: "readlinkSync", isLinux: false })
        expect(() => write(root, SECRETS, "a=2\n", disk)).toThrow("a directory on its path was replaced")
        for (const name of readdirSync(outside)) expect(readFileSync(join(outside, name), "utf8")).toBe("")
        expect(readFileSync(join(root, SECRETS), "utf8")).toBe("a=1\n")
      })
    },
  )

  it("removes temporary files in the project, but not through a link out of it", () => {
    const temp = ".callsheet-0123456789abcdef.secrets.env"
    const outside = temporaryProject({ [temp]: "theirs" })
    const root = temporaryProject({ [join(dirname(FILE), temp)]: "ours", "apis/pay/openapi.json": "{}" })
    symlinkSync(outside, join(root, "apis/pay/environments"))
    const scope = { project: openProject(root), disk: nodeDisk, made: [] }
    sweep(scope, [dirname(FILE), "apis/pay/environments"])
    expect(readdirSync(dirname(join(root, FILE)))).toEqual([])
    expect(readdirSync(outside)).toEqual([temp])
  })

  it("rejects what is not a regular file", () => {
    const root = temporaryProject({ [`${FILE}/inside`]: "" })
    expect(() => write(root, FILE, "new")).toThrow("not a regular file")
    writeFileSync(join(root, "apis/shop/environments/a"), "")
    expect(() => write(root, "apis/shop/environments/a/b.json", "new")).toThrow("part of its path is a file")
  })
})
