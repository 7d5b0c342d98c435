// What Node writes of a process that crashes: nothing of what the process was handed.

type Environment = Record<string, string | undefined>

/**
 * The environment as it was handed in. What it holds for variables is no longer the process's own afterwards: neither
 * a diagnostic report of Node lists it, nor does a process inherit it that is started later.
 */
export function takeEnvironment({ env }: { readonly env: Environment }): Readonly<Environment> {
  const names = Object.keys(env).filter((name) => name.toUpperCase().startsWith("CALLSHEET_VAR_"))
  if (names.length === 0) return env
  const taken = { ...env }
  for (const name of names) delete env[name]
  return taken
}

/** Turns diagnostic reports off that options of Node have turned on: they hold the environment and what was thrown. */
export function turnReportsOff(process: NodeJS.Process): void {
  // Looked at first: reports are loaded by asking for them.
  if (!/report/.test(`${process.env["NODE_OPTIONS"] ?? ""} ${process.execArgv.join(" ")}`)) return
  process.report.reportOnFatalError = false
  process.report.reportOnUncaughtException = false
  process.report.reportOnSignal = false
}
