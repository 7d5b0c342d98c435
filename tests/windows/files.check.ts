// Files that callsheet writes on Windows: line endings, files that other programs have open, locks and crashes.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { callsheet, node, readText } from "../harness/callsheet.ts"
import { request } from "../run/shop-project.ts"
import { preloading, shopFolder, windowsPath } from "./windows.ts"

const blocks = [request("get", { operation: "echo" })]
const values = "apis/shop/environments/local.json"
const secrets = "apis/shop/environments/local.secrets.env"

it("keeps the line endings of Windows", async () => {
  const { folder } = await shopFolder(blocks, {
    [values]: '{\r\n  "baseUrl": "http://127.0.0.1:1",\r\n  "tier": 3\r\n}\r\n',
    [secrets]: "# one\r\ntoken=old\r\n",
  })
  const written = await callsheet(["env", "write", "shop", "local", "tier=4", "token=new"], { folder })
  expect(written.exitCode, written.stderr).toBe(0)
  expect(await readText(folder, values)).toBe(
    '{\r\n  "baseUrl": "http://127.0.0.1:1",\r\n  "tier": 4\r\n}\r\n',
  )
  expect(await readText(folder, secrets)).toBe("# one\r\ntoken=new\r\n")
})

/** Starts a Windows program that has a file open, and closes it after a time. */
async function holdOpen(folder: string, file: string, forMs: number): Promise<void> {
  const [runtime, ...before] = node
  const code = `const f = fs.openSync(${JSON.stringify(`${windowsPath(folder)}\\${file}`)}); console.log("open"); setTimeout(() => fs.closeSync(f), ${forMs})`
  const child = spawn(runtime, [...before, "-e", code], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(async () => {
    if (child.exitCode === null) await once(child, "close")
  })
  await once(child.stdout, "data")
}

it("waits for a program that has the file open, and otherwise changes nothing", async () => {
  const { folder } = await shopFolder(blocks)
  const before = await readText(folder, values)
  await holdOpen(folder, values, 20_000)
  const refused = await callsheet(["env", "write", "shop", "local", "tier=4"], { folder })
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("write-failed")])
  expect(refused.stderr).not.toContain("bug")
  expect(await readText(folder, values)).toBe(before)
  expect(
    (await readdir(join(folder, "apis/shop/environments"))).filter((name) => name.startsWith(".")),
  ).toEqual([])
})

it("loses no change of four programs that write at the same time", async () => {
  const { folder } = await shopFolder(blocks)
  const names = ["a", "b", "c", "d"]
  const variables = Object.fromEntries(names.map((name) => [name, { type: "string", required: false }]))
  const schema = { version: 1, variables: { baseUrl: { type: "string", required: true }, ...variables } }
  const files = { "apis/shop/environments/schema.json": schema, [values]: {}, [secrets]: "" }
  const { exitCode } = await callsheet(["validate"], { folder, files })
  expect(exitCode).toBe(0)
  const written = await Promise.all(
    names.map((name) => callsheet(["env", "write", "shop", "local", `${name}=by ${name}`], { folder })),
  )
  expect(written.map((one) => one.exitCode)).toEqual(names.map(() => 0))
  expect(JSON.parse((await readText(folder, values)) ?? "")).toEqual(
    Object.fromEntries(names.map((name) => [name, `by ${name}`])),
  )
})

it(
  "finishes or undoes a change of several files after it was killed before any call",
  { timeout: 900_000 },
  async () => {
    const killAt = preloading(fileURLToPath(new URL("../endurance/kill-at.cjs", import.meta.url)))
    const folderOf = "apis/shop/environments"
    let at = 1
    for (let isKilled = true; isKilled; at++) {
      const { folder } = await shopFolder(blocks, { [`${folderOf}/child.json`]: { extends: "local" } })
      const env = { ...killAt, ENDURANCE_KILL_AT: String(at) }
      const killed = await callsheet(["env", "rename", "shop", "local", "near"], { folder, env })
      isKilled = killed.exitCode !== 0
      // Otherwise, it failed.
      if (isKilled) expect([at, killed.stdout, killed.stderr]).toEqual([at, "", ""])
      // The next change takes the lock of the killed process at once, and leaves none of its files.
      const next = await callsheet(["env", "write", "shop", "child", "tier=5"], { folder })
      expect([at, next.exitCode], next.stderr).toEqual([at, 0])
      const names = await readdir(join(folder, folderOf))
      const name = names.includes("near.json") ? "near" : "local"
      expect([at, ...names.toSorted()]).toEqual([
        at,
        ...["child.json", `${name}.json`, `${name}.secrets.env`, "schema.json"].toSorted(),
      ])
      expect(JSON.parse((await readText(folder, `${folderOf}/child.json`)) ?? "")).toEqual({
        extends: name,
        tier: 5,
      })
    }
    expect(at).toBeGreaterThan(20)
  },
)
