// The workflows of GitHub, the action and the issue forms: they are valid, safe, and name only what exists.

import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { load } from "js-yaml"
import { describe, expect, it } from "vitest"
import { interpolate, isTrue, parses } from "../action/expressions.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)

// Its file for ES modules has no names.
const validator = createRequire(import.meta.url)(
  "@action-validator/core",
) as typeof import("@action-validator/core")

const workflows = filesIn(".github/workflows")
const forms = filesIn(".github/ISSUE_TEMPLATE").filter((path) => basename(path) !== "config.yml")

interface Step {
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly if?: string
  readonly needs?: string | readonly string[]
  readonly uses?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly "timeout-minutes"?: number
  readonly steps?: readonly Step[]
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

const workflowOf = (path: string): Workflow => load(read(path)) as Workflow
const stepsOf = (path: string): readonly Step[] =>
  basename(path) === "action.yml"
    ? (load(read(path)) as { readonly runs: { readonly steps: readonly Step[] } }).runs.steps
    : Object.values(workflowOf(path).jobs).flatMap(({ steps = [] }) => steps)

describe.each([...workflows, "action.yml"])("%s", (path) => {
  it("is valid", () => {
    // The validator's schema is older than this permission.
    const text = read(path).replaceAll(/^ +attestations: write\n/gm, "")
    const validate = path === "action.yml" ? validator.validateAction : validator.validateWorkflow
    expect(validate(text).errors).toEqual([])
  })

  it("has expressions that parse, outside of scripts", () => {
    const expressions = [...read(path).matchAll(/\$\{\{(.*?)\}\}/g)].map(([, expression = ""]) => expression)
    expect(expressions.filter((expression) => !parses(expression))).toEqual([])
    expect(stepsOf(path).filter(({ run = "" }) => run.includes("${{"))).toEqual([])
  })

  it("pins every action by its commit, and names the version", () => {
    const used = [...read(path).matchAll(/^ *(?:- )?uses: (.+)$/gm)].map(([, text = ""]) => text)
    const pinned = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((text) => !text.startsWith("./") && !pinned.test(text))).toEqual([])
  })

  it("runs only programs, scripts and files that exist", () => {
    const steps = stepsOf(path)
    const commands = steps.flatMap(({ run = "" }) => run.trim().split("\n"))
    expect(commands.flatMap((command) => findMissing(command.trim()))).toEqual([])
    const files = steps.flatMap((step) => step.with?.["file"] ?? []).map(String)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

it("pins the same commit of an action everywhere", () => {
  const commits = new Map<string, Set<string>>()
  for (const { uses = "" } of [...workflows, "action.yml"].flatMap(stepsOf)) {
    const [, repository = "", commit = ""] = /^([\w-]+\/[\w-]+)[\w./-]*@(.*)$/.exec(uses) ?? []
    if (repository !== "") commits.set(repository, (commits.get(repository) ?? new Set()).add(commit))
  }
  expect([...commits].filter(([, { size }]) => size > 1)).toEqual([])
})

// cspell:ignore mapfile readarray coproc
/** Scripts that run on each system: GitHub's, and contributors'. */
const scripts = [".ci/run", ...filesIn("action")]

it.each(scripts)("%s is a script that bash and ShellCheck accept", (path) => {
  expect(spawnSync("bash", ["-n", path], { cwd: root, encoding: "utf8" })).toMatchObject({ status: 0 })
  const words = ["--severity=warning", "--shell=bash", path]
  const { error, stdout } = spawnSync("shellcheck", words, { cwd: root, encoding: "utf8" })
  // Not every machine has it. GitHub's runners do.
  if (error === undefined) expect(stdout).toBe("")
})

// macOS has the last bash under the old license: 3.2.
it.each(scripts)("%s uses nothing that bash 3.2 and the tools of BSD don't have", (path) => {
  const newer =
    /\b(declare -[Ag]|local -n|mapfile|readarray|coproc|readlink -f|realpath|sed -i|date -d|nproc|grep -P)\b|\$\{\w+(\^|,|@)|\|&|&>>/
  expect(
    read(path)
      .split("\n")
      .filter((line) => newer.test(line)),
  ).toEqual([])
})

describe.each(workflows)("%s", (path) => {
  const { on, permissions, concurrency, jobs } = workflowOf(path)

  it("gives each job only the permissions that it lists, and a time limit", () => {
    expect(permissions).toEqual({})
    expect(concurrency).toBeDefined()
    for (const [name, job] of Object.entries(jobs)) {
      expect(job.permissions, name).toBeDefined()
      if (job.uses === undefined) expect(job["timeout-minutes"], name).toBeLessThanOrEqual(60)
    }
  })

  it("never gives a pull request more than it can read", () => {
    expect(Object.keys(on).filter((event) => /pull_request_target|workflow_run|issue/.test(event))).toEqual(
      [],
    )
    const checkouts = stepsOf(path).filter(({ uses = "" }) => uses.startsWith("actions/checkout@"))
    expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([])
    if (!("pull_request" in on)) return
    // A job that writes is for events that a pull request can't cause.
    const text = JSON.stringify(Object.values(jobs).filter((job) => !("if" in job)))
    expect(text).not.toMatch(/"write"|secrets\./)
  })
})

it("release.yml publishes only tags: started by hand, it builds", () => {
  const { on, jobs } = workflowOf(".github/workflows/release.yml")
  expect(on).toHaveProperty("workflow_dispatch")
  const runsBy = (event: string) => (part: { readonly if?: string }) =>
    isTrue(part.if ?? "success()", "success", { github: { event_name: event }, steps: {} })
  const skipped = Object.entries(jobs).filter(([, job]) => !runsBy("workflow_dispatch")(job))
  expect(skipped.map(([name]) => name)).toEqual(["npm"])
  expect(jobs["release"]?.needs).toContain("npm")
  const { steps = [] } = jobs["image"] ?? {}
  const stepOf = (action: string) => steps.find(({ uses = "" }) => uses.startsWith(`${action}@`)) ?? {}
  for (const event of ["push", "workflow_dispatch"]) {
    const isTag = event === "push"
    expect(runsBy(event)(stepOf("actions/attest"))).toBe(isTag)
    const { push } = stepOf("docker/build-push-action").with ?? {}
    expect(interpolate(String(push), { github: { event_name: event } })).toBe(String(isTag))
  }
})

it.each(forms)("%s is an issue form", (path) => {
  const form = load(read(path)) as {
    readonly name?: string
    readonly description?: string
    readonly body?: readonly {
      readonly type: string
      readonly id?: string
      readonly attributes?: Readonly<Record<string, unknown>>
    }[]
  }
  expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)])
  const body = form.body ?? []
  const ids = body.flatMap(({ id }) => id ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  for (const { type, id, attributes = {} } of body) {
    expect(["markdown", "textarea", "input", "dropdown", "checkboxes"]).toContain(type)
    if (type === "markdown") expect(attributes["value"]).toEqual(expect.any(String))
    else expect([id, attributes["label"]]).toEqual([expect.stringMatching(/^[\w-]+$/), expect.any(String)])
    if (type === "dropdown" || type === "checkboxes")
      expect((attributes["options"] as readonly unknown[]).length).toBeGreaterThan(1)
  }
  // A form needs a field that someone can fill in.
  expect(body.some(({ type }) => type !== "markdown")).toBe(true)
})

/** Programs of GitHub's runners, and words of the shell. */
const known = /^(?:docker|gh|echo|test|then|fi|"dist-executables\/\$NAME")$/

function findMissing(line: string): readonly string[] {
  return line
    .split(/\|\||&&|;/)
    .map((command) => command.trim().replace(/^if /, ""))
    .filter((command) => command !== "" && !isThere(command))
}

function isThere(command: string): boolean {
  const [program = "", ...words] = command.split(/\s+/)
  if (known.test(program)) return true
  if (program === "node" || program === "bash")
    return existsSync(join(root, (words[0] ?? "").replaceAll(/^"?\$GITHUB_ACTION_PATH\/|"$/g, "")))
  if (program !== "npm") return false
  const folder = words[0] === "--prefix" ? (words[1] ?? "") : "."
  const [verb, script = ""] = words[0] === "--prefix" ? words.slice(2) : words
  const { scripts } = JSON.parse(read(join(folder, "package.json"))) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  return verb === "run" ? Object.hasOwn(scripts, script) : verb === "ci" && existsSync(join(root, folder))
}
