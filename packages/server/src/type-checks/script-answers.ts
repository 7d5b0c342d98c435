// What the compiler says about a script: its errors, the completions at a position, and the meaning of a name.

import { createLineFinder, type LineColumn } from "@callsheet/format"
import { scriptFile } from "@callsheet/language"
import type { ScriptId, ScriptMeaning } from "../calls/index.ts"
import type { Program } from "./type-service.ts"

interface Diagnostic {
  readonly pos: number
  readonly code: number
  readonly category: number
  readonly text: string
  readonly messageChain?: readonly Diagnostic[]
}

interface CompilerSymbol {
  readonly id: number
  readonly name: string
  readonly flags: number
  readonly declarations?: readonly string[]
}

interface Entry {
  readonly name: string
  readonly sortText?: string
  readonly symbol?: CompilerSymbol
}

export interface TypeError {
  readonly offset: number
  readonly message: string
}

const ERROR = 1
const MAX_MESSAGE = 2_000
const MAX_ENTRIES = 1_000
const MAX_TEXT = 4_000

export async function findTypeErrors({ ask, file }: Program): Promise<readonly TypeError[]> {
  const found = await Promise.all(
    ["getSyntacticDiagnostics", "getSemanticDiagnostics"].map((method) => ask(method, { file })),
  )
  return (found as readonly (readonly Diagnostic[] | null)[])
    .flatMap((diagnostics) => diagnostics ?? [])
    .filter(({ category }) => category === ERROR)
    .map((diagnostic) => ({
      offset: diagnostic.pos,
      message: `TS${diagnostic.code}: ${messageOf(diagnostic)}`.slice(0, MAX_MESSAGE),
    }))
}

const messageOf = ({ text, messageChain = [] }: Diagnostic): string =>
  [text, ...messageChain.map(messageOf)].join(" ")

/** Returns the names that fit at a position, best first. */
export async function completionsAt(program: Program, position: number): Promise<readonly string[]> {
  const entries = await entriesAt(program, position)
  return entries.slice(0, MAX_ENTRIES).map(({ name }) => name)
}

async function entriesAt({ ask, file }: Program, position: number): Promise<readonly Entry[]> {
  // TypeScript 7.0 fails for names that may need an import.
  const found = await ask("getCompletionsAtPosition", { file, position, includeSymbol: true }).catch(
    () => null,
  )
  const { entries = [] } = (found ?? {}) as { readonly entries?: readonly Entry[] }
  return entries.toSorted((a, b) => ((a.sortText ?? "") < (b.sortText ?? "") ? -1 : 1))
}

/** Describes the name at a position or, with `entry`, a completion there. */
export async function meaningAt(
  program: Program,
  { position, entry }: { readonly position: number; readonly entry: string | undefined },
): Promise<ScriptMeaning | undefined> {
  const { ask, file } = program
  const found =
    entry === undefined
      ? ((await ask("getSymbolAtPosition", { file, position })) as CompilerSymbol | null)
      : (await entriesAt(program, position)).find(({ name }) => name === entry)?.symbol
  if (found === null || found === undefined) return undefined
  const symbol = await withoutAlias(program, found)
  const isHere = entry === undefined && symbol === found
  const definition = entry === undefined ? await definitionOf(program, symbol) : undefined
  const documentation = (await ask("getDocumentationComment", { symbol: symbol.id })) as string
  return {
    type: (await typeText(program, symbol, isHere ? position : undefined)).slice(0, MAX_TEXT),
    documentation: documentation.slice(0, MAX_TEXT),
    ...(definition === undefined ? {} : { definition }),
  }
}

/** Flags of symbols, as in TypeScript since its first version. */
const VALUE = 3 | 4 | 8 | 16 | 32 | 384 | 512 | 8_192 | 32_768 | 65_536
const kinds = { 64: "interface", 524_288: "type", 262_144: "type parameter" } as const
const ALIAS = 2_097_152
/** Writes what a type alias stands for. */
const IN_ALIAS = 8_388_608

async function withoutAlias({ ask }: Program, symbol: CompilerSymbol): Promise<CompilerSymbol> {
  if ((symbol.flags & ALIAS) === 0) return symbol
  return ((await ask("getAliasedSymbol", { symbol: symbol.id })) as CompilerSymbol | null) ?? symbol
}

async function typeText(
  { ask, file }: Program,
  { id, name, flags }: CompilerSymbol,
  position: number | undefined,
): Promise<string> {
  const write = async (type: unknown, options?: number): Promise<string> =>
    type === null
      ? "unknown"
      : String(await ask("typeToString", { type: (type as { id: number }).id, flags: options }))
  if ((flags & VALUE) !== 0) {
    const type =
      position === undefined
        ? await ask("getTypeOfSymbol", { symbol: id })
        : await ask("getTypeAtPosition", { file, position })
    return `${name}: ${await write(type)}`
  }
  const kind = Object.entries(kinds).find(([flag]) => (flags & Number(flag)) !== 0)?.[1] ?? "type"
  const text = await write(await ask("getDeclaredTypeOfSymbol", { symbol: id }), IN_ALIAS)
  return text === name ? `${kind} ${name}` : `${kind} ${name} = ${text}`
}

type Definition = ScriptId & LineColumn

/** Finds the declaration of a symbol in the project's scripts. */
async function definitionOf(program: Program, symbol: CompilerSymbol): Promise<Definition | undefined> {
  const { project, at } = program
  const [declared] = symbol.declarations ?? []
  if (declared === undefined) return undefined
  // A declaration names its node, its kind and its file. The case of the file may differ.
  const path = declared.replace(/^\d+\.\d+\./, "").toLowerCase()
  for (const [workflow, scripts] of project.scriptNames)
    for (const script of scripts) {
      const file = at(scriptFile(workflow, script))
      if (file.toLowerCase() !== path) continue
      const place = await placeIn(program, file, { ...symbol, declared })
      return place && { workflow, script, ...place }
    }
  return undefined
}

const MAX_PLACES = 500

/** Finds where a file declares a symbol: the first place after a word that declares names, or else the first one. */
async function placeIn(
  { ask, readFile }: Program,
  file: string,
  { name, declared }: CompilerSymbol & { readonly declared: string },
): Promise<LineColumn | undefined> {
  const text = readFile(file)
  if (text === undefined || !/^[\w$]+$/.test(name)) return undefined
  const pattern = new RegExp(`(?<![\\w$])${name.replaceAll("$", String.raw`\$`)}(?![\\w$])`, "g")
  const positions = [...text.matchAll(pattern)].slice(0, MAX_PLACES).map(({ index }) => index)
  const symbols = await ask("getSymbolsAtPositions", { file, positions })
  const places = positions.filter(
    (_, index) => (symbols as readonly (CompilerSymbol | null)[])[index]?.declarations?.[0] === declared,
  )
  const isDeclared = (place: number): boolean =>
    /(?:function\s*\*?|class|interface|type|enum|const|let|var|namespace)\s*$/.test(text.slice(0, place))
  const place = places.find(isDeclared) ?? places[0]
  return place === undefined ? undefined : createLineFinder(text)(place)
}
