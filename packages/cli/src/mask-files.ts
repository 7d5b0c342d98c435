// Masks secrets in output about files, outside a run. Loads the engine's masker only if it is needed.

import {
  keepReplacement,
  knownSecrets,
  maskProblem,
  type EnvironmentFiles,
  type Problem,
  type ProcessEnvironment,
} from "@callsheet/format"

/** Returns a function that masks known secrets. It masks short secrets only as whole values in quotes. */
export async function maskOf(
  files: readonly EnvironmentFiles[],
  process: ProcessEnvironment,
): Promise<(text: string) => string> {
  const secrets = files.flatMap((each) => knownSecrets(each, process).map(({ value }) => value))
  if (secrets.length === 0) return (text) => text
  const { ANYWHERE_FROM, createMasker, MASK } = await import("@callsheet/engine")
  const { text: mask } = createMasker(secrets)
  const short = secrets.filter(({ length }) => length < ANYWHERE_FROM).map((value) => JSON.stringify(value))
  return (text) =>
    short.reduce((masked, quoted) => masked.replaceAll(quoted, JSON.stringify(MASK)), mask(text))
}

export async function maskProblems(
  problems: readonly Problem[],
  files: readonly EnvironmentFiles[],
  process: ProcessEnvironment,
): Promise<readonly Problem[]> {
  return problems.length === 0 ? problems : problems.map(await problemMask(files, process))
}

/** Returns a function that masks known secrets in a problem. */
export async function problemMask(
  files: readonly EnvironmentFiles[],
  process: ProcessEnvironment,
): Promise<(problem: Problem) => Problem> {
  const text = await maskOf(files, process)
  return (problem) => keepReplacement(problem, maskProblem(problem, { text }), text)
}
