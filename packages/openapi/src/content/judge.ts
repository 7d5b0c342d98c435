// Judges values by schemas, and text by the rules of XML. Loads the code for each on first use.

import { once } from "@callsheet/format"
import type { Direction } from "../schema/types/answers.ts"
import type { SchemaChecker } from "../schema/validate/schema-checker.ts"
import type { XmlFault } from "./xml-fault.ts"

export interface Judge {
  /** Returns the violations of the first reading, or none if any reading is valid. */
  readonly check: SchemaChecker["check"]
  readonly findXmlFault: (text: string) => XmlFault | undefined
}

/** Runs a check. Returns a promise only if code must be loaded first. */
export type RunCheck = <T extends object>(check: (judge: Judge) => T) => T | Promise<T>

/** Creates a judge of requests or, by default, of responses. */
export function createJudge(direction?: Direction): RunCheck {
  /** Loads the code that the current check turned out to need. The check is then repeated. */
  const missing = new Set<() => Promise<void>>()
  const judge: { -readonly [K in keyof Judge]: Judge[K] } = {
    check: () => {
      missing.add(loadSchemas)
      return []
    },
    findXmlFault: () => {
      missing.add(loadXml)
      return undefined
    },
  }
  const loadSchemas = once(async () => {
    const { createSchemaChecker } = await import("../schema/validate/schema-checker.ts")
    judge.check = createSchemaChecker(direction).check
  })
  const loadXml = once(async () => {
    const { findXmlFault } = await import("./xml-fault.ts")
    judge.findXmlFault = findXmlFault
  })
  const run: RunCheck = (check) => {
    const found = check(judge)
    if (missing.size === 0) return found
    const loads = [...missing].map((load) => load())
    missing.clear()
    return Promise.all(loads).then(() => run(check))
  }
  return run
}
