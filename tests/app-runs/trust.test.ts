// No script of a project is loaded before the user has approved its text, and approved text is not asked again.

import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { makeFolder, putAll, type Files } from "../app-project/open-project.ts"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, type OpenRuns, type OpenRunsOptions } from "./open-runs.ts"

const folder = "apis/workflow/scripts/w"
const script = { id: "call", type: "script", script: { name: "one", exportName: "run" } }

/** A file that creates another one when it is loaded. */
const marking = (mark: string, more = ""): string =>
  `import { writeFileSync } from "node:fs"\n${more}\nwriteFileSync(process.env.MARKS + "/${mark}", "")\nexport const run = () => undefined\n`

const plainMarking = `require("node:fs").writeFileSync(process.env.MARKS + "/helper", "")`

interface Opening extends Partial<OpenRunsOptions> {
  readonly scripts?: Files
  readonly blocks?: readonly unknown[]
}

/** Scripts run in separate processes, which get the directory for marks from this process's environment. */
async function open({ scripts = {}, blocks = [script], ...options }: Opening = {}) {
  const marks = await makeFolder({})
  process.env["MARKS"] = marks
  const runs = await openRuns({
    files: (url) => ({ ...shopFiles(url, blocks), [`${folder}/one.ts`]: marking("one"), ...scripts }),
    ...options,
  })
  return { ...runs, loaded: () => readdir(marks) }
}

const local = { environments: {} }

async function ask(runs: OpenRuns, order: Parameters<OpenRuns["order"]>[0] = local) {
  const started = await runs.order(order)
  if (!("trust" in started)) throw new Error("the run does not ask about scripts")
  return started.trust
}

async function say(runs: OpenRuns, trust: string) {
  const started = await runs.order({ ...local, trust })
  if (!("run" in started)) throw new Error("the run asks again")
  await runs.done(started.run)
  return started.run
}

const runs = async (of: OpenRuns): Promise<boolean> => {
  const started = await of.order(local)
  if ("run" in started) await of.done(started.run)
  return "run" in started
}

const paths = (scripts: readonly { readonly path: string }[]) => scripts.map(({ path }) => path)

describe("a run that calls scripts", () => {
  it("asks first, lists them, and loads none", async () => {
    const of = await open({ scripts: { [`${folder}/unused.ts`]: marking("unused") } })
    const { scripts, confirmation } = await ask(of)
    expect(scripts).toEqual([
      { path: `${folder}/one.ts`, isNew: true },
      { path: `${folder}/unused.ts`, isNew: true },
    ])
    expect(Buffer.from(confirmation, "base64url")).toHaveLength(32)
    expect([await of.loaded(), of.events, await of.list()]).toEqual([[], [], []])
  })

  it("loads them after approval, and asks no more, even in a later app", async () => {
    const of = await open()
    await say(of, (await ask(of)).confirmation)
    expect(await of.loaded()).toEqual(["one"])
    expect(await runs(of)).toBe(true)
    await of.close()
    const later = await openRuns({ root: of.root, state: of.state, files: () => ({}) })
    expect(await runs(later)).toBe(true)
  })

  it("asks only about changed ones, however often they changed", async () => {
    const of = await open({ scripts: { [`${folder}/two.ts`]: marking("two") } })
    await say(of, (await ask(of)).confirmation)
    await putAll(of.root, { [`${folder}/two.ts`]: marking("three"), [`${folder}/new.ts`]: "" })
    const { scripts, confirmation } = await ask(of)
    expect(scripts).toEqual([
      { path: `${folder}/new.ts`, isNew: true },
      { path: `${folder}/two.ts`, isNew: false },
    ])
    await say(of, confirmation)
    // Once the user has approved a text, it stays approved, for example on another branch.
    await putAll(of.root, { [`${folder}/two.ts`]: marking("two") })
    expect(await runs(of)).toBe(true)
  })

  it("asks about their imports inside the project, but not about installed packages", async () => {
    const imports = [
      `import "../../../../shared/a"`,
      `export * from './near.js'`,
      "const late = () => import(`../other`)",
      `const old = () => require("./data.json")`,
      `import "./one.ts"`,
      `import "leftpad"`,
      `import "../../../../node_modules/leftpad/index.js"`,
      `const words = ["./nothing", "..", "/etc/passwd"]`,
    ]
    const of = await open({
      scripts: {
        [`${folder}/one.ts`]: marking("one", imports.join("\n")),
        [`${folder}/near.ts`]: "export {}",
        [`${folder}/data.json`]: "{}",
        "apis/workflow/scripts/other/index.mts": "export {}",
        "shared/a.ts": `import "./deep/b.mjs"`,
        "shared/deep/b.mjs": `import "../a"`,
        "shared/unrelated.ts": "export {}",
        "node_modules/leftpad/index.js": "module.exports = 1",
        "node_modules/leftpad/package.json": { name: "leftpad" },
      },
    })
    expect(paths((await ask(of)).scripts)).toEqual([
      "apis/workflow/scripts/other/index.mts",
      `${folder}/data.json`,
      `${folder}/near.ts`,
      `${folder}/one.ts`,
      "shared/a.ts",
      "shared/deep/b.mjs",
    ])
  })

  describe.each([
    ["#helper", `import "#helper"`],
    ["the package's own name", `import "shop-tests/helper"`],
    ["an escaped path", `import "../../../../shared/h%65lper.ts"`],
    ["an escaped character", String.raw`import "\x2e./../../../shared/helper.ts"`],
    ["a link below node_modules", `import "linked/helper.ts"`],
    ["a require of #helper", `require("#helper")`],
    ["a file: URL", "file:"],
  ])("by %s", (_, given) => {
    const scripts = {
      "package.json": {
        name: "shop-tests",
        imports: { "#helper": "./shared/helper.ts" },
        exports: { "./helper": "./shared/helper.ts" },
      },
      "shared/helper.ts": marking("helper"),
      "shared/package.json": { name: "linked" },
    }
    const opened = async () => {
      const of = await open({ scripts })
      await mkdir(join(of.root, "node_modules"))
      await symlink("../shared", join(of.root, "node_modules/linked"))
      const own =
        given === "file:" ? `import "${pathToFileURL(join(of.root, "shared/helper.ts")).href}"` : given
      await putAll(of.root, { [`${folder}/one.ts`]: marking("one", own) })
      return of
    }

    it("lists a script's imports, asks again when one changes, and runs what was shown", async () => {
      const of = await opened()
      const { scripts, confirmation } = await ask(of)
      expect(paths(scripts)).toEqual([`${folder}/one.ts`, "shared/helper.ts"])
      await say(of, confirmation)
      expect(await of.loaded()).toEqual(["helper", "one"])
      await putAll(of.root, { "shared/helper.ts": marking("changed") })
      expect(paths((await ask(of)).scripts)).toEqual(["shared/helper.ts"])
      expect(await of.loaded()).toEqual(["helper", "one"])
    })
  })

  const put = (name: string) => `["..", "..", "..", "..", "shared", "${name}"].join("/")`
  it.each([
    ["an import", `await import(["..", "..", "..", "..", "shared", "helper.ts"].join("/"))`],
    ["a require", `require(["..", "..", "..", "..", "shared", "helper.ts"].join("/"))`],
    ["a comment in an import", `await import(/* " */ "#help" + "er")`],
    ["an import of a file without an extension", `await import(${put("plain")})`],
    ["a require of an extension in uppercase", `require(${put("helper.CJS")})`],
    ["an import of an addon", `await import(${put("helper.node")})`],
    ["a require created by createRequire", `createRequire(import.meta.url)(${put("helper.cjs")})`],
    ["Node's own loader", `Module._load(new URL(${put("helper.cjs")}, import.meta.url).pathname)`],
    ["an import that its require has", `await require.import(${put("helper.ts")})`],
    ["a link below node_modules", `createRequire(import.meta.url)("linked/" + "helper.cjs")`],
    ["a require that a plain file calls late", `late(require)`],
  ])("loads no project file that was not shown, by a computed path, with %s", async (_, load) => {
    const of = await open({
      scripts: {
        "package.json": { name: "shop-tests", imports: { "#helper": "./shared/helper.ts" } },
        "shared/helper.ts": marking("helper"),
        "shared/helper.cjs": plainMarking,
        "shared/helper.CJS": plainMarking,
        "shared/plain": plainMarking,
        "shared/helper.node": "no addon",
        "shared/package.json": { name: "linked" },
        [`${folder}/late.cjs`]: `exports.late = () => require(${put("helper.cjs")})`,
        [`${folder}/one.ts`]: `import Module, { createRequire } from "node:module"\nimport { late } from "./late.cjs"\nexport const run = async () => { ${load} }`,
      },
    })
    await mkdir(join(of.root, "node_modules"))
    await symlink("../shared", join(of.root, "node_modules/linked"))
    const { scripts, confirmation } = await ask(of)
    expect(paths(scripts)).toEqual([`${folder}/late.cjs`, `${folder}/one.ts`])
    const run = await say(of, confirmation)
    expect(await of.loaded()).toEqual([])
    const { report } = await of.read(run)
    expect(JSON.stringify(report)).toContain("you did not confirm this script")
  })

  it("follows a link to its target", async () => {
    const of = await open({ scripts: { [`${folder}/one.ts`]: `import "./linked"` } })
    await mkdir(join(of.root, "shared"))
    await writeFile(join(of.root, "shared/real.ts"), marking("real"))
    await symlink(join(of.root, "shared/real.ts"), join(of.root, folder, "linked.ts"))
    expect(paths((await ask(of)).scripts)).toContain("shared/real.ts")
  })

  it("asks again if a script changed between the question and the answer, which is then used up", async () => {
    const of = await open()
    const { confirmation } = await ask(of)
    await putAll(of.root, { [`${folder}/one.ts`]: marking("other") })
    const again = await of.order({ ...local, trust: confirmation })
    expect(again).toHaveProperty("trust")
    await putAll(of.root, { [`${folder}/one.ts`]: marking("one") })
    expect(await of.order({ ...local, trust: confirmation })).toHaveProperty("trust")
    expect(await of.loaded()).toEqual([])
  })

  it.each([
    ["that was invented", "x".repeat(43)],
    ["of another workflow", "other"],
    ["that is half an hour old", "old"],
  ])("asks again with an answer %s", async (_, kind) => {
    let now = 0
    const of = await open({
      now: () => now,
      scripts: {
        "apis/workflow/other.json": { version: 1, blocks: [script] },
        "apis/workflow/scripts/other/one.ts": marking("one"),
      },
    })
    const { confirmation } = await ask(of, kind === "other" ? { ...local, workflow: "other" } : local)
    if (kind === "old") now = 30 * 60_000
    const trust = kind.startsWith("x") ? kind : confirmation
    expect(await of.order({ ...local, trust })).toHaveProperty("trust")
    expect(await of.loaded()).toEqual([])
  })

  it("asks nothing if no block calls one, or if the user has written them", async () => {
    const none = await open({ blocks: [] })
    expect(await runs(none)).toBe(true)
    const of = await open()
    of.trustText(`${folder}/one.ts`, marking("one"))
    expect(await runs(of)).toBe(true)
    of.trustText(`${folder}/one.ts`, marking("two"))
    await putAll(of.root, { [`${folder}/one.ts`]: marking("three") })
    expect((await ask(of)).scripts).toEqual([{ path: `${folder}/one.ts`, isNew: false }])
  })

  it("asks about production next, and starts with the second answer", async () => {
    const request = { api: "shop", operation: "echo" }
    const of = await open({
      blocks: [script, { id: "get", type: "request", request }],
      scripts: {
        "apis/shop/environments/live.json": { extends: "local", level: "production" },
      },
    })
    const live = { environments: { shop: "live" } }
    const { confirmation: trust } = await ask(of, live)
    const asked = await of.order({ ...live, trust })
    if (!("ask" in asked)) throw new Error("the run does not ask about production")
    expect(await of.loaded()).toEqual([])
    const started = await of.order({ ...live, trust, confirmation: asked.ask.confirmation })
    expect(started).toHaveProperty("run")
  })
})

describe("the approvals", () => {
  it("are stored outside the project, readable only by their user, and belong to one project", async () => {
    const of = await open()
    const before = await readdir(of.root, { recursive: true })
    await say(of, (await ask(of)).confirmation)
    expect(await readdir(of.root, { recursive: true })).toEqual(before)
    const [name = ""] = await readdir(join(of.state, "trust"))
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    expect(await modeOf(join(of.state, "trust"))).toBe("700")
    expect(await modeOf(join(of.state, "trust", name))).toBe("600")
    const text = await readFile(join(of.state, "trust", name), "utf8")
    expect(text).toContain(`"path":"${folder}/one.ts"`)
    const other = await open({ state: of.state })
    expect(await runs(other)).toBe(false)
  })

  it("are ignored if another program has changed them, and last until exit if nothing can be stored", async () => {
    const of = await open()
    await say(of, (await ask(of)).confirmation)
    const [name = ""] = await readdir(join(of.state, "trust"))
    for (const text of [
      "",
      "{",
      "[]",
      `{"version":1,"scripts":[1,{"path":1}]}`,
      `{"version":2,"scripts":[]}`,
    ]) {
      await writeFile(join(of.state, "trust", name), text)
      const later = await openRuns({ root: of.root, state: of.state, files: () => ({}) })
      expect(await runs(later), text).toBe(false)
    }
    const blocked = await makeFolder({ trust: "no folder" })
    await chmod(blocked, 0o700)
    const unkept = await open({ state: blocked })
    await say(unkept, (await ask(unkept)).confirmation)
    expect(await runs(unkept)).toBe(true)
  })
})
