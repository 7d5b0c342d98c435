// Proof: parallel writes of many processes into one environment lose nothing and change nothing else.

import { fork } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse as parseDotenv } from "dotenv"
import { callsheet } from "../harness/callsheet.ts"
import type { Proof } from "./endurance.ts"
import { differences, readTree, without, writeProject } from "./file-tree.ts"
import { Random } from "./random.ts"
import type { WriterReport, WriterTask } from "./writer.ts"

const PROCESSES = 8
const WRITES = 250
const COMMANDS = 20
/** Eight processes wait for each other, and the machine may be busy. */
const COMMAND_MS = 120_000

const API = "apis/shop/environments"
const changedFiles = [`${API}/local.json`, `${API}/local.secrets.env`]

export async function proveWriters({
  seed,
  count = WRITES,
  folder,
  print,
}: Proof): Promise<readonly string[]> {
  const violations: string[] = []
  const ways = [
    { name: "in process", writes: count, write: writeInProcess },
    { name: "by the command", writes: Math.min(count, COMMANDS), write: writeByCommand },
  ]
  for (const { name, writes, write } of ways) {
    const project = join(folder, name.replaceAll(" ", "-"))
    const plan = planWrites(seed, writes)
    await writeProject(project, filesFor(plan.flat()))
    const before = await readTree(project)
    const reports = await Promise.all(plan.map((own) => write(project, own)))
    const locked = reports.reduce((sum, report) => sum + report.locked, 0)
    const { kept, wrong } = await compare(project, plan.flat())
    const after = await readTree(project)
    const others = differences(
      without(before, (path) => changedFiles.includes(path)),
      without(after, (path) => changedFiles.includes(path)),
    )
    print(
      `  ${name}: ${PROCESSES} processes, ${kept} of ${PROCESSES * writes} writes kept; ${locked} waited in vain for the lock, and tried again`,
    )
    violations.push(
      ...[...reports.flatMap(({ failures }) => failures), ...wrong, ...others].map(
        (what) => `${name}: ${what}`,
      ),
    )
  }
  return violations
}

interface Write {
  readonly name: string
  readonly text: string
  readonly isSecret: boolean
}

/** The writes of each process, in order, each of a different variable. */
function planWrites(seed: number, writes: number): readonly (readonly Write[])[] {
  const random = new Random(seed, 0)
  return Array.from({ length: PROCESSES }, (_, process) =>
    Array.from({ length: writes }, (_, at): Write => ({
      name: `v${process}_${at}`,
      text: `${random.below(1e9)} ${random.pick(["plain", "a#b", 'say "hi"', "größer", "C:\\new"])}`,
      isSecret: random.chance(0.5),
    })),
  )
}

function filesFor(writes: readonly Write[]) {
  const declarations = writes.map(({ name, isSecret }) => [
    name,
    { type: "string", required: false, secret: isSecret },
  ])
  const kept = { type: "string", required: false }
  return {
    ".gitignore": "*.secrets.env\n",
    "README.md": "not ours\n",
    [`${API}/schema.json`]: {
      version: 1,
      variables: { kept, hidden: { ...kept, secret: true }, ...Object.fromEntries(declarations) },
    },
    [`${API}/local.json`]: '{\n\t"kept": "as it was"\n}\n',
    [`${API}/local.secrets.env`]: "# theirs\nhidden='as # it was' # too\n",
    [`${API}/other.json`]: { extends: "local" },
  }
}

async function writeInProcess(root: string, own: readonly Write[]): Promise<WriterReport> {
  const child = fork(fileURLToPath(new URL("./writer.mjs", import.meta.url)))
  const task: WriterTask = { root, writes: own.map(({ name, text }) => ({ name, text })) }
  child.send(task)
  let report: WriterReport = { failures: [], locked: 0 }
  child.on("message", (message: WriterReport) => (report = message))
  const [exitCode] = (await once(child, "close")) as [number | null]
  if (exitCode === 0) return report
  return { ...report, failures: [...report.failures, `a writer ended with ${exitCode}`] }
}

async function writeByCommand(folder: string, own: readonly Write[]): Promise<WriterReport> {
  const failures: string[] = []
  for (const { name, text } of own) {
    const words = ["env", "write", "shop", "local", `${name}=-`]
    // The lock is in the temporary directory, so all of them must use the same one.
    const env = { TMPDIR: process.env["TMPDIR"] }
    const { exitCode, stderr } = await callsheet(words, { folder, stdin: text, env, timeoutMs: COMMAND_MS })
    if (exitCode !== 0) failures.push(`${name} ended with ${exitCode}: ${stderr}`)
  }
  return { failures, locked: 0 }
}

async function compare(project: string, writes: readonly Write[]) {
  const [values, secrets] = await Promise.all(
    changedFiles.map((file) => readFile(join(project, file), "utf8")),
  )
  const found = [
    JSON.parse(values ?? "") as Readonly<Record<string, unknown>>,
    parseDotenv(secrets ?? "") as Readonly<Record<string, unknown>>,
  ] as const
  const lost = writes.filter(({ name, text, isSecret }) => found[isSecret ? 1 : 0][name] !== text)
  const known = new Set([...writes.map(({ name }) => name), "kept", "hidden"])
  const extra = found.flatMap((file) => Object.keys(file)).filter((name) => !known.delete(name))
  const isKept =
    values?.startsWith('{\n\t"kept": "as it was"') === true &&
    secrets?.startsWith("# theirs\nhidden='as # it was' # too\n") === true
  return {
    kept: writes.length - lost.length,
    wrong: [
      ...lost.map(({ name }) => `${name} is lost`),
      ...extra.map((name) => `${name} is there twice, or was never written`),
      ...(isKept ? [] : ["the old content was changed"]),
    ],
  }
}
