// The first values of a new assertion. They come from the nearest request before it.

import { useContext } from "react"
import { traitsOf, type JsonValue } from "@callsheet/format"
import { visibleNames } from "./completion/roots.ts"
import { ReadingContext } from "./completion/use-suggest.ts"

/** Returns a path into the result of the nearest request before the block. Undefined if there is none. */
export function useRequestBefore(part: string): () => string | undefined {
  const reading = useContext(ReadingContext)
  return () => {
    const { result } = visibleNames(reading?.workflow?.value, reading?.pointer ?? [])
    const request = result.find(
      (name) => name.is === "result" && traitsOf(name.block["type"])?.result === "response",
    )
    return request === undefined ? undefined : `${request.name}.${part}`
  }
}

export function useNewAssertion(): () => JsonValue {
  const before = useRequestBefore("response.status")
  return () => {
    const source = before()
    return source === undefined
      ? { source: "", operator: "exists" }
      : { source, operator: "equals", value: 200 }
  }
}
