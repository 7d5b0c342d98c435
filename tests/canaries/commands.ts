// Every command except a successful run: with canaries as arguments, on standard input, and in valid and invalid files.

import { rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { table } from "../../packages/cli/src/commands/index.ts"
import { callsheet, createFolder, readText, type CallOptions } from "../harness/callsheet.ts"
import { faultyDisk } from "../harness/faulty-disk.ts"
import { editInApplication } from "./application.ts"
import type { Canary } from "./canaries.ts"
import { numberName, variableName } from "./project.ts"
import { askMock } from "./mocks.ts"
import { notCompared } from "./not-compared.ts"

interface Calls {
  /** The output of each command, by label. */
  readonly written: Map<string, string>
  /** Throws if the output does not contain `expected`, because then the call tests another sink than intended. */
  readonly call: (
    label: string,
    words: readonly string[],
    options?: CallOptions,
    expected?: string,
  ) => Promise<void>
}

interface Surroundings {
  /** Receives the canaries as process variables. */
  readonly env: Readonly<Record<string, string>>
  /** True to skip slow parts: waiting for a lock, the compiler, the demo, and most single canaries. */
  readonly isQuick: boolean
}

export interface WrittenByCommands {
  readonly written: ReadonlyMap<string, string>
  readonly commands: ReadonlySet<string>
  /** Requested calls of the app's server. */
  readonly asked: ReadonlySet<string>
}

export async function writeByCommands(
  all: readonly Canary[],
  { env, isQuick }: Surroundings,
): Promise<WrittenByCommands> {
  const texts = all.flatMap((canary, index) => (typeof canary === "string" ? [[index, canary] as const] : []))
  const folder = await createFolder(files(texts, all))
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"))
  const written = new Map<string, string>()
  const commands = new Set<string>()
  const asked = new Set<string>()
  const call: Calls["call"] = async (label, words, options = {}, expected = "") => {
    for (const { name } of table.commands)
      if (`${words.join(" ")} `.startsWith(`${name} `)) commands.add(name)
    const { stdout, stderr } = await callsheet(words, { folder, env, timeoutMs: 120_000, ...options })
    if (!`${stdout}${stderr}`.includes(expected)) throw new Error(`${label} does not print ${expected}`)
    for (const [stream, text] of Object.entries({ stdout, stderr }))
      written.set(`${label}: ${stream}`, text.replaceAll(folder, "FOLDER"))
  }
  try {
    const calls = { written, call }
    const single = isQuick ? texts.slice(0, 3) : texts
    await writeValues(calls, { texts, single })
    await changeEnvironments(calls, { folder, env })
    await check(calls)
    await refuseRuns(calls, single, folder)
    await others(calls)
    await askMock(
      { folder, written, call },
      texts.map(([, text]) => text),
    )
    await call("app that is not running", ["app", "--print-link", "--debug"])
    await call("app that cannot listen", ["app", "--host", "0.0.0.0", "--debug"])
    await editInApplication({ folder, env, written, asked }, { texts, single })
    if (!isQuick) await slowly(calls, env)
    return { written, commands, asked }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Texts = readonly (readonly [index: number, text: string])[]

const files = (texts: Texts, all: readonly Canary[]) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Canaries", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/a": { get: { responses: {} }, post: { responses: {} } } },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: Object.fromEntries(
      all.flatMap((canary, index) => [
        [variableName(index), { type: typeof canary, required: false, secret: true }],
        [numberName(index), { type: "number", required: false, secret: true }],
      ]),
    ),
  },
  "apis/shop/environments/blue.json": {},
  "apis/shop/environments/live.json": { level: "production" },
  // Secrets in the wrong positions.
  "apis/shop/environments/committed.json": Object.fromEntries(
    texts.map(([index, text]) => [variableName(index), text]),
  ),
  // Secrets that are not assignments, or not numbers.
  "apis/shop/environments/broken.json": {},
  "apis/shop/environments/broken.secrets.env": texts
    .map(([index, text]) => `${text}\n${numberName(index)}=${text}\n${variableName(index)} ${text}\n`)
    .join(""),
  "apis/workflow/send.json": {
    version: 1,
    inputs: { text: { type: "string" }, count: { type: "number" } },
    blocks: [
      {
        id: "send",
        type: "request",
        request: { api: "shop", operation: "POST /a", overrides: { body: { a: "{{env.shop.c00}}" } } },
      },
      { id: "say", type: "script", script: { name: "say", exportName: "say" } },
    ],
  },
  "sent.har": {
    log: {
      version: "1.2",
      creator: { name: "canaries", version: "1" },
      entries: texts.map(([, text]) => ({
        request: {
          method: "POST",
          url: `http://127.0.0.1:9/a?token=${encodeURIComponent(text)}`,
          headers: [
            { name: "authorization", value: `Bearer ${text}` },
            { name: "content-type", value: "application/json" },
          ],
          postData: { mimeType: "application/json", text: JSON.stringify({ password: text }) },
        },
        response: { status: 200, headers: [], content: {} },
      })),
    },
  },
  "apis/workflow/scripts/send/say.ts": "export const say = (ctx: object) => ctx.nothing\n",
})

async function writeValues(
  { call }: Calls,
  { texts, single }: { readonly texts: Texts; readonly single: Texts },
): Promise<void> {
  const pairs = (name: (index: number) => string): string[] =>
    texts.map(([index, text]) => `${name(index)}=${text}`)
  const write = ["env", "write", "shop", "green"]
  const [[, first] = [0, ""]] = texts
  await call("env write of all by argument", [...write, ...pairs(variableName), "--debug"])
  const unquotable = `c00=${first} '"\`#\\r\r`
  await call(
    "env write of a value that a file can't store",
    [...write, unquotable, "--debug"],
    {},
    "(secret-unquotable)",
  )
  await call("env write of another type", [...write, ...pairs(numberName), "--debug"], {}, "(variable-type)")
  await call("env write of undeclared names", [...write, ...pairs((index) => `u${index}`), "--debug"])
  const nameless = texts.map(([, text]) => text).filter((text) => !text.startsWith("-"))
  await call("env write without a name", [...write, ...nameless, "--debug"])
  for (const [index, text] of single)
    await call(
      `env write of ${variableName(index)} by standard input`,
      [...write, `${variableName(index)}=-`],
      {
        stdin: text,
      },
    )
  await call("env write of another type by standard input", [...write, "n00=-"], { stdin: first })
  await call("env write of an undeclared name by standard input", [...write, "u00=-"], { stdin: first })
  await call("env write by argument", [...write, `c00=${first}`])
}

interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

async function changeEnvironments({ call, written }: Calls, { folder, env }: Place): Promise<void> {
  for (const words of ["env list", "env list --json"]) await call(words, words.split(" "))
  for (const environment of ["green", "committed", "broken"]) {
    const words = ["env", "read", "shop", environment, "--debug"]
    // Leave out the process variables, so that the files are read.
    await call(`env read of ${environment}`, words, { env: {} })
    await call(`env read of ${environment} as JSON`, [...words, "--json", "--own"], { env: {} })
  }
  await call("env rename", ["env", "rename", "shop", "green", "teal"])
  const crash = faultyDisk([{ call: "renameSync", on: String.raw`teal\.secrets`, nth: 1, signal: "SIGKILL" }])
  await call("env rename that is killed", ["env", "rename", "shop", "teal", "navy"], {
    env: { ...env, ...crash },
  })
  const journal = await readText(folder, ".callsheet-journal.json")
  if (journal === undefined) throw new Error("the rename left no journal")
  written.set(`${notCompared}the journal of a killed env rename`, journal)
  await call("env list after the crash", ["env", "list"], {}, "finished an interrupted change")
  await call("a rejected env rename", ["env", "rename", "shop", "navy", "navy/x", "--debug"])
  await call("env delete", ["env", "delete", "shop", "navy"])
}

/** Runs two commands. One keeps the lock longer than the other waits for it. */
async function waitForLock({ call, written }: Calls, env: Place["env"]): Promise<void> {
  const words = ["env", "write", "shop", "blue", "c00=-"]
  const held = faultyDisk([{ call: "renameSync", on: String.raw`\.secrets\.env$`, nth: 1, waitMs: 12_000 }])
  await Promise.all([
    call(`${notCompared}env write that keeps the lock`, words, {
      env: { ...env, ...held },
      stdin: "c4n4ry-c4n4ry",
    }),
    call(`${notCompared}env write that is locked out`, [...words, "--debug"], {
      env: { ...env, ...held },
      stdin: "c4n4ry",
    }),
  ])
  // Either command may get the lock first.
  if (![...written].some(([label, text]) => label.includes("lock") && text.includes("(locked)")))
    throw new Error("no command was locked out")
}

async function check({ call }: Calls): Promise<void> {
  for (const format of ["text", "json", "github", "sarif"]) {
    await call(`validate as ${format}`, ["validate", `--format=${format}`, "--debug"])
    const several = ["validate", "--project=**", `--format=${format}`, "--debug"]
    await call(`validate of several projects as ${format}`, several)
  }
}

/** Starts runs that are refused: some before the secrets are known, some after. */
async function refuseRuns({ call }: Calls, texts: Texts, folder: string): Promise<void> {
  const run = ["run", "send", "--debug"]
  for (const environment of ["committed", "broken"])
    await call(`run against ${environment}`, [...run, "--env", environment], { env: {} })
  // No run starts in parallel.
  await rm(join(folder, "apis/shop/environments/broken.secrets.env"))
  for (const [index, text] of texts.filter(([, { length }]) => length < 100)) {
    const name = variableName(index)
    const given = ["--input", `text=${text}`, "--var", `shop.${name}=${text}`]
    await call(
      `run that asks for production, with ${name}`,
      [...run, "--env", "live", ...given],
      {},
      "(confirm-required)",
    )
    await call(`run that asks for an environment, with ${name}`, [...run, ...given], {}, "(env-ambiguous)")
  }
  const [[, first] = [0, ""]] = texts
  for (const [label, more] of Object.entries({
    "an undeclared variable": ["--var", `shop.u00=${first}`],
    "a variable of another type": ["--var", `shop.n00=${first}`],
    "an input of another type": ["--input", `count=${first}`],
    "an unknown input": ["--input", `nope=${first}`],
    "an unknown API": ["--var", `shap.c00=${first}`],
  }))
    await call(`run with ${label}`, [...run, "--env", "blue", ...more])
}

async function others({ call }: Calls): Promise<void> {
  for (const words of [
    "list",
    "list --json",
    "list --project ** --json --debug",
    "completion bash",
    "types",
    "schema workflow",
    "schema environment-values --api shop",
    "init made",
    "init",
    ...["curl", "har", "postman", "arazzo", "k6"].map((to) => `export send --env blue --to ${to} --debug`),
    "run --help",
    "--help",
    "--version",
    "rnu",
    "run send --nope --debug",
    "run nope --debug",
    "report nope --debug",
    "replay nope --debug",
    "diff nope nope --debug",
    "import sent.har --into made-of-har --debug",
    "list --project /nowhere/at/all --debug",
  ])
    await call(words, words.split(" "))
}

async function slowly(calls: Calls, env: Place["env"]): Promise<void> {
  const { call } = calls
  await call("validate with types", ["validate", "send", "--types", "--debug"])
  await waitForLock(calls, env)
  await call(`${notCompared}demo`, ["demo", "--debug"])
}
