// Proof: a callsheet process that is killed before any of its file calls leaves, after the next command, all old or all
// new files.

import { lstat, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { callsheet, type CallResult } from "../harness/callsheet.ts"
import type { Proof } from "./endurance.ts"
import { differences, readTree, without, writeProject, type FileTree } from "./file-tree.ts"
import { scenarios, secretTexts, SPARE_FILE, spareWords, type Scenario } from "./kill-scenarios.ts"
import { spread, twoAtATime } from "./pool.ts"

const JOURNAL = ".callsheet-journal.json"
const isTemp = (path: string): boolean => /(?:^|\/)\.callsheet-[0-9a-f]{16}\.secrets\.env$/.test(path)

/** The number of kills per scenario after which the recovery is killed too. */
const RECOVERIES = 6

export async function proveKills(proof: Proof): Promise<readonly string[]> {
  const violations: string[] = []
  for (const [at, scenario] of scenarios.entries()) {
    if (proof.only !== undefined && proof.only !== at) continue
    const killer = new Killer(scenario, proof)
    violations.push(...(await killer.run()))
    proof.print(`  ${at}: ${scenario.name}: ${killer.summary}`)
  }
  return violations
}

interface Case {
  readonly project: string
  /** The temporary directory of the processes, which contains the lock files. */
  readonly temp: string
}

/** The calls before which the processes of a case are killed. `recovery` is for the command after the killed one. */
interface Place {
  readonly at: number
  readonly recovery?: number
}

class Killer {
  readonly #scenario: Scenario
  readonly #proof: Proof
  readonly #violations: string[] = []
  #calls = 0
  #cases = 0
  #old: FileTree = new Map()
  #new: FileTree = new Map()
  readonly #tally = { old: 0, new: 0, recoveryKills: 0, temps: 0 }
  /** The numbers of the kills that left a journal. */
  readonly #halfDone: number[] = []

  constructor(scenario: Scenario, proof: Proof) {
    this.#scenario = scenario
    this.#proof = proof
  }

  get summary(): string {
    const { old, new: done, recoveryKills, temps } = this.#tally
    return (
      `${this.#calls} calls, ${old + done} kills: ${old} all old, ${done} all new; ` +
      `${this.#halfDone.length} left a journal, ${temps} a temporary file until the next change; ` +
      `${recoveryKills} kills of the recovery`
    )
  }

  async run(): Promise<readonly string[]> {
    await this.#runUnharmed()
    const limit = this.#proof.count ?? Infinity
    await twoAtATime(spread(this.#calls, limit), async (at) => {
      await this.#kill({ at })
    })
    const sample = spread(this.#halfDone.length, Math.min(RECOVERIES, limit))
    const halfDone = this.#halfDone.toSorted((a, b) => a - b)
    for (const at of this.#halfDone.length === 0 ? [] : sample) await this.#killRecovery(halfDone[at - 1]!)
    return this.#violations
  }

  /** The states before and after, and the number of calls. */
  async #runUnharmed(): Promise<void> {
    const place = await this.#makeCase()
    this.#old = await readTree(place.project)
    const log = join(place.temp, "../calls.txt")
    const result = await this.#call(place, this.#scenario.words, { at: 0, log })
    if (result.exitCode !== 0) throw new Error(`${this.#scenario.name} fails: ${result.stderr}`)
    this.#new = await readTree(place.project)
    this.#calls = (await readFile(log, "utf8")).split("\n").length - 1
    await rm(join(place.project, ".."), { recursive: true })
  }

  async #kill(place: Place): Promise<boolean> {
    const files = await this.#makeCase()
    const blame = (what: string) => this.#blame(place, what)
    const killed = await this.#call(files, this.#scenario.words, { at: place.at })
    if (killed.signal !== "SIGKILL") blame(`was not killed, and ended with ${killed.exitCode}`)
    await this.#lookAtSecrets(files, blame)
    if (place.recovery === undefined && (await readTree(files.project)).has(JOURNAL)) {
      this.#halfDone.push(place.at)
    }
    const isKilledAgain = place.recovery === undefined || (await this.#killNext(files, place.recovery, blame))
    await this.#lookAfterNext(files, blame)
    await this.#lookAfterChange(files, blame)
    await rm(join(files.project, ".."), { recursive: true })
    return isKilledAgain
  }

  /** Kills the command after the one that was killed at `at`, before each of its calls, until it finishes. */
  async #killRecovery(at: number): Promise<void> {
    const state = { isOver: false }
    const places = function* () {
      for (let recovery = 1; !state.isOver; recovery++) yield { at, recovery }
    }
    await twoAtATime(places(), async (place) => {
      if (await this.#kill(place)) this.#tally.recoveryKills++
      else state.isOver = true
    })
  }

  async #killNext(files: Case, recovery: number, blame: (what: string) => void): Promise<boolean> {
    const next = await this.#call(files, ["list"], { at: recovery })
    if (next.signal !== "SIGKILL" && next.exitCode !== 0) blame(`the recovery ended with ${next.exitCode}`)
    await this.#lookAtSecrets(files, blame)
    return next.signal === "SIGKILL"
  }

  /**
   * Checks that after any command, all files are old or all are new. A temporary file may exist until the next change.
   */
  async #lookAfterNext(files: Case, blame: (what: string) => void): Promise<void> {
    const next = await this.#call(files, ["list"], { at: 0 })
    if (next.exitCode !== 0) blame(`"list" ended with ${next.exitCode}: ${next.stderr}`)
    const tree = await readTree(files.project)
    if (tree.has(JOURNAL)) blame("the journal is still there")
    if ([...tree.keys()].some(isTemp)) this.#tally.temps++
    const state = without(tree, (path) => isTemp(path))
    if (this.#isNew(state)) this.#tally.new++
    else if (this.#isOld(state)) this.#tally.old++
    else
      blame(
        `neither old (${differences(this.#old, state).join(", ")}) nor new (${differences(this.#new, state).join(", ")})`,
      )
  }

  #isNew(state: FileTree): boolean {
    return differences(this.#new, state).length === 0
  }

  /** The rule in `.gitignore` may already exist. It does no harm without the secret. */
  #isOld(state: FileTree): boolean {
    const isRule = (path: string) =>
      path === ".gitignore" && state.get(path)?.bytes === this.#new.get(path)?.bytes
    return differences(without(this.#old, isRule), without(state, isRule)).length === 0
  }

  /**
   * Checks that the next change in the same directory leaves no journal, temporary file or lock, and changes nothing
   * else.
   */
  async #lookAfterChange(files: Case, blame: (what: string) => void): Promise<void> {
    const before = await readTree(files.project)
    const change = await this.#call(files, spareWords, { at: 0 })
    if (change.exitCode !== 0) blame(`the next change ended with ${change.exitCode}: ${change.stderr}`)
    const after = await readTree(files.project)
    const isSpare = (path: string) => path === SPARE_FILE
    const others = differences(
      without(before, (path) => isTemp(path) || isSpare(path)),
      without(after, isSpare),
    )
    if (others.length > 0) blame(`after the next change ${others.join(", ")}`)
    if (!after.get(SPARE_FILE)?.bytes.includes("afterwards")) blame("the next change was lost")
    const inTemp = await readdir(files.temp, { recursive: true, withFileTypes: true })
    const locks: string[] = []
    for (const entry of inTemp.filter((one) => one.isFile())) {
      // An empty lock file may belong to a process that is about to write it. It is removed after a minute.
      const { size } = await lstat(join(entry.parentPath, entry.name))
      if (size > 0) locks.push(entry.name)
    }
    if (locks.length > 0) blame(`left in the temporary folder: ${locks.join(", ")}`)
  }

  /** Checks that at any time, a file with a secret is private to its owner, and git ignores it. */
  async #lookAtSecrets({ project }: Case, blame: (what: string) => void): Promise<void> {
    const tree = await readTree(project)
    const isIgnored = tree.get(".gitignore")?.bytes.includes("*.secrets.env") === true
    for (const [path, { bytes, mode }] of tree) {
      if (!secretTexts.some((text) => bytes.includes(text))) continue
      if (mode !== 0o600) blame(`${path} contains a secret, with mode ${mode.toString(8)}`)
      if (!isIgnored) blame(`${path} contains a secret, and git does not ignore it`)
      if (!path.endsWith(".secrets.env")) blame(`${path} contains a secret, but is not a secrets file`)
    }
  }

  async #makeCase(): Promise<Case> {
    const folder = join(this.#proof.folder, `case-${this.#cases++}`)
    const files = { project: join(folder, "project"), temp: join(folder, "temp") }
    await writeProject(files.project, this.#scenario.files)
    await writeProject(files.temp, {})
    return files
  }

  #call(
    { project, temp }: Case,
    words: readonly string[],
    { at, log }: { readonly at: number; readonly log?: string },
  ): Promise<CallResult> {
    const preload = join(this.#proof.folder, "../kill-at.cjs")
    const isWatched = at > 0 || log !== undefined
    return callsheet(words, {
      folder: project,
      timeoutMs: 60_000,
      env: {
        TMPDIR: temp,
        // Writing compiled code to an empty cache would be counted, too, and only in the first process.
        NODE_DISABLE_COMPILE_CACHE: "1",
        ...(isWatched ? { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` } : {}),
        ENDURANCE_KILL_AT: String(at),
        ENDURANCE_CALLS: log,
      },
    })
  }

  #blame({ at, recovery }: Place, what: string): void {
    const again = recovery === undefined ? "" : `, the recovery before call ${recovery}`
    this.#violations.push(`${this.#scenario.name}, killed before call ${at}${again}: ${what}`)
  }
}
