// Proof: a written secret reads back equal, by callsheet and by the `dotenv` package, or it is rejected and nothing
// changes.

import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parse as parseDotenv } from "dotenv"
import { parseSecretsFile, setSecret, unsetSecret } from "@callsheet/format"
import { callsheet } from "../harness/callsheet.ts"
import type { Proof } from "./endurance.ts"
import { writeProject } from "./file-tree.ts"
import { twoAtATime } from "./pool.ts"
import { Random } from "./random.ts"
import { randomSecret, randomSecretsFile, secretNames, type Piece } from "./secret-texts.ts"

const ALL = 100_000
/** One of this many secrets goes through the command. */
const COMMAND_SHARE = 250

export async function proveSecrets({ seed, count = ALL, only, folder, print }: Proof) {
  const violations: string[] = []
  const tally = new Tally()
  const [first, end] = only === undefined ? [0, count] : [only, only + 1]
  for (let index = first; index < end && violations.length < 20; index++) {
    const random = new Random(seed, index)
    const found = checkSecret(random, tally)
    violations.push(...found.map((what) => `secret ${index}: ${what} (--seed ${seed} --only ${index})`))
  }
  print(`  ${tally.written} written and read back, ${tally.unset} removed, ${tally.refusals} rejected:`)
  for (const [reason, times] of tally.reasons) print(`    ${times} because ${reason}`)
  const calls = Math.max(1, Math.ceil((end - first) / COMMAND_SHARE))
  const byCommand = { seed, calls, first: only ?? 0, folder, print }
  return [...violations, ...(await proveCommand(byCommand))]
}

class Tally {
  written = 0
  unset = 0
  readonly reasons = new Map<string, number>()

  refuse(reason: string): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
  }

  get refusals(): number {
    return [...this.reasons.values()].reduce((sum, times) => sum + times, 0)
  }
}

function checkSecret(random: Random, tally: Tally): readonly string[] {
  const pieces = randomSecretsFile(random)
  const text = (random.chance(0.05) ? "\ufeff" : "") + pieces.map((piece) => piece.text).join("")
  const name = random.pick(secretNames)
  const value = randomSecret(random)
  try {
    if (random.chance(0.05)) {
      tally.unset++
      return afterUnset(text, name, pieces)
    }
    const edited = setSecret(text, name, value)
    if (edited.ok) {
      tally.written++
      return afterSet({ text, name, value, pieces }, edited.text)
    }
    if (edited.code === "dotenv-syntax") return [`a file is rejected: ${JSON.stringify(text)}`]
    const isForm = setSecret("", name, value).ok
    tally.refuse(isForm ? "because of its line or its file" : edited.reason)
    return isForm ? [] : afterRefusal(value)
  } catch (error) {
    return [`threw ${String(error)}`]
  }
}

interface Written {
  readonly text: string
  readonly name: string
  readonly value: string
  readonly pieces: readonly Piece[]
}

function afterSet({ text, name, value, pieces }: Written, edited: string): readonly string[] {
  const expected = { ...readBoth(text).ours, [name]: value }
  return [...readsAs(edited, expected), ...keepsOthers({ text, name, value, pieces }, edited)]
}

/** The values of both readers after a round trip through the disk's bytes. */
function readBoth(text: string) {
  const bytes = Buffer.from(text.replace(/^\ufeff/, ""))
  const { entries } = parseSecretsFile(bytes.toString())
  return {
    ours: Object.fromEntries(entries.map((entry) => [entry.name, entry.value])),
    theirs: { ...parseDotenv(bytes) },
  }
}

function readsAs(text: string, expected: Readonly<Record<string, string>>): readonly string[] {
  const { ours, theirs } = readBoth(text)
  return [
    ...(isSame(ours, expected)
      ? []
      : [`callsheet reads its own output differently: ${JSON.stringify(text)}`]),
    ...(isSame(theirs, expected) ? [] : [`dotenv reads the output differently: ${JSON.stringify(text)}`]),
  ]
}

const isSame = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key])

/** Every byte outside the changed piece is unchanged, and in that piece everything before the value. */
function keepsOthers({ text, name, pieces }: Written, edited: string): readonly string[] {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  const at = pieces.findLastIndex((piece) => piece.name === name)
  const join = (some: readonly Piece[]) => some.map((piece) => piece.text).join("")
  if (at === -1) {
    if (!edited.startsWith(text)) return [`other lines were changed: ${JSON.stringify([text, edited])}`]
    const added = edited.slice(text.length)
    return new RegExp(`^(\\r?\\n)?${name}=`).test(added) ? [] : [`more was added: ${JSON.stringify(added)}`]
  }
  const head = mark + join(pieces.slice(0, at))
  const lead = /^.*?=/s.exec(pieces[at]!.text)![0]
  const tail = join(pieces.slice(at + 1))
  return edited.startsWith(head + lead) && edited.endsWith(tail)
    ? []
    : [`other lines were changed: ${JSON.stringify([text, edited])}`]
}

function afterUnset(text: string, name: string, pieces: readonly Piece[]): readonly string[] {
  const edited = unsetSecret(text, name)
  if (!edited.ok) return [`a file is rejected: ${JSON.stringify(text)}`]
  const kept = pieces.filter((piece) => piece.name !== name).map((piece) => piece.text)
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  return edited.text === mark + kept.join("")
    ? []
    : [`unset leaves other lines: ${JSON.stringify([text, edited.text])}`]
}

// callsheet rejects more than `dotenv` does: conflict markers, and unquoted line separators.
const isRefusedByRule = (value: string): boolean => /[\u2028\u2029]|(?:^|[\r\n])[<|=>]{7}/.test(value)

/** `dotenv` can't represent the value either, in any quoting and with either line ending. */
function afterRefusal(value: string): readonly string[] {
  if (isRefusedByRule(value)) return []
  const escaped = value.replaceAll("\r", String.raw`\r`).replaceAll("\n", String.raw`\n`)
  const candidates = [value, escaped].flatMap((content) => ["", "'", '"', "`"].map((q) => q + content + q))
  const held = candidates.find((candidate) => {
    const bytes = Buffer.from(`x=${candidate}\n`)
    const read = parseDotenv(bytes)
    return Object.keys(read).length === 1 && read["x"] === value && !bytes.includes(0)
  })
  return held === undefined
    ? []
    : [`rejected, though dotenv reads ${JSON.stringify(held)} as ${JSON.stringify(value)}`]
}

interface CommandProof {
  readonly seed: number
  readonly calls: number
  readonly first: number
  readonly folder: string
  readonly print: (line: string) => void
}

/** The same through `env write shop local apiKey=-`. Leaves out values that standard input can't carry. */
async function proveCommand({ seed, calls, first, folder, print }: CommandProof): Promise<readonly string[]> {
  const violations: string[] = []
  let written = 0
  const indexes = Array.from({ length: calls }, (_, at) => first + at)
  await twoAtATime(indexes, async (index) => {
    const { isWritten, found } = await writeByCommand(
      new Random(seed, index + 0x4000_0000),
      join(folder, `c${index}`),
    )
    if (isWritten) written++
    violations.push(...found.map((what) => `by the command, secret ${index}: ${what} (--seed ${seed})`))
  })
  print(`  by the command: ${written} written and read back, ${calls - written} rejected`)
  return violations
}

const SECRETS = "apis/shop/environments/local.secrets.env"
const files = {
  ".gitignore": "*.secrets.env\n",
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: Object.fromEntries(
      secretNames.map((name) => [name, { type: "string", required: false, secret: true }]),
    ),
  },
  "apis/shop/environments/local.json": {},
}

async function writeByCommand(random: Random, folder: string) {
  const before = randomSecretsFile(random)
    .map((piece) => piece.text)
    .join("")
  await writeProject(folder, files)
  await writeFile(join(folder, SECRETS), before)
  await chmod(join(folder, SECRETS), 0o600)
  const value = Buffer.from(randomSecret(random)).toString()
  const eol = random.pick(["", "\n", "\r\n"])
  const { exitCode, stdout, stderr } = await callsheet(["env", "write", "shop", "local", "apiKey=-"], {
    folder,
    stdin: value + eol,
    env: { TMPDIR: folder },
  })
  const after = await readFile(join(folder, SECRETS), "utf8")
  const kept = (value + eol).replace(/\r?\n$/, "")
  const found =
    exitCode === 0
      ? readsAs(after, { ...readBoth(before).ours, apiKey: kept })
      : afterCommandRefusal({ exitCode, isChanged: after !== before, stderr })
  if (kept.trim().length > 8 && (stdout + stderr).includes(kept))
    return { isWritten: true, found: ["was printed"] }
  return { isWritten: exitCode === 0, found }
}

function afterCommandRefusal(refusal: {
  readonly exitCode: number | undefined
  readonly isChanged: boolean
  readonly stderr: string
}): readonly string[] {
  const { exitCode, isChanged, stderr } = refusal
  return [
    ...(exitCode === 2 ? [] : [`exited with ${exitCode}`]),
    ...(isChanged ? ["rejected, but the file has changed"] : []),
    ...(stderr.includes("secret-unquotable") ? [] : [`rejected with another message: ${stderr}`]),
  ]
}
