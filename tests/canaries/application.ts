// Collects the output of the app for projects with canaries: every call, all events, and the files outside the project.

import { readdirSync, readFileSync } from "node:fs"
import { request } from "node:http"
import { basename, join } from "node:path"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { askOfEnvironments } from "./application-environments.ts"
import { askOfFiles } from "./application-files.ts"
import { notCompared } from "./not-compared.ts"

/** Texts of canaries, by the numbers of their variables. */
export type CanaryTexts = readonly (readonly [index: number, text: string])[]

export interface ApplicationPlace {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** The received texts, by label. */
  readonly written: Map<string, string>
  /** Names of the called routes. */
  readonly asked: Set<string>
}

/** Calls the app by name. With a label, the response is checked. */
export type Ask = (
  label: string | undefined,
  name: string,
  input: object,
) => Promise<Readonly<Record<string, unknown>>>

/** All responses about files, environments and operations. For files, those of `single` one by one. */
export async function editInApplication(
  place: ApplicationPlace,
  { texts, single }: { readonly texts: CanaryTexts; readonly single: CanaryTexts },
): Promise<void> {
  await withApplication(place, "app", async ({ ask }) => {
    const inputs = {
      "project.read": {},
      "problems.read": {},
      "operations.list": { api: "shop" },
      "runs.presets": {},
    }
    for (const [name, input] of Object.entries(inputs)) await ask(name, name, input)
    await askOfOperations(ask)
    await askOfFiles(ask, single)
    await askOfEnvironments(ask, texts)
    await askOfOthers(ask, single)
  })
}

/** The calls about imports, types, logins and Git. They receive the canaries as the user's own text. */
async function askOfOthers(ask: Ask, canaries: CanaryTexts): Promise<void> {
  for (const [index, text] of canaries) {
    const about = `c${index}`
    const quoted = text.replaceAll("'", String.raw`'\''`)
    const command = `curl 'https://shop.test/orders/${text.length < 4 ? "a" : `${quoted}/a-${quoted}`}?a=${quoted}' -H 'x-a: ${quoted}' -d '${quoted}'`
    const sources = [{ name: "orders.sh", text: command }]
    await ask(`imports.plan with ${about}`, "imports.plan", { sources, api: "shop" })
    await ask(`imports.readCurl with ${about}`, "imports.readCurl", { api: "shop", text: command })
    await ask(`imports.plan of a request with ${about}`, "imports.plan", { sources, saved: {} })
    // Nothing listens there. A text that is a URL itself would be looked up.
    const url = `http://127.0.0.1:9/${encodeURIComponent(Buffer.from(text).toString())}`
    await ask(`imports.fetch of ${about}`, "imports.fetch", { url })
    await ask(`imports.update with ${about}`, "imports.update", { api: "shop", fetched: text })
    await ask(`requests.try with ${about}`, "requests.try", { text: `curl ${url} -H 'x-a: ${quoted}'` })
    const script = { workflow: "canaries", script: "helpers" }
    const typed = { script, text: `const a = ${JSON.stringify(text)}\na.`, line: 2, column: 3 }
    await ask(`types.complete with ${about}`, "types.complete", typed)
    await ask(`types.describe with ${about}`, "types.describe", { ...typed, entry: text })
    for (const name of ["runs.login", "runs.cancelLogin", "logins.wait", "logins.cancel"])
      await ask(`${name} of ${about}`, name, { login: text })
    const place = { api: "shop", operation: "GET /echo", environment: "blue" }
    const parameters = [{ in: "header", name: text }]
    await ask(`operations.authentication with ${about}`, "operations.authentication", {
      ...place,
      parameters,
    })
    const scheme = { ...place, scheme: text }
    for (const name of ["logins.start", "logins.end"]) await ask(`${name} of ${about}`, name, scheme)
    await ask(`runs.rename to ${about}`, "runs.rename", { from: text, to: text })
  }
  await ask("imports.sample", "imports.sample", {})
  await ask("imports.inbox", "imports.inbox", {})
  await ask("project.changes", "project.changes", {})
  await ask("types.read", "types.read", {})
  await ask("types.allow", "types.allow", { isAllowed: false })
  await ask("impact.read", "impact.read", { api: "shop" })
  await ask("repairs.plan", "repairs.plan", {})
  await ask("tests.plan", "tests.plan", { api: "shop" })
  await ask("mocks.start", "mocks.start", { api: "shop", keepsState: true })
  await ask("mocks.read", "mocks.read", { api: "shop" })
  await ask("mocks.stop", "mocks.stop", { api: "shop" })
}

/** The responses of a run beside their snapshots, and new snapshots from them. */
async function askOfSnapshots(ask: Ask, run: string): Promise<void> {
  const { files = [] } = await ask("snapshots.read", "snapshots.read", { run })
  const all = (files as readonly { readonly file: string }[]).map(({ file }) => ({ file }))
  await ask("snapshots.plan", "snapshots.plan", { run, files: all, asNoise: true })
}

/** Returns everything that the page receives about runs of the workflow "canaries", during and after them. */
export async function runInApplication(place: ApplicationPlace): Promise<ReadonlyMap<string, string>> {
  await withApplication(place, "app that runs", async ({ ask, listen }) => {
    const events = await listen()
    const readDone = async (label: string, run: string): Promise<void> => {
      await until(() => isReported(events(), run), label)
      await ask(label, "runs.read", { run })
    }
    const environments = { shop: "blue", other: "blue" }
    await ask("runs.prepare", "runs.prepare", { workflow: "canaries" })
    const order = { workflow: "canaries", environments, inputs: {} }
    const whole = await begin(ask, "runs.start", order)
    await readDone("runs.read", whole)
    await ask("runs.stop", "runs.stop", { run: whole })
    await readDone("runs.read of one block", await begin(ask, "runs.start", { ...order, only: "c00-form" }))
    const compared = async (): Promise<string> => {
      const compares = await begin(ask, "runs.start", { ...order, comparesSnapshots: true })
      await readDone("runs.read with snapshots", compares)
      return compares
    }
    await ask("requests.prepare", "requests.prepare", { api: "shop" })
    const saved = { api: "shop", resource: "echo", request: "form", environment: "blue" }
    const text = JSON.stringify({
      version: 1,
      method: "POST",
      path: "/echo",
      bodyType: "json",
      body: { a: "{{c00}}", b: "{{c11}} {{nothing}}" },
    })
    for (const [label, more] of Object.entries({ "": {}, " of a text": { text } }))
      await readDone(
        `runs.read of a request${label}`,
        await begin(ask, "requests.send", { ...saved, ...more }),
      )
    const { runs } = await ask("runs.list", "runs.list", { workflow: "canaries" })
    const [{ run }] = runs as readonly [{ readonly run: string }]
    await ask("runs.compare", "runs.compare", { before: run, after: run })
    await ask("runs.latest", "runs.latest", {})
    await askOfSnapshots(ask, await compared())
    place.written.set(`${notCompared}events of runs`, events())
  })
  return place.written
}

/** Starts a run and approves its scripts. */
async function begin(ask: Ask, name: string, order: object): Promise<string> {
  const started = await ask(undefined, name, order)
  const { confirmation } = (started["trust"] ?? {}) as { readonly confirmation?: string }
  const { run } =
    confirmation === undefined ? started : await ask(undefined, name, { ...order, trust: confirmation })
  if (typeof run !== "string") throw new Error(`no run was started: ${JSON.stringify(started)}`)
  return run
}

const PATIENCE_MS = 120_000

const isReported = (events: string, run: string): boolean =>
  events.split("\n").some((line) => line.includes(run) && line.includes('"isDone":true'))

async function until(holds: () => boolean, label: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!holds()) {
    if (Date.now() > end) throw new Error(`the run does not end: ${label}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

interface Inside {
  readonly ask: Ask
  /** Opens the event stream. Returns a function that returns the events so far. */
  readonly listen: () => Promise<() => string>
}

/** Starts the app in the directory. Also checks its output and the files that it stores. */
async function withApplication(
  { folder, env, written, asked }: ApplicationPlace,
  label: string,
  use: (inside: Inside) => Promise<void>,
): Promise<void> {
  const app = await startCommand({ cwd: folder, env: { HOME: folder, ...env }, words: ["--debug"] })
  try {
    const session = await app.enter()
    const ask: Ask = async (about, name, input) => {
      asked.add(name)
      const { status, body } = await app.post(`/api/${name}`, input, session)
      if (status >= 500) throw new Error(`${name} found a bug\n${app.stderr()}`)
      if (about !== undefined)
        written.set(`${label}: ${about}`, withoutChance(body.replaceAll(basename(folder), "FOLDER")))
      return JSON.parse(body) as Readonly<Record<string, unknown>>
    }
    await use({ ask, listen: () => listenTo(app, session) })
  } finally {
    await app.end("SIGINT")
  }
  written.set(`${notCompared}${label}: stdout`, app.stdout())
  written.set(`${label}: stderr`, app.stderr())
  for (const [file, text] of filesBelow(join(folder, ".local")))
    written.set(`${notCompared}${label}: ${file}`, text)
}

function listenTo(
  { port }: RunningCommand,
  session: readonly (readonly [string, string])[],
): Promise<() => string> {
  return new Promise((resolve, reject) => {
    let received = ""
    const headers = { ...Object.fromEntries(session), "content-type": "application/json" }
    request({ port, host: "127.0.0.1", path: "/events", method: "POST", headers }, (answer) => {
      answer.setEncoding("utf8").on("data", (text: string) => (received += text))
      answer.on("error", () => undefined)
      resolve(() => received)
    })
      .on("error", reject)
      .end("{}")
  })
}

const filesBelow = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry, at) => [`stored file ${at}`, readFileSync(join(entry.parentPath, entry.name), "utf8")])

/** Etags, names of plans and runs, and ports are unique to a run. */
const withoutChance = (body: string): string =>
  body
    .replaceAll(/"(etag|plan|run|confirmation|keptAt)":"[^"]*"/g, (_, field: string) => `"${field}":"ANY"`)
    .replace(/"url":"http:\/\/127\.0\.0\.1:\d+/, '"url":"ANY')

/**
 * A document may contain a secret as an example or a name, and a message about an unknown operation repeats its name.
 */
async function askOfOperations(ask: Ask): Promise<void> {
  const { operations } = await ask(undefined, "operations.list", { api: "shop" })
  for (const { method, path } of operations as readonly { readonly method: string; readonly path: string }[])
    await ask(`operations.read ${method} ${path}`, "operations.read", {
      api: "shop",
      operation: `${method} ${path}`,
    })
}
