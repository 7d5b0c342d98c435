// The files of scripts as the run sees them, which the runner knows: each is asked for once by each process.

import fs from "node:fs"
import type { Channel } from "./channel.ts"

export interface SourceReader {
  /** Throws where the file cannot be read. */
  readonly textOf: (file: string) => string
  /** Where an import leads in this run. `resolve` says where it leads now. */
  readonly placeOf: (importer: string, specifier: string, resolve: () => string) => string
  /** Calls `load`, and lets what Node and jiti read of the project meanwhile be what the run sees. */
  readonly reading: <T>(load: () => T) => T
}

export function createSourceReader({ ask }: Pick<Channel, "ask">): SourceReader {
  const texts = new Map<string, string>()
  const places = new Map<string, string>()
  const textOf = (file: string): string => {
    let text = texts.get(file)
    if (text === undefined) {
      text = ask({ type: "source", file }) as string
      texts.set(file, text)
    }
    return text
  }
  const placeOf: SourceReader["placeOf"] = (importer, specifier, resolve) => {
    const key = `${importer}\n${specifier}`
    let place = places.get(key)
    if (place === undefined) {
      const question = { type: "found", importer, specifier } as const
      place = (ask(question) ?? ask({ ...question, found: resolve() })) as string
      places.set(key, place)
    }
    return place
  }
  return { textOf, placeOf, reading: (load) => withReads(textOf, load) }
}

/** What has no module of its own here is read by others, all through this one function of `fs`. */
function withReads<T>(textOf: (file: string) => string, load: () => T): T {
  const own = fs.readFileSync
  let isLoading = true
  const read = (...asked: Parameters<typeof fs.readFileSync>): ReturnType<typeof fs.readFileSync> => {
    const [file, encoding] = asked
    const isCode = isLoading && encoding === "utf8" && typeof file === "string" && isOwnCode(file)
    return isCode ? textOf(file) : Reflect.apply(own, fs, asked)
  }
  // A script may have frozen it: then its process is not used again.
  if (!Reflect.set(fs, "readFileSync", read)) return load()
  try {
    return load()
  } finally {
    isLoading = false
    Reflect.set(fs, "readFileSync", own)
  }
}

const isOwnCode = (file: string): boolean =>
  /\.(?:[cm]?[jt]s|[jt]sx|json)$/.test(file) &&
  !/[\\/]node_modules[\\/]|[\\/](?:package|tsconfig)\.json$/.test(file)
