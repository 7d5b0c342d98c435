// A new assertion that says something already: of the status of the closest request before it.

import { useContext } from "react"
import type { JsonValue } from "@callsheet/format"
import { ReadingContext } from "./completion/use-suggest.ts"
import { scopeOf } from "./completion/scope.ts"

export function useNewAssertion(): () => JsonValue {
  const reading = useContext(ReadingContext)
  return () => {
    const { names } = scopeOf(reading?.workflow?.value, reading?.pointer ?? [])
    const request = names.find((name) => name.is === "result" && name.block["type"] === "request")
    if (request === undefined) return { source: "", operator: "exists" }
    return { source: `${request.name}.response.status`, operator: "equals", value: 200 }
  }
}
