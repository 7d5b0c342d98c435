// Checks `callsheet app`: its link, its port file, its exit, and its limits.

import { existsSync } from "node:fs"
import { chmod, readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { once } from "node:events"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { loadedModules } from "../architecture/loaded-modules.ts"
import { startApi } from "../harness/api-server.ts"
import { callsheet, commandLine, createFolder, program, readText, writeFiles } from "../harness/callsheet.ts"
import { startCommand, type CommandOptions, type RunningCommand } from "./start-command.ts"
import { tell } from "../harness/tell.ts"

let folder: string
let env: Readonly<Record<string, string>>
const running: RunningCommand[] = []
beforeEach(async () => {
  folder = await createFolder({
    "project/apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} },
    "project/apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "project/apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
    "other/apis/shop/openapi.json": "{}",
    "apart/notes.txt": "no project",
  })
  env = { HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state") }
})
afterEach(async () => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL")
  await rm(folder, { recursive: true, force: true })
})

const start = async (options: Partial<CommandOptions> = {}): Promise<RunningCommand> => {
  const command = await startCommand({ cwd: join(folder, "project"), env, ...options })
  running.push(command)
  return command
}
const call = (words: readonly string[], cwd = "project") => callsheet(["app", ...words], { folder, cwd, env })
/** Returns a PATH with a browser that records the URLs it should open. */
const opener = async (): Promise<string> => {
  await writeFiles(folder, { "bin/xdg-open": `#!/bin/sh\necho "$@" > ${folder}/opened\n` })
  await chmod(join(folder, "bin/xdg-open"), 0o755)
  return `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`
}
const portFiles = async (): Promise<readonly string[]> => readdir(join(folder, "state", "callsheet", "app"))

describe("callsheet app", () => {
  it("prints one line with its link, which opens a session, and serves the page", async () => {
    const command = await start()
    expect(command.stdout()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#link=[A-Za-z0-9_-]{43}\n$/)
    const answer = await command.post("/api/project.read", {}, await command.enter())
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { name: "project" }])
    const page = await fetch(`http://127.0.0.1:${command.port}/`, { headers: { "sec-fetch-site": "none" } })
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const script = /src="\.?(\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ""
    const loaded = await fetch(`http://127.0.0.1:${command.port}${script}`)
    expect([loaded.status, loaded.headers.get("content-encoding")]).toEqual([200, "gzip"])
    await loaded.text()
  })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("exits by %s with %i, and leaves no port file", async (signal, exitCode) => {
    const command = await start()
    const session = await command.enter()
    // An open page must not delay the exit.
    void command.post("/events", {}, session).catch(() => undefined)
    expect(await portFiles()).toHaveLength(1)
    expect(await command.end(signal)).toBe(exitCode)
    expect(await portFiles()).toEqual([])
    expect(command.stderr()).not.toContain("bug")
  })

  it("works from outside with --project, and fails without a directory", async () => {
    const command = await start({ cwd: join(folder, "apart"), words: ["--project", "../project"] })
    expect(command.link).toContain("#link=")
    const refused = await call(["--project", "nowhere"], "apart")
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain("(project-missing)")
  })

  it("reports that its port is taken, and uses a free one by default", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    const refused = await call(["--port", String(address.port)])
    server.close()
    expect([refused.exitCode, refused.stdout]).toEqual([2, ""])
    expect(refused.stderr).toBe(
      `callsheet can't listen on port ${address.port} of 127.0.0.1: another program listens there (port-unusable)\n` +
        "  hint: without --port, callsheet uses a free port\n",
    )
    const [one, two] = [await start(), await start()]
    expect(one.port).not.toBe(two.port)
  })

  it.each([
    ["--port", "70000"],
    ["--port", "-1"],
    ["--port", "4000x"],
    ["--host", "0.0.0.0"],
    ["--host", "::"],
    ["--host", "example.com", "--allow-remote"],
    ["--print-link", "--port", "4000"],
  ])("rejects %s %s", async (...words) => {
    const { exitCode, stdout, stderr } = await call(words)
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("(usage)")
  })

  it("listens only on 127.0.0.1", async () => {
    const { port } = await start()
    for (const host of ["::1", "127.0.0.2"]) {
      const error = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port}/`).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(Error)
    }
  })

  it("opens no browser without a terminal", async () => {
    const path = await opener()
    const command = await start({ env: { ...env, PATH: path, DISPLAY: ":0" } })
    expect(await command.end("SIGINT")).toBe(130)
    expect(existsSync(join(folder, "opened"))).toBe(false)
  })
})

describe("callsheet app --print-link", () => {
  it("prints another link of this project's app", async () => {
    const command = await start()
    const { exitCode, stdout } = await call(["--print-link"])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${command.port}/#link=[A-Za-z0-9_-]{43}\n$`))
    expect(stdout).not.toBe(command.stdout())
    const link = stdout.trim().split("#link=")[1]
    expect((await command.post("/session", { link })).status).toBe(200)
    const other = await call(["--print-link"], "other")
    expect([other.exitCode, other.stdout]).toEqual([2, ""])
    expect(other.stderr).toContain("(app-missing)")
  })

  it("ignores a killed app, and removes its port file", async () => {
    const command = await start()
    await command.end("SIGKILL")
    expect(await portFiles()).toHaveLength(1)
    expect((await call(["--print-link"])).exitCode).toBe(2)
    expect(await portFiles()).toEqual([])
  })

  it("shows no secret in the arguments of a process", async () => {
    if (!existsSync("/proc/self/cmdline")) return
    const command = await start()
    const words = await readFile(`/proc/${command.child.pid}/cmdline`, "utf8")
    const [file = ""] = await portFiles()
    const owner = /"owner":"([^"]+)"/.exec(
      await readFile(join(folder, "state/callsheet/app", file), "utf8"),
    )?.[1]
    expect(owner).toMatch(/^.{43}$/)
    for (const secret of [owner ?? "", command.link.split("#link=")[1] ?? ""]) {
      expect(words).not.toContain(secret)
      expect(command.stderr()).not.toContain(secret)
    }
  })
})

describe("opening a project", () => {
  it("runs none of its code and sends nothing", async () => {
    const api = await startApi({ "*": { body: {} } })
    await writeFiles(join(folder, "project"), {
      "apis/shop/environments/local.json": { baseUrl: api.url },
      "apis/workflow/w.json": {
        version: 1,
        blocks: [
          { id: "get", type: "request", request: { api: "shop", method: "GET", path: "/" } },
          { id: "s", type: "script", script: { name: "s", exportName: "touch" } },
        ],
      },
      "apis/workflow/scripts/w/s.ts": `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(join(folder, "ran"))}, "")\nexport const touch = () => undefined\n`,
    })
    const command = await start()
    const session = await command.enter()
    for (const name of ["project.read", "problems.read"])
      expect((await command.post(`/api/${name}`, {}, session)).status).toBe(200)
    await command.end("SIGINT")
    expect(existsSync(join(folder, "ran"))).toBe(false)
    expect(api.requests).toEqual([])
    await api.close()
  })

  it("makes no file call outside the project, whatever name is requested", async () => {
    const log = join(folder, "files.log")
    const recorder = fileURLToPath(new URL("record-files.cjs", import.meta.url))
    const recording = {
      NODE_OPTIONS: `--require ${JSON.stringify(recorder)}`,
      CALLSHEET_TEST_FILES: log,
      // The cache of compiled code is outside the project.
      NODE_DISABLE_COMPILE_CACHE: "1",
    }
    const command = await start({ env: { ...env, ...recording } })
    const session = await command.enter()
    expect((await command.post("/api/problems.read", {}, session)).status).toBe(200)
    await rm(log)
    const names = [
      "../../etc/passwd",
      "/etc/passwd",
      "..%2f..%2fetc",
      "shop/../../../etc",
      "~/.ssh",
      "nul",
      "shop\u0000",
    ]
    for (const api of names)
      expect((await command.post("/api/operations.list", { api }, session)).status).toBe(400)
    // The app asks the kernel for a connection's user, through a path that no request can name.
    const readPaths = async () =>
      (existsSync(log) ? await readFile(log, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as string)
        .filter((path) => !/^\/proc\/net\/tcp6?$/.test(path))
    expect(await readPaths()).toEqual([])
    expect((await command.post("/api/operations.list", { api: "shop" }, session)).status).toBe(200)
    expect((await command.post("/api/operations.list", { api: "nowhere" }, session)).status).toBe(400)
    const paths = await readPaths()
    const project = join(folder, "project")
    expect(paths.some((path) => path.startsWith(join(project, "apis", "shop")))).toBe(true)
    const dist = join(program, "../..")
    const foreign = paths.filter(
      (path) => ![project, dist, `file://${dist}`, "/proc/"].some((place) => path.startsWith(place)),
    )
    expect(foreign).toEqual([])
    tell(`file calls: ${paths.length} seen, ${foreign.length} outside of the project`)
  })
})

describe("other commands", () => {
  it.each([[["validate"]], [["list"]], [["env", "list"]]])(
    "%j loads no part of the app",
    async (parameters) => {
      const { exitCode, sources } = await loadedModules({
        parameters,
        cwd: join(folder, "project"),
        needs: ["util"],
      })
      expect(exitCode).toBe(0)
      expect(sources.filter((source) => /^packages\/(server|web)\//.test(source))).toEqual([])
    },
  )
})

describe("at a terminal", () => {
  it.runIf(existsSync("/usr/bin/script"))(
    "opens the browser with a link that only its own user can use",
    async () => {
      const path = await opener()
      const child = spawn("/usr/bin/script", ["-qec", commandLine(["app"]).flat().join(" "), "/dev/null"], {
        cwd: join(folder, "project"),
        env: { ...env, PATH: path, DISPLAY: ":0", NO_COLOR: "1", SHELL: "/bin/sh" },
        stdio: ["pipe", "pipe", "ignore"],
      })
      // Without a terminal, the command exits too.
      onTestFinished(() => void child.kill("SIGKILL"))
      const end = performance.now() + 15_000
      let printed = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
      const isOpened = async () => ((await readText(folder, "opened")) ?? "").endsWith("\n")
      while (!(await isOpened()) && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 20))
      const opened = await readFile(join(folder, "opened"), "utf8")
      const [own, shown] = [opened.trim(), /http\S+/.exec(printed)?.[0] ?? ""]
      expect(own).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#link=[A-Za-z0-9_-]{43}$/)
      expect(own).not.toBe(shown)
      const session = await fetch(`${own.split("#")[0]}session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ link: own.split("#link=")[1] }),
      })
      expect(session.status).toBe(200)
      child.stdin.write("\u0003")
      await once(child, "close")
    },
  )
})
