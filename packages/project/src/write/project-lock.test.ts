import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { withProjectLock } from "./project-lock.ts"

const lockFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates the lock file of `/project` for another process. */
async function lockedBy(owner: object | string): Promise<string> {
  const folder = lockFolder()
  let name = ""
  await withProjectLock("/project", () => void ([name = ""] = readdirSync(folder)), { folder })
  writeFileSync(join(folder, name), typeof owner === "string" ? owner : JSON.stringify(owner))
  return folder
}

const deadPid = (): number => spawnSync(process.execPath, ["-e", "0"]).pid
const host = hostname()

describe("withProjectLock", () => {
  it("admits one at a time, and leaves nothing behind", async () => {
    const folder = lockFolder()
    let inside = 0
    let most = 0
    const task = async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
    }
    await Promise.all(Array.from({ length: 20 }, () => withProjectLock("/project", task, { folder })))
    expect(most).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it("locks projects separately", async () => {
    const folder = lockFolder()
    const inner = () => withProjectLock("/b", () => "both", { folder, waitMs: 0 })
    expect(await withProjectLock("/a", inner, { folder })).toBe("both")
  })

  it("is released if the task throws", async () => {
    const folder = lockFolder()
    const failing = withProjectLock("/a", () => Promise.reject(new Error("inner")), { folder })
    await expect(failing).rejects.toThrow("inner")
    expect(readdirSync(folder)).toEqual([])
  })

  it("waits while others get their turns, and gives up on one that doesn't release it", async () => {
    const lockIn = (place: string) => join(place, readdirSync(place)[0] ?? "")
    const other = lockFolder()
    const owner = await withProjectLock(
      "/project",
      () => JSON.parse(readFileSync(lockIn(other), "utf8")) as object,
      { folder: other },
    )
    const folder = await lockedBy({ ...owner, token: "first" })
    const waiting = withProjectLock("/project", () => "mine", { folder, waitMs: 2_000 })
    const file = lockIn(folder)
    for (const token of ["second", "third"]) {
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      writeFileSync(file, JSON.stringify({ ...owner, token }))
    }
    rmSync(file)
    expect(await waiting).toBe("mine")
    writeFileSync(file, JSON.stringify({ ...owner, token: "fourth" }))
    await expect(withProjectLock("/project", () => "mine", { folder, waitMs: 100 })).rejects.toMatchObject({
      code: "locked",
    })
  })

  it("takes over at once from a dead owner", async () => {
    const folder = await lockedBy({ pid: deadPid(), host, token: "t" })
    expect(await withProjectLock("/project", () => "mine", { folder, waitMs: 0 })).toBe("mine")
    expect(readdirSync(folder)).toEqual([])
  })

  it.runIf(process.platform === "linux")("takes over if the pid now belongs to another process", async () => {
    const folder = await lockedBy({ pid: process.pid, startTime: "1", host, token: "t" })
    expect(await withProjectLock("/project", () => "mine", { folder, waitMs: 0 })).toBe("mine")
  })

  it("takes over a lock file that a power failure emptied", async () => {
    expect(await withProjectLock("/project", () => "mine", { folder: await lockedBy(""), waitMs: 0 })).toBe(
      "mine",
    )
  })

  it("takes over even if another process died while taking over", async () => {
    const folder = await lockedBy({ pid: deadPid(), host, token: "t" })
    const [name = ""] = readdirSync(folder)
    writeFileSync(join(folder, `${name}.takeover`), JSON.stringify({ pid: deadPid(), host, token: "u" }))
    expect(await withProjectLock("/project", () => "mine", { folder, waitMs: 0 })).toBe("mine")
    expect(readdirSync(folder)).toEqual([])
  })

  it("removes leftovers of processes that were killed while they took the lock", async () => {
    const folder = await lockedBy({ pid: deadPid(), host, token: "t" })
    const [name = ""] = readdirSync(folder)
    const put = (ending: string, pid: number) =>
      writeFileSync(join(folder, name + ending), JSON.stringify({ pid, host, token: ending }))
    put(".0123456789abcdef", deadPid())
    put(".takeover.0123456789abcdef", deadPid())
    put(".fedcba9876543210", process.pid)
    writeFileSync(join(folder, `${name}.00000000000000aa`), "")
    writeFileSync(join(folder, "another.lock"), "")
    await withProjectLock("/project", () => undefined, { folder, waitMs: 0 })
    put(".takeover", deadPid())
    await withProjectLock("/project", () => undefined, { folder, waitMs: 0 })
    const kept = ["another.lock", `${name}.00000000000000aa`, `${name}.fedcba9876543210`]
    expect(readdirSync(folder).sort()).toEqual(kept.sort())
    utimesSync(join(folder, `${name}.00000000000000aa`), 0, 0)
    await withProjectLock("/project", () => undefined, { folder, waitMs: 0 })
    expect(readdirSync(folder)).not.toContain(`${name}.00000000000000aa`)
  })

  it("admits only one when many find a dead owner", async () => {
    const folder = await lockedBy({ pid: deadPid(), host, token: "t" })
    let inside = 0
    const task = async () => {
      expect(++inside).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
    }
    await Promise.all(Array.from({ length: 10 }, () => withProjectLock("/project", task, { folder })))
  })

  describe("on Windows", () => {
    const owner = { pid: process.ppid, host, token: "t", hasSign: true }

    it("takes over at once from an owner whose sign is gone, although another process has its id", async () => {
      const folder = await lockedBy(owner)
      const taken = withProjectLock("/project", () => "mine", { folder, waitMs: 0, isWindows: true })
      expect(await taken).toBe("mine")
      expect(readdirSync(folder)).toEqual([])
    })

    it("waits for an owner whose sign is there", async () => {
      const folder = await lockedBy(owner)
      const [name = ""] = readdirSync(folder)
      writeFileSync(join(folder, `${name}.t.sign`), JSON.stringify(owner))
      const refused = withProjectLock("/project", () => "mine", { folder, waitMs: 0, isWindows: true })
      await expect(refused).rejects.toMatchObject({ code: "locked" })
    })

    it("shows its sign while it has the lock, and leaves nothing behind", async () => {
      const folder = lockFolder()
      const task = () => {
        const names = readdirSync(folder)
        const lock = names.find((name) => name.endsWith(".lock")) ?? ""
        const { token } = JSON.parse(readFileSync(join(folder, lock), "utf8")) as { readonly token: string }
        expect(names).toContain(`${lock}.${token}.sign`)
      }
      const options = { folder, isWindows: true }
      await Promise.all([1, 2, 3].map(() => withProjectLock("/project", task, options)))
      expect(readdirSync(folder)).toEqual([])
    })
  })

  it.each([
    ["that is alive", { pid: process.ppid, host }],
    ["on another host", { pid: deadPid(), host: "elsewhere.invalid" }],
    ["in another container of this host", { pid: deadPid(), host, space: "pid:[1]" }],
  ])("waits for an owner %s, and then names it", async (_, owner) => {
    const folder = await lockedBy({ ...owner, token: "t" })
    const [name = ""] = readdirSync(folder)
    const before = readFileSync(join(folder, name), "utf8")
    const refused = withProjectLock("/project", () => "mine", { folder, waitMs: 30 })
    await expect(refused).rejects.toMatchObject({
      code: "locked",
      message: expect.stringContaining(`process ${owner.pid} on ${owner.host}`) as string,
    })
    expect(readFileSync(join(folder, name), "utf8")).toBe(before)
  })

  it("stops waiting on an abort signal and doesn't start", async () => {
    const folder = await lockedBy({ pid: process.ppid, host, token: "t" })
    const controller = new AbortController()
    const refused = withProjectLock("/project", () => "mine", { folder, signal: controller.signal })
    controller.abort(new Error("enough"))
    await expect(refused).rejects.toThrow("enough")
  })

  it("reports if no lock file can be created", async () => {
    const folder = join(lockFolder(), "not", "there")
    await expect(withProjectLock("/a", () => 1, { folder })).rejects.toMatchObject({ code: "write-failed" })
    mkdirSync(folder, { recursive: true })
    expect(await withProjectLock("/a", () => 1, { folder })).toBe(1)
  })
})
