// Follows a section of a page in a separate directory. Returns the problems.

import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Problem } from "@callsheet/format"
import { load } from "js-yaml"
import type { SampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { callsheet } from "../harness/callsheet.ts"
import { isCiFile, runCiFile } from "./ci-files.ts"
import { isPartOf, parsePiece } from "./pieces.ts"
import { root, type CodeBlock, type Section } from "./read-pages.ts"
import { MAX_MS, readConsole, runSteps, toActual, type Place } from "./run-shell.ts"

export interface Workshop {
  readonly folder: string
  /** The sample's servers by environment, each with its own state. */
  readonly servers: Readonly<Record<"local" | "staging" | "production", SampleApi>>
  /** The environment, with the command on its path. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface Checked {
  readonly failures: readonly string[]
  /** TypeScript to compile at the end, with the block that contains it. */
  readonly programs: readonly (readonly [file: string, at: string])[]
}

interface State {
  readonly folder: string
  readonly place: Place
  readonly failures: string[]
  readonly programs: (readonly [string, string])[]
  /** Files of the project that the page wrote, with the block and the expected problems. */
  readonly written: Map<string, CodeBlock>
  readonly trees: CodeBlock[]
  hasScripts: boolean
}

export async function checkSection(section: Section, name: string, workshop: Workshop): Promise<Checked> {
  const state = await prepare(section, name, workshop)
  for (const block of section.blocks) {
    try {
      await checkBlock(block, state)
    } catch (error) {
      state.failures.push(`${block.at}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await validateWritten(state)
  state.failures.push(...state.trees.flatMap((tree) => findMissing(tree, state.folder)))
  if (state.hasScripts) await callsheet(["types"], { folder: state.folder, timeoutMs: MAX_MS })
  return state
}

async function prepare({ startsIn }: Section, name: string, workshop: Workshop): Promise<State> {
  const { servers, environment } = workshop
  const folder = join(workshop.folder, name)
  await mkdir(folder, { recursive: true })
  const { local, staging, production } = servers
  const addresses = [
    ["http://127.0.0.1:4010", local.shopUrl],
    ["http://127.0.0.1:4011", local.paymentsUrl],
    ["https://127.0.0.1:4012", local.shopTlsUrl],
    ["https://127.0.0.1:4013", local.paymentsTlsUrl],
    ["https://shop.staging.example", staging.shopUrl],
    ["https://payments.staging.example", staging.paymentsUrl],
    ["https://shop.example", production.shopUrl],
    ["https://payments.example", production.paymentsUrl],
  ] as const
  const place = { cwd: folder, environment, addresses, state: `${folder}.cwd` }
  if (startsIn === "the sample project") await copySample(folder, place)
  return { folder, place, failures: [], programs: [], written: new Map(), trees: [], hasScripts: false }
}

async function copySample(folder: string, place: Place): Promise<void> {
  const sample = join(root, "examples/shop")
  await cp(sample, folder, { recursive: true, filter: (path) => path !== join(sample, "server") })
  for (const api of ["shop", "payments"]) {
    const environments = join(folder, "apis", api, "environments")
    for (const file of await readdir(environments)) {
      const path = join(environments, file)
      if (file.endsWith(".json")) await writeFile(path, toActual(await readFile(path, "utf8"), place))
    }
    for (const environment of ["staging", "production"]) {
      await cp(join(environments, "local.secrets.env"), join(environments, `${environment}.secrets.env`))
    }
  }
}

async function checkBlock(block: CodeBlock, state: State): Promise<void> {
  const { language, attributes, text } = block
  const { ignore, title, until } = attributes
  if (ignore !== undefined) {
    if (ignore === "") throw new Error("`ignore` needs a reason")
    return
  }
  if (title !== undefined && isCiFile(title)) {
    const found = await runCiFile(title, text, state.place)
    return void state.failures.push(...found.map((failure) => `${block.at}: ${failure}`))
  }
  const wanted = { exitCode: Number(attributes["exit"] ?? 0), until }
  const report = (failure: string | undefined): void => {
    if (failure !== undefined) state.failures.push(`${block.at}: ${failure}`)
  }
  switch (language) {
    case "sh":
    case "bash":
      return report(await runSteps([{ command: `set -e\n${text}` }], state.place, wanted))
    case "console":
      return report(await runSteps(readConsole(text), state.place, wanted))
    case "ts":
      return addProgram(title ?? `block-${block.at.replace(/.*:/, "")}.mts`, text, { block, state })
    case "jsonc":
      return addProgram(
        `report-${block.at.replace(/.*:/, "")}.ts`,
        `import type { Report } from "callsheet"\nexport const report: Report = ${text}`,
        { block, state },
      )
    case "json":
    case "yaml":
      return writePiece(block, state)
    case "text":
      if (attributes["tree"] === undefined) break
      state.trees.push(block)
      return
  }
  if (title === undefined)
    throw new Error(`a block of ${language || "no language"} needs a title, or ignore="reason"`)
  await write(title, text, state)
  state.written.set(title, block)
}

async function write(path: string, text: string, { place }: State): Promise<string> {
  const file = join(place.cwd, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, toActual(text, place))
  return file
}

interface Origin {
  readonly block: CodeBlock
  readonly state: State
}

async function addProgram(path: string, text: string, { block, state }: Origin): Promise<void> {
  state.programs.push([await write(path, text, state), block.at])
  state.hasScripts ||= path.startsWith("apis/")
}

/** Writes a whole file, or looks for a piece in the existing file, or adds it to the file that the page creates. */
async function writePiece(block: CodeBlock, state: State): Promise<void> {
  const { attributes, text, language } = block
  const { title } = attributes
  if (title === undefined)
    throw new Error(`a block of ${language} needs a title that names its file, or ignore="reason"`)
  const pieces = parsePiece(text, language)
  const [first] = pieces
  if (pieces.length === 1 && isWhole(title, first)) {
    if (state.written.has(title)) await validateWritten(state)
    await write(title, text, state)
    state.written.set(title, block)
    return
  }
  const file = join(state.place.cwd, title)
  if (existsSync(file) && !state.written.has(title)) {
    const whole: unknown = load(await readFile(file, "utf8"))
    for (const piece of pieces) {
      if (!isPartOf(piece, whole)) throw new Error(`${title} has no part like ${JSON.stringify(piece)}`)
    }
    return
  }
  await write(title, JSON.stringify(await withPieces(file, pieces), null, 2), state)
  state.written.set(title, block)
}

/** Returns whether a file that a page shows in parts is complete: it then has a required property. */
function isWhole(path: string, value: unknown): boolean {
  const isVersioned = path.startsWith("apis/workflow/") || path.endsWith("/environments/schema.json")
  const isDocument = /^apis\/[^/]+\/openapi\./.test(path)
  const mark = isVersioned ? "version" : isDocument ? "info" : undefined
  return mark === undefined || (typeof value === "object" && value !== null && mark in value)
}

/** Appends blocks to the workflow, and sets properties in it. */
async function withPieces(file: string, pieces: readonly unknown[]): Promise<object> {
  const text = existsSync(file) ? await readFile(file, "utf8") : '{ "version": 1, "blocks": [] }'
  return pieces.reduce<{ readonly blocks: readonly unknown[] }>(
    (workflow, piece) =>
      typeof piece === "object" && piece !== null && !("type" in piece)
        ? { ...workflow, ...piece }
        : { ...workflow, blocks: [...workflow.blocks, piece] },
    JSON.parse(text) as { readonly blocks: readonly unknown[] },
  )
}

/** Compares the files of the page with the report of `callsheet validate`. */
async function validateWritten(state: State): Promise<void> {
  const checked = [...state.written].filter(([path]) => path.startsWith("apis/"))
  if (checked.length === 0) return
  const { stdout, stderr } = await callsheet(["validate", "--json"], {
    folder: state.place.cwd,
    timeoutMs: MAX_MS,
  })
  if (stdout === "") return void state.failures.push(`${checked[0]?.[1].at}: validate reports ${stderr}`)
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly Problem[] }
  for (const [path, { at, attributes }] of checked) {
    const found = problems.filter(({ file }) => file === path)
    const meant = attributes["problems"] ?? ""
    if (found.map(({ code }) => code).join(" ") === meant) continue
    const list = found.map(({ line, code, message }) => `\n  ${line ?? 1}: ${message} (${code})`)
    state.failures.push(
      `${at}: validate finds${list.join("") || " nothing"}\nin ${path}, expected ${meant || "nothing"}`,
    )
  }
  state.written.clear()
}

/** The paths of a tree drawing that don't exist. Angle brackets match any name. */
function findMissing({ at, text }: CodeBlock, folder: string): readonly string[] {
  const parents: { readonly indent: number; readonly path: string }[] = []
  const missing: string[] = []
  for (const line of text.trimEnd().split("\n")) {
    const [, indent = "", name = ""] = /^([\s│├└─]*)(\S+)/.exec(line) ?? []
    while ((parents.at(-1)?.indent ?? -1) >= indent.length) parents.pop()
    const path = join(parents.at(-1)?.path ?? "", name)
    parents.push({ indent: indent.length, path })
    if (!/[<…*]/.test(path) && !existsSync(join(folder, path))) missing.push(path)
  }
  return missing.map((path) => `${at}: ${path} doesn't exist`)
}
