// Random schemas and values, judged by callsheet and by the second validator: where they differ, one of them is wrong.

import { stringifyJson } from "@callsheet/format"
import { judgeOf, type Version } from "./judge.ts"
import { chanceOf, makeData, makeSchema } from "./make-schema.ts"
import { secondOpinion } from "./second-validator.ts"

export interface Comparison {
  valid: number
  invalid: number
  readonly differences: string[]
}

const VALUES = 20

/** `count` schemas, starting with the one of a seed. */
export async function compareValidators(version: Version, seed: number, count: number): Promise<Comparison> {
  const comparison: Comparison = { valid: 0, invalid: 0, differences: [] }
  for (let number = seed; number < seed + count; number++) {
    const chance = chanceOf(number)
    const schema = makeSchema(chance)
    const { isValid, end } = await secondOpinion(schema)
    const judge = await judgeOf(version, schema)
    for (let made = 0; made < VALUES; made++) {
      const value = makeData(chance)
      const expected = isValid(value)
      const problems = await judge(value)
      comparison[expected ? "valid" : "invalid"]++
      if ((problems.length === 0) === expected) continue
      const said = expected ? `rejected: ${problems.join("; ")}` : "accepted"
      comparison.differences.push(`SEED=${number}: ${said}: ${stringifyJson(value)}`)
    }
    end()
  }
  return comparison
}
