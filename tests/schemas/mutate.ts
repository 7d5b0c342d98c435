// Makes mistakes in a JSON value from a seed: types swapped, keys renamed, removed and added, values out of range.

export interface Mutant {
  readonly value: unknown
  /** The change and its position. */
  readonly mistake: string
}

/** `count` values that differ from `value` at one position each. The same seed gives the same values. */
export function mutate(value: unknown, count: number, seed: number): readonly Mutant[] {
  const random = randomFrom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  return Array.from({ length: count }, () => {
    const copy: unknown = structuredClone(value)
    const holder = { root: copy }
    const place = pick(placesIn(holder))
    const name = pick(Object.keys(mistakes) as (keyof typeof mistakes)[])
    mistakes[name](place, pick)
    return { value: holder.root, mistake: `${name} at ${place.path}` }
  })
}

interface Place {
  readonly owner: Record<string, unknown>
  readonly key: string
  readonly path: string
}

type Pick = <T>(items: readonly T[]) => T

const scalars = [null, true, 0, 1, -1, 1.5, 1e20, 2147483648, "", [], {}, "text", 7]
const texts = [
  "",
  "a.b",
  "$a",
  "{{a}}",
  "a b",
  "con",
  "../x",
  "schema",
  "/a?b",
  "https://a/b",
  "/a",
  "constructor",
]
const enums = [
  "halt",
  "equals",
  "exists",
  "times",
  "until",
  "request",
  "group",
  "json",
  "form",
  "prod",
  "local",
  "string",
]
const keys = [
  "script",
  "assertions",
  "transforms",
  "if",
  "until",
  "count",
  "value",
  "method",
  "path",
  "operation",
]
const others = ["extra", "__proto", "headers", "verfy", "extends", "level", "$schema", "b c"]

const mistakes = {
  "another type": ({ owner, key }: Place, pick: Pick) => void (owner[key] = pick(scalars)),
  "another text": ({ owner, key }: Place, pick: Pick) => void (owner[key] = pick(texts)),
  "another word": ({ owner, key }: Place, pick: Pick) => void (owner[key] = pick(enums)),
  "a removed key": ({ owner, key }: Place) => void Reflect.deleteProperty(owner, key),
  "a renamed key": ({ owner, key }: Place, pick: Pick) => {
    owner[pick([`${key}x`, key.toUpperCase(), "level"])] = owner[key]
    Reflect.deleteProperty(owner, key)
  },
  "a key of another kind": ({ owner }: Place, pick: Pick) => {
    owner[pick(keys)] = pick<unknown>(["GET", { name: "a", exportName: "b" }, [], 1])
  },
  "an extra key": ({ owner }: Place, pick: Pick) =>
    void (owner[pick(others)] = pick<unknown>([1, "a", null])),
  "a value of its neighbor": ({ owner, key }: Place, pick: Pick) => {
    owner[key] = structuredClone(owner[pick(Object.keys(owner))])
  },
}

/** Returns every member of every object and array, including the root, which is a member of its holder. */
function placesIn(holder: { root: unknown }): readonly Place[] {
  const places: Place[] = []
  const work: { owner: object; path: string }[] = [{ owner: holder, path: "" }]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { owner, path } = item
    for (const [key, value] of Object.entries(owner) as [string, unknown][]) {
      const here = `${path}/${key}`
      places.push({ owner: owner as Record<string, unknown>, key, path: here })
      if (typeof value === "object" && value !== null) work.push({ owner: value, path: here })
    }
  }
  return places
}

/** mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
