// A string that matches its schema: by format, by pattern, and with a valid length.

import { sample, stringMatching } from "fast-check"
import type { Raw } from "./raw-document.ts"

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  email: "ada@example.com",
  uuid: "6f1d1b9e-2f0b-4b57-9d6e-0d5c7c1f6a11",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
}

export function makeText(parts: readonly Raw[]): string {
  const texts = (keyword: string) =>
    parts.map((part) => part[keyword]).filter((value) => typeof value === "string")
  const [format = ""] = texts("format")
  const least = Math.min(limit(parts, "minLength", Math.max) ?? 0, 1000)
  const most = limit(parts, "maxLength", Math.min) ?? Infinity
  const plain = (formats[format] ?? "x")
    .padEnd(least, "x")
    .slice(0, formats[format] === undefined ? most : Infinity)
  const patterns = texts("pattern")
    .map(readPattern)
    .filter((pattern) => pattern !== undefined)
  const fits = (text: string) =>
    text.length >= least && text.length <= most && patterns.every((pattern) => pattern.test(text))
  if (fits(plain)) return plain
  const candidates = [...texts("example"), ...texts("default"), ...patterns.flatMap(matching)]
  const longer = candidates.map((text) => text.padEnd(least, text.at(-1) ?? "x"))
  return [...candidates, ...longer].find(fits) ?? plain
}

function limit(
  parts: readonly Raw[],
  keyword: string,
  choose: (...numbers: number[]) => number,
): number | undefined {
  const numbers = parts.map((part) => part[keyword]).filter((value) => typeof value === "number")
  return numbers.length === 0 ? undefined : choose(...numbers)
}

/** Compiles a pattern as JSON Schema requires: with `u` if the pattern allows it. Undefined if it is invalid. */
export function readPattern(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags)
    } catch {
      continue
    }
  }
  return undefined
}

const samples = new Map<string, readonly string[]>()

/** Matching texts. None for patterns with lookaround, which fast-check doesn't support. */
function matching(pattern: RegExp): readonly string[] {
  const known = samples.get(pattern.source)
  if (known !== undefined) return known
  let texts: readonly string[]
  try {
    texts = sample(stringMatching(pattern), { seed: 1, numRuns: 50 })
  } catch {
    texts = []
  }
  samples.set(pattern.source, texts)
  return texts
}
