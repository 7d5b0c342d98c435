// Reads a directory of results with Allure's own reader.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { allure2 } from "@allurereport/reader"
import {
  PathResultFile,
  type RawGlobals,
  type RawMetadata,
  type RawStep,
  type RawTestResult,
  type ResultsVisitor,
} from "@allurereport/reader-api"
import { expect } from "vitest"

export async function readAllure(folder: string) {
  const results: RawTestResult[] = []
  const attached = new Map<string, string>()
  const globals: RawGlobals[] = []
  const metadata: RawMetadata[] = []
  const refuse = () => Promise.reject(new Error("not a result of callsheet"))
  const visitor: ResultsVisitor = {
    visitTestResult: async (result) => void results.push(result),
    visitAttachmentFile: async (file) => {
      const name = file.getOriginalFileName()
      attached.set(name, readFileSync(join(folder, name), "utf8"))
    },
    visitGlobals: async (found) => void globals.push(found),
    visitMetadata: async (found) => void metadata.push(found),
    visitCheckResult: refuse,
    visitMetrics: refuse,
    visitTestFixtureResult: refuse,
  }
  for (const name of readdirSync(folder)) {
    const file = new PathResultFile(join(folder, name))
    expect(await allure2.matches?.(file), name).toBe(true)
    expect(await allure2.read(visitor, file), name).toBe(true)
  }
  results.sort((one, other) => (one.start ?? 0) - (other.start ?? 0))
  // Each attachment of a step is there.
  const steps = results.flatMap((result) => result.steps ?? [])
  for (let step = steps.pop(); step !== undefined; step = steps.pop())
    if (step.type === "step") steps.push(...(step.steps ?? []))
    else expect(attached.has(step.originalFileName ?? ""), step.name).toBe(true)
  return { results, attached, globals, metadata }
}

/** Returns `name status` of each step, indented by its depth, and the names of attachments. */
export const outlineOf = (steps: readonly RawStep[] = [], indent = ""): string[] =>
  steps.flatMap((step) =>
    step.type === "attachment"
      ? [`${indent}+ ${step.name}`]
      : [`${indent}${step.name} ${step.status}`, ...outlineOf(step.steps, `${indent}  `)],
  )
