import { expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { bigIntegersIn } from "./generated.ts"

const big = 9007199254740993n

it.each<[JsonValue, readonly string[]]>([
  [big, [""]],
  [null, []],
  [{ id: big, "a/b~": { id: 1, more: [0, big] } }, ["/id", "/a~1b~0/more/1"]],
  [{ id: 1, list: [{}, [], "9007199254740993"] }, []],
])("finds the integers beyond 2^53 in value %#", (value, pointers) => {
  expect([...bigIntegersIn(value)].sort()).toEqual([...pointers].sort())
})
