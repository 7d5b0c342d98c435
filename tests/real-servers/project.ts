// A copy of one of this directory's projects in a separate directory, and the command run in it as a user would run it.

import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { BlockReport, Report, RunReport } from "@callsheet/format"

const here = fileURLToPath(new URL(".", import.meta.url))
const command = fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url))

export interface TestProject {
  readonly write: (path: string, content: string) => void
  readonly run: (...parameters: readonly string[]) => Promise<Outcome>
  /** Returns the errors of `validate`, without its warnings. */
  readonly errors: () => readonly string[]
  readonly remove: () => void
}

interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** The report of the only workflow that was run. */
  readonly report: RunReport
}

export function copyProject(name: "todo" | "figma"): TestProject {
  const folder = mkdtempSync(join(tmpdir(), `callsheet-${name}-`))
  cpSync(join(here, name), folder, { recursive: true })
  return {
    write: (path, content) => writeFileSync(join(folder, path), content),
    run: (...parameters) => runCommand(folder, ["run", "--reporter", "json", ...parameters]),
    errors: () => {
      const words = [command, "validate", "--quiet"]
      const { status, stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" })
      return status === 0 ? [] : stdout.split("\n")
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function runCommand(folder: string, parameters: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [command, ...parameters], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (exitCode) => {
      try {
        const [report] = (JSON.parse(stdout) as Report).runs
        if (report === undefined) throw new Error("the report has no run")
        resolve({ exitCode, stdout, stderr, report })
      } catch (cause) {
        reject(new Error(`callsheet exited with ${exitCode} and no report\n${stderr}\n${stdout}`, { cause }))
      }
    })
  })
}

/** Failures, outermost first, as `id: code`, and contract violations as `id: path message`. */
export function findings(report: RunReport): readonly string[] {
  return allBlocks(report.blocks).flatMap((block) => [
    ...(block.error === undefined ? [] : [`${block.id}: ${block.error.code}`]),
    ...(block.contract?.problems ?? []).map(({ path, message }) => `${block.id}: ${path} ${message}`),
  ])
}

/** Every block of a report, containers before their content. */
export function allBlocks(blocks: readonly BlockReport[]): readonly BlockReport[] {
  return blocks.flatMap((block) => [
    block,
    ...allBlocks(block.blocks ?? []),
    ...(block.iterations ?? []).flatMap((iteration) => allBlocks(iteration.blocks)),
  ])
}
