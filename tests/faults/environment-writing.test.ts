// Faults in writing environments, through the built command: disks, signals, links, modes and other processes.

import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createFolder, program, readText } from "../harness/callsheet.ts"
import { faultyDisk, TEMPORARY } from "../harness/faulty-disk.ts"
import {
  at,
  both,
  env,
  folder,
  lockFolder,
  onlySecrets,
  onlyValues,
  refused,
  snapshot,
  readEnvironmentFile,
  write,
  useEnvironmentProject,
} from "./environment-command.ts"
import { CANARY, ENVIRONMENTS, everyFile, local, schema, secrets } from "./environment-project.ts"

useEnvironmentProject()

const modeOf = (name: string) => statSync(at(name)).mode & 0o777

describe("a disk that fails", () => {
  it.each([
    ["the value file", onlyValues, "local.json"],
    ["the secrets file", onlySecrets, "local.secrets.env"],
    ["the first of both", both, "local.secrets.env"],
  ])("a disk that is full at %s keeps every byte and leaves no temporary file", async (_, words, name) => {
    const disk = [{ call: "writeSync", on: TEMPORARY, nth: 1, error: "ENOSPC" }] as const
    expect(await refused(words, { disk })).toBe(
      `can't write "${ENVIRONMENTS}/${name}": the disk is full (write-failed)\n  hint: nothing was changed\n`,
    )
  })

  it("a full disk reports a change of .gitignore that was made", async () => {
    rmSync(join(folder, ".gitignore"))
    const disk = [{ call: "writeSync", on: `environments/${TEMPORARY}`, error: "ENOSPC" }] as const
    const { exitCode, stderr } = await env(onlySecrets, { disk })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("hint: nothing was changed except .gitignore, which now ignores secrets files\n")
    expect(await readEnvironmentFile("local.secrets.env")).toBe(secrets)
  })

  it.each([
    // The new value file is as long as the old one.
    ["reports everything as written, and writes nothing", local.length],
    ["writes nothing", 0],
  ])("a write that %s is detected", async (_, result) => {
    const disk = [{ call: "writeSync", on: TEMPORARY, result }] as const
    expect(await refused(onlyValues, { disk })).toContain(`only 0 of ${local.length} bytes were written`)
  })

  it.each([
    ["a file cannot be synced", "fsyncSync", TEMPORARY, "EIO", "the disk reported an error"],
    ["a directory cannot be synced", "fsyncSync", "environments$", "EIO", "the disk reported an error"],
    ["the new file cannot replace it", "renameSync", TEMPORARY, "EXDEV", "two disks"],
    ["the new file may not replace it", "renameSync", TEMPORARY, "EACCES", "permission denied"],
    ["the file is kept open", "renameSync", TEMPORARY, "EBUSY", "another program has it open"],
  ] as const)("if %s, the old files stay", async (_, call, on, error, reason) => {
    for (const words of [onlyValues, onlySecrets, both]) {
      const said = await refused(words, { disk: [{ call, on, error }] })
      expect(said).toContain(`${reason} (write-failed)`)
      expect(said).toContain("hint: nothing was changed")
    }
  })

  it("if the change can't be undone either, the possibly changed files are listed", async () => {
    const disk = [
      { call: "renameSync", on: TEMPORARY, nth: 3, error: "EIO" },
      { call: "writeSync", on: TEMPORARY, nth: 4, error: "ENOSPC" },
    ] as const
    const { exitCode, stderr } = await env(both, { disk })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${ENVIRONMENTS}/local.json": the disk reported an error`)
    expect(stderr).toContain(`"${ENVIRONMENTS}/local.secrets.env" may have changed`)
    expect(stderr).not.toContain("nothing was changed")
    const next = await env(["list"])
    expect(next.stderr).toContain("finished an interrupted change")
    expect(await readEnvironmentFile("local.secrets.env")).toContain(CANARY)
    expect(await readEnvironmentFile("local.json")).toBe(local.replace('"port": 1', '"port": 2'))
    expect(Object.keys(await snapshot()).filter((name) => name.includes(".callsheet"))).toEqual([])
  })
})

describe("a signal", () => {
  it.each([1, 2, 3])(
    "SIGKILL before rename %i leaves all old or all new to the next command",
    async (nth) => {
      const before = await snapshot()
      expect(
        (await env(both, { disk: [{ call: "renameSync", on: TEMPORARY, nth, signal: "SIGKILL" }] })).signal,
      ).toBe("SIGKILL")
      const { stdout } = await env(["read", "shop", "local", "port"])
      // The first rename publishes the journal. Before it, the change hasn't begun.
      expect(stdout).toBe(nth === 1 ? "1\n" : "2\n")
      await write(["fresh"])
      const { [`${ENVIRONMENTS}/fresh.json`]: _, ...left } = await snapshot()
      if (nth === 1) expect(left).toEqual(before)
      else expect(left[`${ENVIRONMENTS}/local.secrets.env`]).toBe(`# theirs\napiKey=${CANARY}\n`)
      expect(Object.keys(left)).toEqual(Object.keys(before))
    },
  )

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s during a write lets it finish, and exits with %i", async (signal, code) => {
    const result = await env(both, { disk: [{ call: "renameSync", on: TEMPORARY, nth: 2, signal }] })
    expect(result.exitCode).toBe(code)
    expect(result.stderr).toContain("port set in")
    expect([await readEnvironmentFile("local.json"), await readEnvironmentFile("local.secrets.env")]).toEqual(
      [local.replace('"port": 1', '"port": 2'), `# theirs\napiKey=${CANARY}\n`],
    )
  })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s while another process has the lock stops a write before it starts",
    async (signal, code) => {
      const before = await snapshot()
      // A running process that the lock identifies only by its id.
      await env(onlyValues, { disk: [{ call: "renameSync", on: TEMPORARY, signal: "SIGKILL" }] })
      const [lock = ""] = Object.keys(await everyFile(join(folder, ".tmp")))
      const owner = JSON.parse(readFileSync(join(folder, ".tmp", lock), "utf8")) as { host: string }
      writeFileSync(
        join(folder, ".tmp", lock),
        JSON.stringify({ pid: process.pid, host: owner.host, token: "t" }),
      )
      const child = spawn(process.execPath, [program, "env", ...onlyValues], {
        cwd: folder,
        env: {
          PATH: process.env["PATH"],
          TMPDIR: lockFolder(),
          ...faultyDisk([{ call: "readFileSync", on: String.raw`\.lock$`, nth: 1, tell: "waits\n" }]),
        },
        stdio: ["ignore", "ignore", "pipe"],
      })
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text
        if (text.includes("waits")) child.kill(signal)
      })
      const [exitCode] = (await once(child, "close")) as [number]
      expect({ exitCode, stderr }).toEqual({
        exitCode: code,
        stderr: "waits\ninterrupted: nothing was changed\n",
      })
      const left = await snapshot()
      for (const [name, text] of Object.entries(before)) expect(left[name]).toBe(text)
    },
  )
})

describe("existing files", () => {
  it.each([
    ["local.json", '{"port":1,}', "json-syntax"],
    ["local.json", "", "json-syntax"],
    ["local.json", "[]", "field-type"],
    ["local.json", '{"port":1,"port":2}', "json-syntax"],
    ["local.secrets.env", `apiKey=k\n${CANARY}\n`, "dotenv-syntax"],
    ["local.secrets.env", "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> b\n", "file-conflict"],
    ["schema.json", '{"version":1,"variables":{"port":{"type":"number","required":"no"}}}', "field-type"],
  ])("%s of %j is never overwritten", async (name, text, code) => {
    writeFileSync(at(name), text)
    expect(await refused(both)).toContain(`(${code})`)
  })

  const nobody = { uid: 65_534, gid: 65_534 }
  const isRoot = process.getuid?.() === 0
  /** Checks that another user can run the command: often, only root can read the repository. */
  const canBeNobody =
    isRoot && spawnSync(process.execPath, [program, "--version"], { ...nobody, cwd: "/" }).status === 0

  const asNobody = (words: readonly string[]) => {
    const tmp = lockFolder()
    chmodSync(tmp, 0o1777)
    return spawnSync(process.execPath, [program, "env", ...words], {
      ...(isRoot ? nobody : {}),
      cwd: folder,
      env: { PATH: process.env["PATH"], TMPDIR: tmp },
      encoding: "utf8",
    })
  }

  it.runIf(process.platform !== "win32" && (!isRoot || canBeNobody)).each([
    ["a read-only file", () => [chmodSync(at("local.json"), 0o444), chmodSync(at("."), 0o777)]],
    ["a read-only directory", () => [chmodSync(at("local.json"), 0o666), chmodSync(at("."), 0o555)]],
  ])("%s is rejected, and not made writable", async (_, prepare) => {
    chmodSync(folder, 0o755)
    if (isRoot) chownSync(at("local.json"), nobody.uid, nobody.gid)
    prepare()
    const modes = [statSync(at(".")).mode, statSync(at("local.json")).mode]
    const before = await snapshot()
    const { status, stderr } = asNobody(onlyValues)
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `can't write "${ENVIRONMENTS}/local.json": permission denied (write-failed)\n  hint: nothing was changed\n`,
    })
    expect(await snapshot()).toEqual(before)
    expect([statSync(at(".")).mode, statSync(at("local.json")).mode]).toEqual(modes)
    chmodSync(at("."), 0o755)
  })

  it.runIf(canBeNobody)("a file of another user is rejected if its owner can't be restored", async () => {
    chmodSync(folder, 0o755)
    chmodSync(at("."), 0o777)
    chmodSync(at("local.json"), 0o666)
    const { status, stderr } = asNobody(onlyValues)
    expect(status).toBe(2)
    expect(stderr).toContain("permission denied (write-failed)")
    expect(await readEnvironmentFile("local.json")).toBe(local)
  })

  it.runIf(isRoot)("a file of another user keeps its owner", async () => {
    chownSync(at("local.json"), 65_534, 65_533)
    expect((await env(onlyValues)).exitCode).toBe(0)
    const { uid, gid } = statSync(at("local.json"))
    expect({ uid, gid }).toEqual({ uid: 65_534, gid: 65_533 })
  })

  it.runIf(process.platform !== "win32")("a file keeps its mode", async () => {
    chmodSync(at("local.json"), 0o640)
    expect((await env(onlyValues)).exitCode).toBe(0)
    expect(modeOf("local.json")).toBe(0o640)
  })

  it.runIf(process.platform !== "win32")(
    "a secrets file that others can read becomes private, changed or not",
    async () => {
      expect((await env(both)).exitCode).toBe(0)
      const text = readFileSync(at("local.secrets.env"), "utf8")
      chmodSync(at("local.secrets.env"), 0o644)
      expect((await env(both)).exitCode).toBe(0)
      expect(readFileSync(at("local.secrets.env"), "utf8")).toBe(text)
      expect(modeOf("local.secrets.env")).toBe(0o600)
    },
  )

  it("a link inside the project is written through and stays a link", async () => {
    mkdirSync(join(folder, "shared"))
    writeFileSync(join(folder, "shared/values.json"), local)
    rmSync(at("local.json"))
    symlinkSync("../../../shared/values.json", at("local.json"))
    expect((await env(both)).exitCode).toBe(0)
    const after = await snapshot()
    expect(after[`${ENVIRONMENTS}/local.json`]).toBe("-> ../../../shared/values.json")
    expect(after["shared/values.json"]).toBe(local.replace('"port": 1', '"port": 2'))
  })

  it.each(["local.json", "local.secrets.env", "."])(
    "%s behind a link out of the project is rejected",
    async (name) => {
      const outside = await createFolder({
        "local.json": local,
        "local.secrets.env": secrets,
        "schema.json": schema,
      })
      const theirs = await everyFile(outside)
      rmSync(at(name), { recursive: true })
      symlinkSync(
        name === "." ? outside : join(outside, name),
        name === "." ? join(folder, ENVIRONMENTS) : at(name),
      )
      expect(await refused(both)).toContain("(link-outside)")
      expect(await everyFile(outside)).toEqual(theirs)
      rmSync(outside, { recursive: true })
    },
  )

  it("a link in place of a temporary file is not written through", async () => {
    writeFileSync(join(folder, "other.txt"), "theirs")
    const plant = join(folder, "other.txt")
    const result = await env(onlyValues, { disk: [{ call: "openSync", on: TEMPORARY, nth: 1, plant }] })
    expect(result.exitCode).toBe(0)
    expect(readFileSync(plant, "utf8")).toBe("theirs")
    expect(await readEnvironmentFile("local.json")).toContain('"port": 2')
  })

  it.runIf(process.platform !== "win32")(
    "a secrets file is private to its owner from its first byte on",
    async () => {
      rmSync(at("local.secrets.env"))
      const disk = [{ call: "writeSync", on: TEMPORARY, mode: true }] as const
      const made = await env(onlySecrets, { disk, umask: 0 })
      expect([made.stderr.match(/mode \d+/g), modeOf("local.secrets.env")]).toEqual([["mode 600"], 0o600])
      chmodSync(at("local.secrets.env"), 0o644)
      const rewritten = await write(["local", "apiKey=other"], { disk, umask: 0 })
      expect([rewritten.stderr.match(/mode \d+/g), modeOf("local.secrets.env")]).toEqual([
        ["mode 600"],
        0o600,
      ])
    },
  )

  it("a secret changes only the secrets file, after .gitignore ignores it", async () => {
    writeFileSync(join(folder, ".gitignore"), "node_modules")
    const value = statSync(at("local.json"))
    const disk = [{ call: "openSync", on: `environments/${TEMPORARY}`, signal: "SIGKILL" }] as const
    await env(onlySecrets, { disk })
    expect(await readText(folder, ".gitignore")).toBe("node_modules\n*.secrets.env\n")
    expect(await readEnvironmentFile("local.secrets.env")).toBe(secrets)
    await env(onlySecrets)
    expect(await readEnvironmentFile("local.secrets.env")).toBe(`# theirs\napiKey=${CANARY}\n`)
    expect([statSync(at("local.json")).ino, await readEnvironmentFile("local.json")]).toEqual([
      value.ino,
      local,
    ])
    expect(await readText(folder, ".gitignore")).toBe("node_modules\n*.secrets.env\n")
  })
})

describe("several processes", () => {
  it("parallel commands lose none of each other's changes", async () => {
    const results = await Promise.all([
      write(["local", "port=7"]),
      write(["local", "dry=true"]),
      write(["local", `apiKey=${CANARY}`]),
      write(["local", "pin=4"]),
    ])
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    expect(JSON.parse((await readEnvironmentFile("local.json")) ?? "")).toMatchObject({ port: 7, dry: true })
    expect(await readEnvironmentFile("local.secrets.env")).toMatch(
      new RegExp(`^# theirs\napiKey=${CANARY}\npin=4\n$`),
    )
  })

  it("a command during another one's write waits, and both changes are kept", async () => {
    const disk = [{ call: "renameSync", on: TEMPORARY, nth: 1, tell: "renaming\n", waitMs: 1_500 }] as const
    const first = spawn(process.execPath, [program, "env", "write", "shop", "local", "port=7"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], TMPDIR: lockFolder(), ...faultyDisk(disk) },
      stdio: ["ignore", "ignore", "pipe"],
    })
    const ended = once(first, "close")
    await once(first.stderr, "data")
    expect((await write(["local", "dry=true"])).exitCode).toBe(0)
    expect((await ended)[0]).toBe(0)
    expect(JSON.parse((await readEnvironmentFile("local.json")) ?? "")).toMatchObject({ port: 7, dry: true })
  })

  it("the lock of a killed process is taken over at once", async () => {
    await env(onlyValues, { disk: [{ call: "renameSync", on: TEMPORARY, signal: "SIGKILL" }] })
    expect(
      Object.keys(await everyFile(join(folder, ".tmp"))).filter((name) => name.endsWith(".lock")),
    ).toHaveLength(1)
    const start = performance.now()
    expect((await env(onlyValues)).exitCode).toBe(0)
    // The command would wait 10 seconds for an owner that is still running.
    expect(performance.now() - start).toBeLessThan(8_000)
  })
})
