// Runs a command and measures the whole process: wall time, CPU time and peak memory.

import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const peakProbe = fileURLToPath(new URL("peak-probe.cjs", import.meta.url))

/**
 * Matches variables that would distort the results. For example, `NODE_EXTRA_CA_CERTS` costs each Node process 55 ms.
 */
const unwanted = /^(.*_proxy|node_.*|ssl_.*|callsheet_.*)$/i

/**
 * Measures a command with Bash's `time`, because a process can't measure its own start and end. `memory` adds a probe,
 * which takes a few milliseconds. `until` matches the output after which a command that doesn't end is interrupted.
 */
export async function measure(command, { cwd, memory = false, variables = {}, until } = {}) {
  const peakFile = join(tmpdir(), `callsheet-bench-${process.pid}.peak`)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)))
  Object.assign(env, variables)
  if (memory) Object.assign(env, { NODE_OPTIONS: `--require ${peakProbe}`, CALLSHEET_BENCH_PEAK: peakFile })
  const { code, output, times } = await run(command, { cwd, env, until })
  if (code !== (until === undefined ? 0 : 130))
    throw new Error(`${command.join(" ")} ended with ${code}\n${output}`)
  const [wall, user, system] = times.trim().split(" ").map(Number)
  const peakBytes = memory ? Number(readFileSync(peakFile, "utf8")) * 1024 : undefined
  rmSync(peakFile, { force: true })
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, peakBytes }
}

function run(command, { until, ...options }) {
  // Bash's stderr must contain only the times, so the command's output goes to descriptor 1.
  // Bash catches an interrupt and prints the times.
  const script = 'trap : INT; TIMEFORMAT="%3R %3U %3S"; time "$@" 2>&1'
  const child = spawn("bash", ["-c", script, "bench", ...command], {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  return new Promise((resolve, reject) => {
    let output = ""
    let times = ""
    child.stdout.on("data", (chunk) => {
      output = (output + chunk).slice(-4000)
      if (child.pid !== undefined && until?.test(output) === true) process.kill(-child.pid, "SIGINT")
    })
    child.stderr.on("data", (chunk) => (times += chunk))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, output, times }))
  })
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
