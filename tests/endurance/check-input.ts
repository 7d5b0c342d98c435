// Passes a broken file to every reader and check. Any input must satisfy these claims.

import { validateProject } from "@callsheet/language"
import { decodeText, type Problem, type SourceFile } from "@callsheet/format"
import { listOperations, readDocument } from "@callsheet/openapi"
import { checkJsonEdits, checkSecretEdits } from "./check-edits.ts"
import { readCorpus, readScriptNames, type CorpusFile, type Kind } from "./corpus.ts"
import { makeHome, withFile, type Home } from "./home-project.ts"
import { mutate } from "./mutate.ts"
import { Random } from "./random.ts"

export interface CheckedInput {
  readonly file: CorpusFile
  readonly problems: number
  readonly violations: readonly string[]
}

/** Projects with larger documents are used for one input of fifty. */
const LARGE_DOCUMENTS = 10_000
/**
 * The share of inputs for which the whole project is checked. For the others, only the parts that depend on the file
 * are checked.
 */
const WHOLE_SHARE = 0.02
const OWN_HOME = "tests/endurance/corpus"

/** Makes inputs by their index, and checks them. */
export class InputChecker {
  readonly #files: readonly CorpusFile[]
  readonly #homes: ReadonlyMap<string, Home>
  readonly #weights: readonly number[]
  readonly #seed: number

  constructor(root: string, seed: number) {
    this.#seed = seed
    this.#files = readCorpus(root)
    const names = [...new Set(this.#files.map(({ home }) => home))]
    this.#homes = new Map(
      names.map((home) => {
        const files = this.#files.filter((file) => file.home === home)
        return [home, makeHome({ files, scriptNames: readScriptNames(root, home) })]
      }),
    )
    // Large files take longer and find no more bugs.
    let sum = 0
    this.#weights = this.#files.map(({ text }) => (sum += 1 / (1 + text.length / 1_500)))
  }

  get corpusSize(): number {
    return this.#files.length
  }

  /** The file that the input with this index is generated from, and its bytes. */
  make(index: number): { readonly file: CorpusFile; readonly bytes: Uint8Array } {
    const random = new Random(this.#seed, index)
    const at = random.next() * (this.#weights.at(-1) ?? 0)
    const file = this.#files[this.#weights.findIndex((weight) => at < weight)]!
    return { file, bytes: mutate(file, random) }
  }

  async check(index: number): Promise<CheckedInput> {
    const { file, bytes } = this.make(index)
    // Don't use the generator of the input here, because the second call needs the same numbers.
    const chance = () => new Random(this.#seed, index + 0x8000_0000)
    const copy = Uint8Array.from(bytes)
    try {
      const { problems, violations } = await this.#checkBytes(file, bytes, chance())
      const isTwice = index % 50 === 0
      const again = isTwice ? await this.#checkBytes(file, bytes, chance()) : undefined
      const isSame = again === undefined || JSON.stringify(again.problems) === JSON.stringify(problems)
      return {
        file,
        problems: problems.length,
        violations: [
          ...violations,
          ...(isSame ? [] : ["the second result is different"]),
          ...(Buffer.compare(bytes, copy) === 0 ? [] : ["the input was changed"]),
          ...prototypeViolations(),
        ],
      }
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? String(error)) : String(error)
      return { file, problems: 0, violations: [`threw ${what.slice(0, 600)}`] }
    }
  }

  async #checkBytes(file: CorpusFile, bytes: Uint8Array, random: Random) {
    const decoded = decodeText(bytes)
    if (!decoded.ok) {
      const { byteOffset } = decoded.finding
      const isInside = byteOffset >= 0 && byteOffset < Math.max(1, bytes.length)
      return {
        problems: [],
        violations: isInside ? [] : [`byte ${byteOffset} of ${bytes.length} is reported`],
      }
    }
    const source = { file: file.path, text: decoded.text }
    const home = this.#homeOf(file, random)
    const project = withFile(home, source, random.chance(WHOLE_SHARE) ? "whole" : "part")
    const problems = await validateProject({ project, describe })
    if (file.kind.startsWith("openapi")) await listAll(source)
    return {
      problems,
      violations: [
        ...positionViolations(problems, (path) => (path === source.file ? source : home.files.get(path))),
        ...checkEdits(file.kind, Buffer.from(bytes).toString(), random),
      ],
    }
  }

  #homeOf({ home }: CorpusFile, random: Random): Home {
    const own = this.#homes.get(home)!
    const isCheap = own.documentLength <= LARGE_DOCUMENTS
    return isCheap || random.chance(0.02) ? own : this.#homes.get(OWN_HOME)!
  }
}

// Describes a script without opening it.
const module = {
  exports: ["ask"],
  complete: false,
  values: {},
  imports: [],
  lazyImports: [],
  io: [],
} as const
const describe = () => Promise.resolve({ ok: true, ...module } as const)

async function listAll(source: SourceFile): Promise<void> {
  const { document } = await readDocument(source)
  if (document !== undefined) listOperations(document)
}

function checkEdits(kind: Kind, text: string, random: Random): readonly string[] {
  if (kind === "secrets") return checkSecretEdits(text, random)
  return kind === "openapi.yaml" ? [] : checkJsonEdits(text, random)
}

function positionViolations(
  problems: readonly Problem[],
  sourceOf: (path: string) => SourceFile | undefined,
): readonly string[] {
  return problems.flatMap((problem) => {
    const { file, line, column, code } = problem
    if (line === undefined && column === undefined) return []
    const source = sourceOf(file ?? "")
    if (source === undefined) return [`${code} has a position but no file: ${file}`]
    const found = lengthOfLine(source.text, line ?? 0)
    if (found !== undefined && (column ?? 0) >= 1 && (column ?? 0) <= found + 1) return []
    return [`${code} is at ${line}:${column}, which is not in the file`]
  })
}

/** The last text with computed lines, because a file has many problems. */
let lines: { readonly text: string; readonly lengths: readonly number[] } = { text: "", lengths: [0] }

function lengthOfLine(text: string, line: number): number | undefined {
  if (lines.text !== text) lines = { text, lengths: text.split(/\r\n|\n|\r/).map(({ length }) => length) }
  return lines.lengths[line - 1]
}

function prototypeViolations(): readonly string[] {
  const added = Object.keys(Object.prototype)
  return added.length === 0 && !("polluted" in {}) ? [] : [`Object.prototype has ${added.join(", ")}`]
}
