// Replaces `docker run`: runs the command in the working directory of the options, or in the directory that is mounted
// as `/project`, with only the variables that they pass. Appends its arguments to the file `DOCKER_LOG`.

import { spawnSync } from "node:child_process"
import { appendFileSync } from "node:fs"

const [, , ...words] = process.argv
const { DOCKER_LOG, CALLSHEET_PROGRAM, PATH } = process.env
if (DOCKER_LOG !== undefined) appendFileSync(DOCKER_LOG, `${JSON.stringify(words)}\n`)
const at = words.findIndex((word) => word.startsWith("ghcr.io/"))
const valuesOf = (name) => words.slice(0, at).filter((_, index) => words[index - 1] === name)
const project = valuesOf("--volume").find((volume) => volume.endsWith(":/project"))
const passed = valuesOf("--env").map((name) => [name, process.env[name]])
const { status } = spawnSync(process.execPath, [CALLSHEET_PROGRAM, ...words.slice(at + 1)], {
  cwd: valuesOf("--workdir")[0] ?? project.replace(/:\/project$/, ""),
  env: { PATH, ...Object.fromEntries(passed) },
  stdio: "inherit",
})
process.exitCode = status
