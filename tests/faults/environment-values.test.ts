// Faults in writing values, and in renaming and deleting environments, through the built command.

import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, program } from "../harness/callsheet.ts"
import { TEMPORARY } from "../harness/faulty-disk.ts"
import { shopFiles } from "../run/shop-project.ts"
import {
  at,
  both,
  env,
  folder,
  lockFolder,
  refused,
  snapshot,
  readEnvironmentFile,
  write,
  useEnvironmentProject,
} from "./environment-command.ts"
import { CANARY, ENVIRONMENTS, local, secrets } from "./environment-project.ts"

useEnvironmentProject()

describe("values", () => {
  it.each([
    ["all three quotes and #", `${CANARY}'"\`#`, "all three kinds of quotes"],
    ["a carriage return next to a backslash and n", `${CANARY}\r\\n`, "a carriage return"],
    ["a NUL", `${CANARY}\0`, "a NUL character"],
  ])("a secret with %s is rejected, with the reason", async (_, stdin, reason) => {
    const said = await refused(["write", "shop", "local", "port=2", "apiKey=-"], { stdin })
    expect(said).toContain(`can't write the value of "apiKey" to a secrets file: it contains ${reason}`)
    expect(said).toContain("(secret-unquotable)")
  })

  const pem = `-----BEGIN KEY-----\n${"QUJD".repeat(16)}\n-----END KEY-----\n`
  it.each([
    ["a line break", "a\nb"],
    ["a #", "a#b #c"],
    ["backslashes", String.raw`C:\new\"`],
    ["a PEM", pem],
    ["surrounding spaces", "  a\t "],
    ["one quote of each of two kinds", `it's "so"`],
    ["a dollar", "$HOME${x}"],
    ["export", "export a=b"],
    ["no character", ""],
    ["a line separator", "a\u2028b"],
  ])("a secret with %s reads back unchanged, and no other line changes", async (_, value) => {
    const others = "# mine\r\nexport pin = 4 # four\r\n\r\napiKey='old' # theirs\r\nstray_=\"x\ny\"\r\n"
    writeFileSync(at("local.secrets.env"), others)
    expect((await write(["local", "apiKey=-"], { stdin: `${value}\n` })).exitCode).toBe(0)
    const text = (await readEnvironmentFile("local.secrets.env")) ?? ""
    const [head = "", tail = ""] = others.split("'old'")
    expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true])
    const { stdout } = await env(["read", "shop", "local", "apiKey", "--reveal"])
    expect(stdout).toBe(`${value}\n`)
  })

  it.each([
    ["a line separator, a tag and quotes", "\u2028</script>\"'\\ \u0001é𝄞"],
    ["a megabyte", "x".repeat(1_000_000)],
  ])("%s in a value file reads back unchanged, and the file keeps its style", async (_, value) => {
    const text = '\ufeff{\r\n\t"port" : 1,\r\n\t"baseUrl" : "old",\r\n\t"dry" : true\r\n}'
    writeFileSync(at("local.json"), text)
    expect((await write(["local", "baseUrl=-"], { stdin: value })).exitCode).toBe(0)
    expect(await readEnvironmentFile("local.json")).toBe(text.replace('"old"', () => JSON.stringify(value)))
    expect((await env(["read", "shop", "local", "baseUrl"])).stdout).toBe(`${value}\n`)
  })

  it("all errors in several values are reported, and nothing is written", async () => {
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

  it("empty standard input is an empty string, with a note", async () => {
    const result = await write(["local", "baseUrl=-"], { stdin: "" })
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toContain("standard input was empty: baseUrl is now an empty string\n")
    expect(await readEnvironmentFile("local.json")).toContain('"baseUrl": ""')
    expect(await refused(["write", "shop", "local", "port=-"], { stdin: "" })).toContain(
      "to remove the value, use --unset port",
    )
  })

  it("a hundred megabytes of standard input are rejected after the first", async () => {
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
    expect(stderr).toBe("baseUrl=-: standard input is larger than 1 MiB (usage)\n")
    expect(taken).toBeLessThan(20_000_000)
    expect(await readEnvironmentFile("local.json")).toBe(local)
  })

  it("a NUL is written to a value file but not to a secrets file", async () => {
    expect((await write(["local", "baseUrl=-"], { stdin: "a\0b" })).exitCode).toBe(0)
    expect(await readEnvironmentFile("local.json")).toContain(String.raw`"a\u0000b"`)
    expect(await refused(["write", "shop", "local", "apiKey=-"], { stdin: "a\0b" })).toContain(
      "a NUL character",
    )
  })

  it.runIf(process.platform !== "win32")("closed standard input counts as empty", () => {
    const line = '"$0" "$1" env write shop local baseUrl=- <&-'
    const { status, stderr } = spawnSync("/bin/sh", ["-c", line, process.execPath, program], {
      cwd: folder,
      env: { PATH: process.env["PATH"], TMPDIR: lockFolder() },
      encoding: "utf8",
      timeout: 30_000,
    })
    expect(status).toBe(0)
    expect(stderr).toContain("standard input was empty: baseUrl is now an empty string\n")
  })
})

describe("rename and delete", () => {
  it.each([1, 2, 3, 4, 5])(
    "a rename that is killed before its rename %i is finished or has no effect",
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
          : 'finished an interrupted change: rename the environment "local" of the API "shop" to "main"\n',
      )
      const { stdout } = await env(["list", "--json"])
      expect(JSON.parse(stdout)).toEqual(
        [{ name: "ci", extends: name }, { name }, { name: "staging", extends: name }]
          .map((row) => ({ api: "shop", level: "local", ...row }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
      expect(await readEnvironmentFile(`${name}.secrets.env`)).toBe(secrets)
    },
  )

  it("a rejected command still reports what it finished", async () => {
    const disk = [{ call: "renameSync", on: "environments", nth: 2, signal: "SIGKILL" }] as const
    await env(["rename", "shop", "local", "main"], { disk })
    const { exitCode, stderr } = await write(["local", "prot=1", "--extends", "nowhere"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("finished an interrupted change")
    expect(await readEnvironmentFile("main.json")).toBe(local)
  })

  it.each([1, 2])("a delete that is killed before its removal %i leaves no secret behind", async (nth) => {
    await write(["leaf", `apiKey=${CANARY}`])
    const disk = [{ call: "unlinkSync", on: "leaf", nth, signal: "SIGKILL" }] as const
    expect((await env(["delete", "shop", "leaf"], { disk })).signal).toBe("SIGKILL")
    const left = [await readEnvironmentFile("leaf.json"), await readEnvironmentFile("leaf.secrets.env")].map(
      (text) => text !== undefined,
    )
    // The command deletes the secrets file first.
    expect(left).toEqual(nth === 1 ? [true, true] : [true, false])
    expect((await env(["list"])).stderr).toContain('delete the environment "leaf" of the API "shop"')
    expect([existsSync(at("leaf.json")), existsSync(at("leaf.secrets.env"))]).toEqual([false, false])
  })

  it.each([
    ["staging", "env-exists"],
    ["local", "env-exists"],
    ["STAGING", "env-name"],
    ["schema", "env-name"],
    ["nul", "env-name"],
    ["COM1.x", "env-name"],
    ["../x", "env-name"],
    ["", "env-name"],
  ])("a rename to %j is %s", async (to, code) => {
    expect(await refused(["rename", "shop", "local", to])).toContain(`(${code})`)
  })

  it("a rename that changes only the case works", async () => {
    expect((await env(["rename", "shop", "local", "Local"])).exitCode).toBe(0)
    const names = Object.keys(await snapshot()).map((name) => name.slice(ENVIRONMENTS.length + 1))
    expect(names).toEqual(expect.arrayContaining(["Local.json", "Local.secrets.env"]))
    expect(names).not.toContain("local.json")
    expect(await readEnvironmentFile("staging.json")).toBe('{ "extends": "Local" }\n')
  })

  it("a delete of an environment that others extend is rejected, and lists them", async () => {
    writeFileSync(at("ci.json"), '{ "extends": "local" }')
    const said = await refused(["delete", "shop", "local"])
    expect(said).toContain(`can't delete the environment "local": "ci" and "staging" extend it (env-in-use)`)
  })

  it("a run continues with the values it has read when its environment is renamed", async () => {
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

  it("a project on a read-only disk can be read, and reports once why it can't be written", async () => {
    const disk = [{ call: "openSync", on: TEMPORARY, error: "EROFS" }] as const
    expect((await env(["read", "shop", "staging", "port"], { disk })).stdout).toBe("1\n")
    for (const words of [both, ["rename", "shop", "local", "x"]]) {
      expect(await refused(words, { disk })).toMatch(
        /^can't write "[^"]+": the disk is read-only \(write-failed\)\n {2}hint: nothing was changed\n$/,
      )
    }
  })

  it.each(["EINVAL", "ENOTSUP", "EISDIR"])(
    "a disk that can't sync directories (%s) is supported",
    async (error) => {
      const disk = [{ call: "fsyncSync", on: "environments$|callsheet-test-[^/]*$", error }] as const
      expect((await env(both, { disk })).exitCode).toBe(0)
      expect((await env(["rename", "shop", "local", "main"], { disk })).exitCode).toBe(0)
    },
  )
})
