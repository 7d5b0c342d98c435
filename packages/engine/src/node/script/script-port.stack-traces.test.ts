// Checks that errors report exact positions in `.ts` files, whatever the compiler does to the text before.

import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { useScriptBenches, type ScriptBench } from "./testing/script-bench.ts"

const { open } = useScriptBenches()
let bench: ScriptBench

// A run sees one state of `main.ts`, so each test needs its own run.
beforeEach(() => {
  bench = open()
})
afterEach(() => bench.remove())

/** Removes the marks ¦ from a text. Returns their lines and columns. */
function marked(file: string, text: string): { readonly text: string; readonly places: readonly string[] } {
  const before = text.split("¦").slice(0, -1)
  const places = before.map((_, at) => {
    const lines = before
      .slice(0, at + 1)
      .join("")
      .split("\n")
    return `    at apis/workflow/scripts/checkout/${file}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`
  })
  return { text: text.replaceAll("¦", ""), places }
}

/** Code that the compiler changes a lot, placed before the lines that matter. */
const head = `import type { ScriptContext } from "@callsheet/sdk"
import {
  explode,
  later,
} from "./deep"

interface Thing {
  a: number
}

enum Kind {
  One = "one",
  Two = "two",
}

class Box<T> {
  constructor(
    private readonly value: T,
    public readonly kind: Kind = Kind.One,
  ) {}

  open(): T {
    return this.kind === Kind.One ? this.value : refuse()
  }
}

const refuse = (): never => {
  throw new Error("refused")
}

`

const deep = `type Reason = "none" | "some"

export const explode = <T>(reason: T): never => {
  throw ¦new RangeError(String(reason))
}

export async function later(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2))
  const nothing = undefined as unknown as { x: Reason }
  void nothing.¦x
}
`
const deepPlaces = marked("deep.ts", deep).places

describe("the position of an error", () => {
  it.each([
    [
      "in a sibling",
      `export const fn = () => {
  const thing: Thing = { a: 1 }; ¦explode<number>(thing.a)
}`,
      deepPlaces.slice(0, 1),
    ],
    [
      "in a sibling, called without type arguments",
      `export const fn = () => {
  const thing: Thing = { a: 1 }; void thing; ¦explode("x")
}`,
      deepPlaces.slice(0, 1),
    ],
    [
      "after an await",
      `export async function fn(ctx: ScriptContext): Promise<void> {
  await ctx.sleep(1)
  const text: string = "x"
    ; throw ¦new TypeError(text)
}`,
      [],
    ],
    [
      "after an await in a sibling",
      `export const fn = async () => {
  const kind = Kind.One as Kind
  ¦await later(); void kind
}`,
      deepPlaces.slice(1),
    ],
    [
      "after enums and parameter properties",
      `export const fn = () => new Box<number>(1, Kind.One).open() && new Box(2, Kind.Two).kind === Kind.Two && fail()
const fail = () => { throw ¦new Error(Kind.Two) }`,
      [],
    ],
    [
      "in a promise that nobody awaits",
      `export const fn = (): void => {
  void Promise.reject(¦new Error("unheard"))
}`,
      [],
    ],
    [
      "in a timer",
      `export const fn = (): void => {
  setTimeout(() => {
    throw ¦new Error("late")
  }, 1)
}`,
      [],
    ],
    [
      "in an import of a missing file",
      `¦import { nope } from "./nope"

export const fn = (): unknown => nope()`,
      [],
    ],
  ])("%s", async (_where, body, inner) => {
    const script = marked("main.ts", head + body)
    bench.write("deep.ts", marked("deep.ts", deep).text)
    const outcome = await bench.call(bench.write("main.ts", script.text))
    const [, ...lines] = (outcome.ok ? "" : outcome.message).split("\n")
    expect(lines.slice(0, inner.length + 1)).toEqual([...inner, ...script.places])
  })

  it("repeats for each step of a recursion at the same place", async () => {
    const script = marked(
      "main.ts",
      `const down = (n: number): number => {
  if (n === 0) throw ¦new Error("bottom")
  return ¦down(n - 1) + 1
}
export const fn = () => ¦down(40)`,
    )
    const outcome = await bench.call(bench.write("main.ts", script.text))
    expect((outcome.ok ? "" : outcome.message).split("\n")).toEqual(["bottom", ...script.places.slice(0, 2)])
  })
})
