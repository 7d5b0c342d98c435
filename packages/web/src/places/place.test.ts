import { describe, expect, it } from "vitest"
import { hashOf, placeOf, type Place } from "./place.ts"

const names = ["shop", "a/b", "../..", "100%", "#?&=", "ü 👍", "{id}", "__proto__"]

const placesNamed = (name: string): readonly Place[] => [
  { kind: "api", api: name },
  { kind: "operation", api: name, method: "GET", path: `/orders/${name}` },
  { kind: "environments", api: name },
  { kind: "environment", api: name, environment: name },
  { kind: "environment-text", api: name },
  { kind: "environment-text", api: name, environment: name },
  { kind: "request", api: name, resource: name, request: name },
  { kind: "workflow", workflow: name },
  { kind: "script", workflow: name, script: name },
]

describe("a place in the address", () => {
  it("is read back as it was written, whatever its names hold", () => {
    const places: readonly Place[] = [
      { kind: "overview" },
      { kind: "problems" },
      ...names.flatMap(placesNamed),
    ]
    expect(places.map((place) => placeOf(hashOf(place)))).toEqual(places)
    expect(new Set(places.map(hashOf)).size).toBe(places.length)
  })

  it("holds a half of a character without throwing", () => {
    expect(placeOf(hashOf({ kind: "workflow", workflow: "half \ud800" }))).toEqual({
      kind: "workflow",
      workflow: "half \ufffd",
    })
  })

  it("is the overview where nothing is meant by it", () => {
    for (const hash of ["", "#", "#/", "#/nothing", "#/apis", "#/apis/", "#/%", "#link=x"]) {
      expect(placeOf(hash), hash).toEqual({ kind: "overview" })
    }
    expect(placeOf("#/apis/shop/requests/one")).toEqual({ kind: "api", api: "shop" })
  })
})
