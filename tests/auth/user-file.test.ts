// The user-level file is refused if anyone else could have written it.

import { chmod, mkdir, rename, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { createFolder } from "../harness/callsheet.ts"
import { createHome, nodeResolver, projectFor, run, startShop } from "./user-file.ts"

const resolvers = { vault: nodeResolver("console.log('kettle-lantern-47')", "{reference}") }

describe.skipIf(process.platform === "win32")("the user-level file", () => {
  it.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o601])(
    "with mode %o keeps every run from starting",
    async (mode) => {
      const shop = await startShop()
      const { env } = await createHome({ version: 1, resolvers }, {}, mode)
      const { exitCode, stderr } = await run([], { files: projectFor(shop), env })
      expect(exitCode).toBe(2)
      expect(stderr).toContain("(user-file-unsafe)")
      expect(shop.requests).toEqual([])
    },
  )

  it("inside the project is refused, also through a link", async () => {
    const shop = await startShop()
    const project = await createFolder(projectFor(shop))
    const inside = join(project, "config.json")
    await writeFile(inside, JSON.stringify({ version: 1, resolvers }))
    await chmod(inside, 0o600)
    const home = await createHome({})
    const link = join(home.folder, "link.json")
    await symlink(inside, link)
    for (const path of [inside, link]) {
      const { exitCode, stderr } = await run([], { folder: project, env: { CALLSHEET_CONFIG: path } })
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("(user-file-unsafe)"),
      })
    }
    expect(shop.requests).toEqual([])
  })

  it("is found in XDG_CONFIG_HOME, or else in ~/.config", async () => {
    const shop = await startShop()
    const { folder, file } = await createHome({ version: 1, resolvers })
    const moved = join(folder, ".config", "callsheet", "config.json")
    await mkdir(dirname(moved), { recursive: true })
    await rename(file, moved)
    for (const env of [{ XDG_CONFIG_HOME: join(folder, ".config") }, { HOME: folder }]) {
      const { exitCode } = await run([], { files: projectFor(shop), env })
      expect(exitCode).toBe(0)
    }
  })

  it.each([
    ["{", "config.json:1:2: ", "json-syntax"],
    [{ version: 1, resolver: {} }, 'unknown field "resolver"', "field-unknown"],
    [{ version: 1, resolvers: { v: { command: [] } } }, "the command does not name a program", "field-value"],
    [{ version: 1, resolvers: { v: { command: "sh" } } }, "expected an array", "field-type"],
    [
      { version: 1, certificates: [{ origin: "http://a", ca: "a" }] },
      "expected an https origin",
      "field-value",
    ],
    [
      { version: 1, certificates: [{ origin: "https://a/b", ca: "a" }] },
      "expected an https origin",
      "field-value",
    ],
    [
      { version: 1, certificates: [{ origin: "https://a", cert: "a" }] },
      "must be set together",
      "exactly-one",
    ],
    [{ version: 1, certificates: [{ origin: "https://a" }] }, 'or only "ca"', "exactly-one"],
  ])("with the mistake in %j keeps every run from starting", async (content, message, code) => {
    const shop = await startShop()
    const { env } = await createHome(content)
    const { exitCode, stderr } = await run([], { files: projectFor(shop), env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain(`(${code})`)
    expect(shop.requests).toEqual([])
  })
})
