import { describe, expect, it } from "vitest"
import { createCookies, type RunResults } from "@callsheet/engine"
import { createLastResults } from "./last-results.ts"

const order = (workflow: string, inputs: Readonly<Record<string, string>> = {}) => ({
  workflow,
  environments: { shop: "local", pay: "test" },
  inputs,
})

/** Returns results that have their size as a name. */
const ofSize = (bytes: number) => ({
  results: { results: new Map(), iterations: new Map(), secrets: [{ name: "size", value: bytes }] },
  cookies: createCookies(),
})
const sizeOf = ({ secrets }: RunResults): number => Number(secrets[0]?.value)

describe("the results of the last runs", () => {
  it("are those of a workflow's last run, whatever the order of its environments", () => {
    const kept = createLastResults({ maxBytes: 100, sizeOf })
    const [first, second] = [ofSize(10), ofSize(20)]
    kept.keep(order("a"), first)
    kept.keep(order("a"), second)
    const again = { ...order("a"), environments: { pay: "test", shop: "local" } }
    expect(kept.of(again)?.results).toBe(second.results)
    expect(kept.of(order("a", { word: "x" }))).toBeUndefined()
    expect(kept.of(order("b"))).toBeUndefined()
  })

  it("are evicted if there are too many, least recently used first", () => {
    const kept = createLastResults({ maxBytes: 100, sizeOf })
    const are = () => ["a", "b", "c"].filter((workflow) => kept.of(order(workflow)) !== undefined)
    kept.keep(order("a"), ofSize(40))
    kept.keep(order("b"), ofSize(40))
    kept.of(order("a"))
    kept.keep(order("c"), ofSize(40))
    expect(are()).toEqual(["a", "c"])
  })

  it("are not kept if they are too large, and also remove the previous ones", () => {
    const kept = createLastResults({ maxBytes: 100, sizeOf })
    kept.keep(order("a"), ofSize(10))
    kept.keep(order("b"), ofSize(10))
    kept.keep(order("a"), ofSize(101))
    expect(kept.of(order("a"))).toBeUndefined()
    expect(kept.of(order("b"))).toBeDefined()
  })
})
