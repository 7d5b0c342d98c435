// What can go wrong when environments are written, through the built command. The ids are rows of the catalogue of faults.

import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, program, readText } from "../harness/callsheet.ts"
import { faultyDisk, TEMPORARY, type DiskFault } from "../harness/faulty-disk.ts"
import { shopFiles } from "../run/shop-project.ts"
import { CANARY, ENVIRONMENTS, everyFile, files, local, schema, secrets } from "./environment-project.ts"

let folder: string
beforeEach(async () => {
  folder = await createFolder(files)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, ENVIRONMENTS, name)
const textOf = (name: string) => readText(folder, `${ENVIRONMENTS}/${name}`)
const modeOf = (name: string) => statSync(at(name)).mode & 0o777

interface More {
  readonly stdin?: string | Uint8Array
  readonly disk?: readonly DiskFault[]
  readonly umask?: number
}

/** The temporary folder is the test's own: so are its locks. */
const env = (words: readonly string[], { stdin, disk, umask }: More = {}) =>
  callsheet(["env", ...words], {
    folder,
    env: { TMPDIR: lockFolder(), ...(disk === undefined ? {} : faultyDisk(disk, umask)) },
    ...(stdin === undefined ? {} : { stdin }),
    timeoutMs: 30_000,
  })
const write = (words: readonly string[], more: More = {}) => env(["write", "shop", ...words], more)

function lockFolder(): string {
  const path = join(folder, ".tmp")
  mkdirSync(path, { recursive: true })
  return path
}

/** All files but the locks. */
const snapshot = async () =>
  Object.fromEntries(Object.entries(await everyFile(folder)).filter(([name]) => !name.startsWith(".tmp")))

/** Calls, expects that nothing has changed and nothing is left, and returns what was said. */
async function refused(words: readonly string[], more: More = {}): Promise<string> {
  const before = await snapshot()
  const { exitCode, stdout, stderr } = await env(words, more)
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: "" })
  expect(await snapshot()).toEqual(before)
  expect(stderr).not.toContain(CANARY)
  expect(stderr).not.toContain(folder)
  return stderr
}

const both = ["write", "shop", "local", "port=2", `apiKey=${CANARY}`]
const onlyValues = ["write", "shop", "local", "port=2"]
const onlySecrets = ["write", "shop", "local", `apiKey=${CANARY}`]

describe("a disk that fails", () => {
  it.each([
    ["the value file", onlyValues, "local.json"],
    ["the secrets file", onlySecrets, "local.secrets.env"],
    ["the first of both", both, "local.secrets.env"],
  ])("EW-01: a disk that is full at %s leaves every byte and no temporary file", async (_, words, name) => {
    const disk = [{ call: "writeSync", on: TEMPORARY, nth: 1, error: "ENOSPC" }] as const
    expect(await refused(words, { disk })).toBe(
      `"${ENVIRONMENTS}/${name}" could not be written: the disk is full (ENOSPC) (write-failed)\n  hint: nothing was changed\n`,
    )
  })

  it("EW-01: a disk that is full says of .gitignore that it was changed, where it was", async () => {
    rmSync(join(folder, ".gitignore"))
    const disk = [{ call: "writeSync", on: `environments/${TEMPORARY}`, error: "ENOSPC" }] as const
    const { exitCode, stderr } = await env(onlySecrets, { disk })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("hint: nothing was changed but .gitignore, which ignores secrets files now\n")
    expect(await textOf("local.secrets.env")).toBe(secrets)
  })

  it.each([
    // The new value file is as long as the old one.
    ["says that it took everything, and took nothing", local.length],
    ["takes nothing", 0],
  ])("EW-02: a write that %s is found out", async (_, result) => {
    const disk = [{ call: "writeSync", on: TEMPORARY, result }] as const
    expect(await refused(onlyValues, { disk })).toContain(`only 0 of ${local.length} bytes were written`)
  })

  it.each([
    ["a file cannot be synced", "fsyncSync", TEMPORARY, "EIO", "the disk reports an error (EIO)"],
    ["a folder cannot be synced", "fsyncSync", "environments$", "EIO", "the disk reports an error (EIO)"],
    ["the new file cannot take its place", "renameSync", TEMPORARY, "EXDEV", "two disks (EXDEV)"],
    ["the new file may not take its place", "renameSync", TEMPORARY, "EACCES", "permission denied"],
    ["the file is held open", "renameSync", TEMPORARY, "EBUSY", "another program holds it open (EBUSY)"],
  ] as const)("EW-03: where %s the old files stay", async (_, call, on, error, reason) => {
    for (const words of [onlyValues, onlySecrets, both]) {
      const said = await refused(words, { disk: [{ call, on, error }] })
      expect(said).toContain(`${reason} (write-failed)`)
      expect(said).toContain("hint: nothing was changed")
    }
  })

  it("EW-03: where the change cannot be taken back either, the files that may be changed are named", async () => {
    const disk = [
      { call: "renameSync", on: TEMPORARY, nth: 3, error: "EIO" },
      { call: "writeSync", on: TEMPORARY, nth: 4, error: "ENOSPC" },
    ] as const
    const { exitCode, stderr } = await env(both, { disk })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      `${ENVIRONMENTS}/local.json" could not be written: the disk reports an error (EIO)`,
    )
    expect(stderr).toContain(`"${ENVIRONMENTS}/local.secrets.env" may be changed already`)
    expect(stderr).not.toContain("nothing was changed")
    const next = await env(["list"])
    expect(next.stderr).toContain("finished what an earlier command had left half done")
    expect(await textOf("local.secrets.env")).toContain(CANARY)
    expect(await textOf("local.json")).toBe(local.replace('"port": 1', '"port": 2'))
    expect(Object.keys(await snapshot()).filter((name) => name.includes(".callsheet"))).toEqual([])
  })
})

describe("a signal", () => {
  it.each([1, 2, 3])(
    "EW-04: SIGKILL before rename %i leaves all old or all new to the next command",
    async (nth) => {
      const before = await snapshot()
      expect(
        (await env(both, { disk: [{ call: "renameSync", on: TEMPORARY, nth, signal: "SIGKILL" }] })).signal,
      ).toBe("SIGKILL")
      const { stdout } = await env(["read", "shop", "local", "port"])
      // The first rename puts the journal in its place: before it nothing has begun.
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
  ] as const)("EW-05: %s in the middle of a write lets it end, and exits with %i", async (signal, code) => {
    const result = await env(both, { disk: [{ call: "renameSync", on: TEMPORARY, nth: 2, signal }] })
    expect(result.exitCode).toBe(code)
    expect(result.stderr).toContain("port set in")
    expect([await textOf("local.json"), await textOf("local.secrets.env")]).toEqual([
      local.replace('"port": 1', '"port": 2'),
      `# theirs\napiKey=${CANARY}\n`,
    ])
  })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "EW-05: %s while another process has the lock ends a write before it begins",
    async (signal, code) => {
      const before = await snapshot()
      // A living process, of which no more is known than its number.
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

describe("files as they are", () => {
  it.each([
    ["local.json", '{"port":1,}', "json-syntax"],
    ["local.json", "", "json-syntax"],
    ["local.json", "[]", "field-type"],
    ["local.json", '{"port":1,"port":2}', "json-syntax"],
    ["local.secrets.env", `apiKey=k\n${CANARY}\n`, "dotenv-syntax"],
    ["local.secrets.env", "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> b\n", "file-conflict"],
    ["schema.json", '{"version":1,"variables":{"port":{"type":"number","required":"no"}}}', "field-type"],
  ])("EW-06: %s of %j is never written over", async (name, text, code) => {
    writeFileSync(at(name), text)
    expect(await refused(both)).toContain(`(${code})`)
  })

  const nobody = { uid: 65_534, gid: 65_534 }
  const isRoot = process.getuid?.() === 0
  /** Whether another user can run the command at all: the repository may stand where only root looks. */
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
    ["a read-only folder", () => [chmodSync(at("local.json"), 0o666), chmodSync(at("."), 0o555)]],
  ])("EW-07: %s is refused, and not made writable", async (_, prepare) => {
    chmodSync(folder, 0o755)
    if (isRoot) chownSync(at("local.json"), nobody.uid, nobody.gid)
    prepare()
    const modes = [statSync(at(".")).mode, statSync(at("local.json")).mode]
    const before = await snapshot()
    const { status, stderr } = asNobody(onlyValues)
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `"${ENVIRONMENTS}/local.json" could not be written: permission denied (write-failed)\n  hint: nothing was changed\n`,
    })
    expect(await snapshot()).toEqual(before)
    expect([statSync(at(".")).mode, statSync(at("local.json")).mode]).toEqual(modes)
    chmodSync(at("."), 0o755)
  })

  it.runIf(canBeNobody)(
    "EW-07: a file of another user is refused to whoever may not give it back",
    async () => {
      chmodSync(folder, 0o755)
      chmodSync(at("."), 0o777)
      chmodSync(at("local.json"), 0o666)
      const { status, stderr } = asNobody(onlyValues)
      expect(status).toBe(2)
      expect(stderr).toContain("permission denied (write-failed)")
      expect(await textOf("local.json")).toBe(local)
    },
  )

  it.runIf(isRoot)("EW-07: a file of another user stays theirs", async () => {
    chownSync(at("local.json"), 65_534, 65_533)
    expect((await env(onlyValues)).exitCode).toBe(0)
    const { uid, gid } = statSync(at("local.json"))
    expect({ uid, gid }).toEqual({ uid: 65_534, gid: 65_533 })
  })

  it.runIf(process.platform !== "win32")("EW-07: a file keeps its mode", async () => {
    chmodSync(at("local.json"), 0o640)
    expect((await env(onlyValues)).exitCode).toBe(0)
    expect(modeOf("local.json")).toBe(0o640)
  })

  it("EW-08: a link inside the project is written through and stays a link", async () => {
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
    "EW-08: %s behind a link out of the project is refused",
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

  it("EW-09: a link that stands where a temporary file is to be made is not written through", async () => {
    writeFileSync(join(folder, "other.txt"), "theirs")
    const plant = join(folder, "other.txt")
    const result = await env(onlyValues, { disk: [{ call: "openSync", on: TEMPORARY, nth: 1, plant }] })
    expect(result.exitCode).toBe(0)
    expect(readFileSync(plant, "utf8")).toBe("theirs")
    expect(await textOf("local.json")).toContain('"port": 2')
  })

  it.runIf(process.platform !== "win32")(
    "EW-10: a secrets file is for its owner alone, from its first byte on",
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

  it("EW-11: a secret changes the secrets file alone, once .gitignore ignores it", async () => {
    writeFileSync(join(folder, ".gitignore"), "node_modules")
    const value = statSync(at("local.json"))
    const disk = [{ call: "openSync", on: `environments/${TEMPORARY}`, signal: "SIGKILL" }] as const
    await env(onlySecrets, { disk })
    expect(await readText(folder, ".gitignore")).toBe("node_modules\n*.secrets.env\n")
    expect(await textOf("local.secrets.env")).toBe(secrets)
    await env(onlySecrets)
    expect(await textOf("local.secrets.env")).toBe(`# theirs\napiKey=${CANARY}\n`)
    expect([statSync(at("local.json")).ino, await textOf("local.json")]).toEqual([value.ino, local])
    expect(await readText(folder, ".gitignore")).toBe("node_modules\n*.secrets.env\n")
  })
})

describe("several processes", () => {
  it("EW-12: commands at once lose nothing of each other", async () => {
    const results = await Promise.all([
      write(["local", "port=7"]),
      write(["local", "dry=true"]),
      write(["local", `apiKey=${CANARY}`]),
      write(["local", "pin=4"]),
    ])
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    expect(JSON.parse((await textOf("local.json")) ?? "")).toMatchObject({ port: 7, dry: true })
    expect(await textOf("local.secrets.env")).toMatch(new RegExp(`^# theirs\napiKey=${CANARY}\npin=4\n$`))
  })

  it("EW-12: a command that comes in the middle of another one's write waits, and both are kept", async () => {
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
    expect(JSON.parse((await textOf("local.json")) ?? "")).toMatchObject({ port: 7, dry: true })
  })

  it("EW-13: the lock of a killed process is taken over at once", async () => {
    await env(onlyValues, { disk: [{ call: "renameSync", on: TEMPORARY, signal: "SIGKILL" }] })
    expect(
      Object.keys(await everyFile(join(folder, ".tmp"))).filter((name) => name.endsWith(".lock")),
    ).toHaveLength(1)
    const start = performance.now()
    expect((await env(onlyValues)).exitCode).toBe(0)
    // A living owner is waited for 10 seconds.
    expect(performance.now() - start).toBeLessThan(8_000)
  })
})

describe("values", () => {
  it.each([
    ["all three quotes and #", `${CANARY}'"\`#`, "all three kinds of quotes"],
    ["a carriage return beside a backslash and n", `${CANARY}\r\\n`, "a carriage return"],
    ["a NUL", `${CANARY}\0`, "a NUL character"],
  ])("EW-15: a secret with %s is refused, with the reason", async (_, stdin, reason) => {
    const said = await refused(["write", "shop", "local", "port=2", "apiKey=-"], { stdin })
    expect(said).toContain(`the value of "apiKey" cannot be written into a secrets file: it holds ${reason}`)
    expect(said).toContain("(secret-unquotable)")
  })

  const pem = `-----BEGIN KEY-----\n${"QUJD".repeat(16)}\n-----END KEY-----\n`
  it.each([
    ["a line break", "a\nb"],
    ["a #", "a#b #c"],
    ["backslashes", String.raw`C:\new\"`],
    ["a PEM", pem],
    ["outer blanks", "  a\t "],
    ["a quote of each of two kinds", `it's "so"`],
    ["a dollar", "$HOME${x}"],
    ["export", "export a=b"],
    ["no character at all", ""],
    ["a line separator", "a\u2028b"],
  ])("EW-16: a secret with %s is read again as it was, and no other line changes", async (_, value) => {
    const others = "# mine\r\nexport pin = 4 # four\r\n\r\napiKey='old' # theirs\r\nstray_=\"x\ny\"\r\n"
    writeFileSync(at("local.secrets.env"), others)
    expect((await write(["local", "apiKey=-"], { stdin: `${value}\n` })).exitCode).toBe(0)
    const text = (await textOf("local.secrets.env")) ?? ""
    const [head = "", tail = ""] = others.split("'old'")
    expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true])
    const { stdout } = await env(["read", "shop", "local", "apiKey", "--reveal"])
    expect(stdout).toBe(`${value}\n`)
  })

  it.each([
    ["a line separator, a tag and quotes", "\u2028</script>\"'\\ \u0001é𝄞"],
    ["a megabyte", "x".repeat(1_000_000)],
  ])(
    "EW-17: %s in a value file is read again as it was, in a file that keeps its style",
    async (_, value) => {
      const text = '\ufeff{\r\n\t"port" : 1,\r\n\t"baseUrl" : "old",\r\n\t"dry" : true\r\n}'
      writeFileSync(at("local.json"), text)
      expect((await write(["local", "baseUrl=-"], { stdin: value })).exitCode).toBe(0)
      expect(await textOf("local.json")).toBe(text.replace('"old"', () => JSON.stringify(value)))
      expect((await env(["read", "shop", "local", "baseUrl"])).stdout).toBe(`${value}\n`)
    },
  )

  it("EW-18: all that is wrong with several values is told, and nothing is written", async () => {
    const words = [
      "write",
      "shop",
      "local",
      "baseUrl=x",
      "prot=1",
      `port=${CANARY}`,
      "level=staging",
      `apiKey=${CANARY}`,
    ]
    const said = await refused(words)
    expect(said.match(/\([a-z-]+\)$/gm)?.sort()).toEqual([
      "(variable-reserved)",
      "(variable-type)",
      "(variable-undeclared)",
    ])
    expect(said).toContain('did you mean "port"?')
  })

  it("EW-19: standard input without a byte is the empty text, and that is said", async () => {
    const result = await write(["local", "baseUrl=-"], { stdin: "" })
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toContain("standard input held nothing: baseUrl is the empty text now\n")
    expect(await textOf("local.json")).toContain('"baseUrl": ""')
    expect(await refused(["write", "shop", "local", "port=-"], { stdin: "" })).toContain(
      "to take its value away, use --unset port",
    )
  })

  it("EW-19: a hundred megabytes of standard input are refused after the first", async () => {
    const child = spawn(process.execPath, [program, "env", "write", "shop", "local", "baseUrl=-"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], TMPDIR: lockFolder() },
      stdio: ["pipe", "ignore", "pipe"],
    })
    let taken = 0
    const chunk = Buffer.alloc(64 * 1024, "x")
    child.stdin.on("error", () => undefined)
    const feed = () => {
      while (taken < 100_000_000 && child.stdin.writable) {
        taken += chunk.length
        if (!child.stdin.write(chunk)) return void child.stdin.once("drain", feed)
      }
      child.stdin.end()
    }
    feed()
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    expect((await once(child, "close"))[0]).toBe(2)
    expect(stderr).toBe("baseUrl=-: standard input holds more than 1 MiB (usage)\n")
    expect(taken).toBeLessThan(20_000_000)
    expect(await textOf("local.json")).toBe(local)
  })

  it("EW-19: a NUL goes into a value file and not into a secrets file", async () => {
    expect((await write(["local", "baseUrl=-"], { stdin: "a\0b" })).exitCode).toBe(0)
    expect(await textOf("local.json")).toContain(String.raw`"a\u0000b"`)
    expect(await refused(["write", "shop", "local", "apiKey=-"], { stdin: "a\0b" })).toContain(
      "a NUL character",
    )
  })

  it.runIf(process.platform !== "win32")("EW-19: no standard input at all is as if it held nothing", () => {
    const line = '"$0" "$1" env write shop local baseUrl=- <&-'
    const { status, stderr } = spawnSync("/bin/sh", ["-c", line, process.execPath, program], {
      cwd: folder,
      env: { PATH: process.env["PATH"], TMPDIR: lockFolder() },
      encoding: "utf8",
      timeout: 30_000,
    })
    expect(status).toBe(0)
    expect(stderr).toContain("standard input held nothing: baseUrl is the empty text now\n")
  })
})

describe("rename and delete", () => {
  it.each([1, 2, 3, 4, 5])(
    "EW-20: a rename that is killed before its rename %i is finished or not begun",
    async (nth) => {
      writeFileSync(at("ci.json"), '{ "extends": "local" }')
      const disk = [{ call: "renameSync", on: "environments|callsheet", nth, signal: "SIGKILL" }] as const
      expect((await env(["rename", "shop", "local", "main"], { disk })).signal).toBe("SIGKILL")
      const next = await callsheet(["list", "apis", "--json"], { folder, env: { TMPDIR: lockFolder() } })
      expect(next.exitCode).toBe(0)
      const name = nth === 1 ? "local" : "main"
      expect(next.stderr).toBe(
        nth === 1
          ? ""
          : 'finished what an earlier command had left half done: rename the environment "local" of the API "shop" to "main"\n',
      )
      const { stdout } = await env(["list", "--json"])
      expect(JSON.parse(stdout)).toEqual(
        [{ name: "ci", extends: name }, { name }, { name: "staging", extends: name }]
          .map((row) => ({ api: "shop", level: "local", ...row }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
      expect(await textOf(`${name}.secrets.env`)).toBe(secrets)
    },
  )

  it("EW-20: a command that is refused says all the same what it has finished", async () => {
    const disk = [{ call: "renameSync", on: "environments", nth: 2, signal: "SIGKILL" }] as const
    await env(["rename", "shop", "local", "main"], { disk })
    const { exitCode, stderr } = await write(["local", "prot=1", "--extends", "nowhere"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("finished what an earlier command had left half done")
    expect(await textOf("main.json")).toBe(local)
  })

  it.each([1, 2])(
    "EW-21: a delete that is killed before its removal %i leaves no secret behind",
    async (nth) => {
      await write(["leaf", `apiKey=${CANARY}`])
      const disk = [{ call: "unlinkSync", on: "leaf", nth, signal: "SIGKILL" }] as const
      expect((await env(["delete", "shop", "leaf"], { disk })).signal).toBe("SIGKILL")
      const left = [await textOf("leaf.json"), await textOf("leaf.secrets.env")].map(
        (text) => text !== undefined,
      )
      // The secrets go first.
      expect(left).toEqual(nth === 1 ? [true, true] : [true, false])
      expect((await env(["list"])).stderr).toContain('delete the environment "leaf" of the API "shop"')
      expect([existsSync(at("leaf.json")), existsSync(at("leaf.secrets.env"))]).toEqual([false, false])
    },
  )

  it.each([
    ["staging", "env-exists"],
    ["local", "env-exists"],
    ["STAGING", "env-name"],
    ["schema", "env-name"],
    ["nul", "env-name"],
    ["COM1.x", "env-name"],
    ["../x", "env-name"],
    ["", "env-name"],
  ])("EW-22: a rename to %j is %s", async (to, code) => {
    expect(await refused(["rename", "shop", "local", to])).toContain(`(${code})`)
  })

  it("EW-22: a rename that changes upper and lower case alone works", async () => {
    expect((await env(["rename", "shop", "local", "Local"])).exitCode).toBe(0)
    const names = Object.keys(await snapshot()).map((name) => name.slice(ENVIRONMENTS.length + 1))
    expect(names).toEqual(expect.arrayContaining(["Local.json", "Local.secrets.env"]))
    expect(names).not.toContain("local.json")
    expect(await textOf("staging.json")).toBe('{ "extends": "Local" }\n')
  })

  it("EW-23: a delete of what others extend is refused, and lists them", async () => {
    writeFileSync(at("ci.json"), '{ "extends": "local" }')
    const said = await refused(["delete", "shop", "local"])
    expect(said).toContain(
      'the environment "local" cannot be deleted: "ci", "staging" extend it (env-in-use)',
    )
  })

  it("EW-24: a run goes on with the values it has read when its environment is renamed", async () => {
    let renamed: number | undefined
    const api = await startApi({
      "/echo": async () => {
        renamed ??= (await env(["rename", "shop", "local", "here"])).exitCode
        return { body: {} }
      },
    })
    try {
      const overrides = { params: { header: { "x-token": "{{token}}" } } }
      const blocks = ["one", "two"].map((id) => ({
        id,
        type: "request",
        request: { api: "shop", operation: "echo", overrides },
      }))
      const run = shopFiles(api.url, blocks)
      const result = await callsheet(["run", "w", "--env", "shop=local", "--json"], {
        folder,
        files: run,
        env: { TMPDIR: lockFolder() },
      })
      expect([renamed, result.exitCode, result.report?.status], result.stderr).toEqual([0, 0, "passed"])
      expect(api.requests.map((request) => request.headers["x-token"])).toEqual([
        "s3cr3t-t0k3n",
        "s3cr3t-t0k3n",
      ])
    } finally {
      await api.close()
    }
  })

  it("EW-25: a project on a read-only disk can be read, and says once why it cannot be written", async () => {
    const disk = [{ call: "openSync", on: TEMPORARY, error: "EROFS" }] as const
    expect((await env(["read", "shop", "staging", "port"], { disk })).stdout).toBe("1\n")
    for (const words of [both, ["rename", "shop", "local", "x"]]) {
      expect(await refused(words, { disk })).toMatch(
        /^"[^"]+" could not be written: the disk is read-only \(write-failed\)\n {2}hint: nothing was changed\n$/,
      )
    }
  })

  it.each(["EINVAL", "ENOTSUP", "EISDIR"])(
    "EW-25: a disk that cannot sync folders (%s) is put up with",
    async (error) => {
      const disk = [{ call: "fsyncSync", on: "environments$|callsheet-test-[^/]*$", error }] as const
      expect((await env(both, { disk })).exitCode).toBe(0)
      expect((await env(["rename", "shop", "local", "main"], { disk })).exitCode).toBe(0)
    },
  )
})
