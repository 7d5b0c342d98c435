// Asks git about the project. The project and its git configuration may be malicious, so git must not run other
// programs.

import { ownOf } from "@callsheet/format"
import { findProgram, type ProgramPlace } from "./find-program.ts"
import { readProgram } from "./start-program.ts"

export interface GitPlace extends ProgramPlace {
  /** The directory to ask in. By default, the project's root. */
  readonly cwd?: string
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

/** Runs a command of git, and returns what it printed as text. Never rejects. */
export async function askGit(words: readonly string[], place: GitPlace): Promise<GitAnswer> {
  const { code, output } = await readGit(words, place)
  return { code, output: output.toString() }
}

interface GitInput {
  /** The content of standard input. */
  readonly input?: string
  readonly maxBytes?: number
}

/** Runs a command of git, and returns the bytes that it printed. Never rejects. */
export async function readGit(
  words: readonly string[],
  place: GitPlace,
  { input, maxBytes = MAX_BYTES }: GitInput = {},
): Promise<Omit<GitAnswer, "output"> & { readonly output: Buffer }> {
  const { root, cwd = root, processEnvironment, deadlineMs = DEADLINE_MS } = place
  const { program } = findProgram("git", place)
  if (program === undefined) return { code: "no-git", output: Buffer.alloc(0) }
  const { exitCode, output } = await readProgram(program, [...firstWords, ...words], {
    cwd,
    environment: gitEnvironment(processEnvironment),
    timeoutMs: deadlineMs,
    maxBytes,
    input,
  })
  return { code: exitCode, output }
}

function gitEnvironment(from: GitPlace["processEnvironment"]): Record<string, string> {
  const kept = ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "USERPROFILE", "SystemRoot", "TEMP", "TMPDIR"]
  const own = kept.flatMap((name): [string, string][] => {
    const value = ownOf(from, name)
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
