// Proof: `callsheet validate` finishes whatever the files contain, and keeps every byte of them.

import { mkdir, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { callsheet } from "../harness/callsheet.ts"
import { InputChecker } from "./check-input.ts"
import type { CorpusFile } from "./corpus.ts"
import type { Proof } from "./endurance.ts"
import { differences, readTree } from "./file-tree.ts"
import { twoAtATime } from "./pool.ts"

const FILES_PER_PROJECT = 200
const MAX_MS = 60_000

interface Sample {
  readonly first: number
  readonly count: number
}

/** Writes the first inputs into projects of many files each, and runs the built `validate` on them. */
export async function proveValidate(
  { seed, root, folder, print }: Proof,
  { first, count }: Sample,
): Promise<readonly string[]> {
  const checker = new InputChecker(root, seed)
  const starts = Array.from(
    { length: Math.ceil(count / FILES_PER_PROJECT) },
    (_, at) => at * FILES_PER_PROJECT,
  )
  const violations: string[] = []
  let found = 0
  await twoAtATime(starts, async (start) => {
    const own = join(folder, `validate-${start}`)
    const indexes = Array.from(
      { length: Math.min(FILES_PER_PROJECT, count - start) },
      (_, at) => first + start + at,
    )
    const result = await validateInputs({ checker, indexes, folder: own })
    found += result.problems
    const [from, to] = [indexes[0], indexes.at(-1)]
    violations.push(
      ...result.violations.map((what) => `validate of inputs ${from} to ${to}: ${what} (--seed ${seed})`),
    )
    await rm(own, { recursive: true, force: true })
  })
  print(`  validate: ${count} files in ${starts.length} projects, ${found} problems, no byte changed`)
  return violations
}

interface Batch {
  readonly checker: InputChecker
  readonly indexes: readonly number[]
  readonly folder: string
}

async function validateInputs({ checker, indexes, folder }: Batch) {
  for (const index of indexes) {
    const { file, bytes } = checker.make(index)
    const path = join(folder, placeFor(file, index))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  const before = await readTree(folder)
  const { exitCode, stdout, stderr } = await callsheet(["validate", "--json"], { folder, timeoutMs: MAX_MS })
  const changed = differences(before, await readTree(folder))
  const violations = changed.length === 0 ? [] : [`files have changed: ${changed.join(", ")}`]
  // 1: it found problems, as it should.
  if (exitCode !== 1 && exitCode !== 0) {
    return { problems: 0, violations: [...violations, `ended with ${exitCode}: ${stderr.slice(0, 500)}`] }
  }
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly unknown[] }
  return { problems: problems.length, violations }
}

/** Each in a separate API, so that one does not hide the other, and all workflows in one. */
function placeFor({ kind, path }: CorpusFile, index: number): string {
  const api = `apis/a${index}`
  switch (kind) {
    case "workflow":
      return `apis/workflow/w${index}.json`
    case "request":
      return `${api}/requests/things/${basename(path)}`
    case "openapi.json":
    case "openapi.yaml":
      return `${api}/${basename(path)}`
    case "schema":
    case "values":
    case "secrets":
      return `${api}/environments/${basename(path)}`
  }
}
