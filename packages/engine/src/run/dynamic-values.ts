// Generates dynamic values such as `{{$uuid}}` when they are read.

import type { Clock, Random } from "../ports.ts"

export interface DynamicValues {
  readonly clock: Pick<Clock, "now">
  readonly random: Random
}

/** Generates a dynamic value. Undefined for an unknown name, and for `$index` outside a loop. */
export function dynamicValue(
  name: string,
  { clock, random }: DynamicValues,
  index: number | undefined,
): string | number | undefined {
  switch (name) {
    case "$index":
      return index
    case "$uuid":
      return random.uuid()
    case "$timestamp":
      return Math.floor(clock.now() / 1000)
    case "$isoTimestamp":
      return new Date(clock.now()).toISOString()
    case "$randomInt":
      return random.integer(2 ** 31)
    default:
      return undefined
  }
}

/** Creates a generator that depends only on the seed and the path, so that parallel runs are reproducible. */
export function createSeededRandom(seed: number, path: string): Random {
  const next = sfc32(seedsFrom(`${seed}\n${path}`))
  const integer = (bound: number): number => Math.floor((next() / 2 ** 32) * bound)
  return { integer, uuid: () => formatUuid(Array.from({ length: 16 }, () => integer(256))) }
}

/** Formats bytes as a UUID of version 4, variant 10 (RFC 9562 section 5.4). */
function formatUuid(bytes: readonly number[]): string {
  const marked = bytes.map((byte, at) =>
    at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte,
  )
  const hex = marked.map((byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

// Hashes with FNV-1a and four offset bases. The generator's warm-up removes the correlation between the hashes.
const seedsFrom = (text: string): [number, number, number, number] => [
  hash(text, 0, 0x811c9dc5),
  hash(text, 1, 0x9e3779b9),
  hash(text, 2, 0x85ebca6b),
  hash(text, 3, 0xc2b2ae35),
]

function hash(text: string, frame: number, start: number): number {
  let state = start
  for (let at = 0; at < text.length; at++)
    state = Math.imul(state ^ (text.charCodeAt(at) + frame), 0x01000193)
  return state
}

/** Returns an sfc32 generator (Chris Doty-Humphrey's "small fast counting"), which passes PractRand. */
function sfc32([a, b, c, d]: [number, number, number, number]): () => number {
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 15; round++) next()
  return next
}
