// Asks git about the project. The project and its git configuration may be malicious, so git must not run other
// programs.

import { execFile } from "node:child_process"
import { accessSync, constants, realpathSync } from "node:fs"
import { delimiter, isAbsolute, join, sep } from "node:path"
import { isInFolder } from "@callsheet/project"

export interface GitPlace {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly deadlineMs?: number
}

const MAX_BYTES = 16 * 1024 * 1024
const DEADLINE_MS = 5_000

/** On the command line, these settings override every configuration file of the repository. */
const settings = [
  // Turn off the programs that git runs for files, keys, paging and remotes.
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.sshCommand=false",
  "core.askPass=false",
  "core.gitProxy=false",
  "core.alternateRefsCommand=true",
  "credential.helper=",
  "diff.external=",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "log.showSignature=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  // A directory in a clone may look like a bare repository. Ignore its configuration.
  "safe.bareRepository=explicit",
  "log.follow=false",
  "i18n.logOutputEncoding=UTF-8",
]

const firstWords = [
  "--no-pager",
  "--literal-pathspecs",
  "--no-optional-locks",
  "--no-replace-objects",
  ...settings.flatMap((setting) => ["-c", setting]),
]

interface GitAnswer {
  /** The exit code. Undefined if git was killed, or wrote too much. */
  readonly code: number | "no-git" | undefined
  readonly output: string
}

/** Runs a command of git in the project's root. Never rejects. */
export function askGit(words: readonly string[], place: GitPlace): Promise<GitAnswer> {
  const { root, processEnvironment, deadlineMs = DEADLINE_MS } = place
  const git = findGit(place)
  if (git === undefined) return Promise.resolve({ code: "no-git", output: "" })
  return new Promise((resolve) => {
    const child = execFile(
      git,
      [...firstWords, ...words],
      {
        cwd: root,
        env: gitEnvironment(processEnvironment),
        timeout: deadlineMs,
        killSignal: "SIGKILL",
        maxBuffer: MAX_BYTES,
        windowsHide: true,
      },
      (error, output) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : undefined
        resolve({ code, output })
      },
    )
    child.stdin?.end()
  })
}

function gitEnvironment(from: GitPlace["processEnvironment"]): Record<string, string> {
  const kept = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot", "TEMP", "TMPDIR"]
  const own = kept.flatMap((name): [string, string][] => {
    const value = from[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // In a partial clone, git would fetch missing objects, but nothing here may use the network.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_ATTR_NOSYSTEM: "1",
  }
}

/** Finds git. Ignores programs in the project, in packages, or in relative directories. */
function findGit({ root, processEnvironment }: GitPlace): string | undefined {
  const [path] = Object.entries(processEnvironment).flatMap(([name, value]) =>
    name.toUpperCase() === "PATH" && value !== undefined ? [value] : [],
  )
  for (const folder of (path ?? "").split(delimiter)) {
    // npm adds the `node_modules/.bin` of every parent directory to the path.
    if (!isAbsolute(folder) || /[\\/]node_modules(?:[\\/]|$)/.test(folder)) continue
    const file = join(folder, sep === "\\" ? "git.exe" : "git")
    if (isExecutable(file) && !isInFolder(realpathSync(root), realpathSync(file))) return file
  }
  return undefined
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
