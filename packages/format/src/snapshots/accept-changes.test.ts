import { describe, expect, it } from "vitest"
import type { JsonValue } from "../json/value.ts"
import { acceptChanges, differenceKey } from "./accept-changes.ts"
import { compareSnapshot } from "./compare-snapshot.ts"
import type { Snapshot } from "./snapshot-file.ts"

const rules = { described: undefined, ignore: [] }
const snapshot = (body: JsonValue, more: Partial<Snapshot> = {}): Snapshot => ({
  version: 1,
  status: 200,
  body,
  ...more,
})
const keysIn = (stored: Snapshot, received: Snapshot) =>
  [...compareSnapshot(stored, received, rules)].map(differenceKey)
const accept = (stored: Snapshot, received: Snapshot, keys?: readonly string[], asNoise = false) =>
  acceptChanges(stored, received, { rules, accepts: keys && ((key) => keys.includes(key)), asNoise })

describe("accepting differences of a snapshot", () => {
  const stored = snapshot(
    {
      total: 10,
      name: "A",
      old: 1,
      items: [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ],
      more: [{ id: 5, n: 5 }],
    },
    { noise: ["/body/name"] },
  )
  const received = snapshot(
    {
      total: 11,
      name: "B",
      new: true,
      items: [{ id: 2, n: 5 }],
      more: [
        { id: 9, n: 9 },
        { id: 5, n: 6 },
      ],
    },
    { status: 201 },
  )

  it("stores the whole response if all are accepted, and keeps learned noise", () => {
    expect(accept(stored, received)).toEqual({ ...received, noise: ["/body/name"] })
  })

  it("stores only what is accepted, and leaves the others as differences", () => {
    const all = keysIn(stored, received)
    expect(all).toEqual([
      "/status",
      "/body/total",
      "/body/old",
      "/body/items/0",
      "/body/items/1/n",
      "/body/more/0/n",
      "+/body/more/0",
      "+/body/new",
    ])
    for (const key of all) {
      const next = accept(stored, received, [key])
      expect(keysIn(next, received), key).toHaveLength(all.length - 1)
      expect(next.noise).toEqual(["/body/name"])
    }
    const body = accept(stored, received, all.slice(1))
    expect(keysIn(body, received)).toEqual(["/status"])
    expect(body.body).toEqual({
      total: 11,
      name: "A",
      items: [{ id: 2, n: 5 }],
      more: [
        { id: 9, n: 9 },
        { id: 5, n: 6 },
      ],
      new: true,
    })
  })

  it("learns noise where only the value differs, as an update does", () => {
    expect(accept(stored, received, ["/body/total", "/body/old"], true).noise).toEqual([
      "/body/name",
      "/body/total",
    ])
    expect(accept(snapshot({ a: 1, b: "x" }), snapshot({ a: 2, b: 3 }), undefined, true)).toEqual(
      snapshot({ a: 2, b: 3 }, { noise: ["/body/a"] }),
    )
  })

  it("accepts another kind of body, and names that only look like others", () => {
    expect(accept(snapshot("text"), snapshot({ a: 1 }), ["/body"]).body).toEqual({ a: 1 })
    const one = snapshot({ "a/b": 1, a: { b: 1 }, ["__proto__"]: 1 })
    const other = snapshot({ "a/b": 2, a: { b: 2 } })
    expect(accept(one, other, ["/body/a~1b"]).body).toEqual({ ...(one.body as object), "a/b": 2 })
  })
})
