// Finds values that stay in git history after a change. The project and its git configuration may be malicious, so git
// must not run other programs.

import { execFile } from "node:child_process"
import { accessSync, constants, realpathSync } from "node:fs"
import { delimiter, isAbsolute, join, sep } from "node:path"
import { isInFolder, type PlannedSchemaChange } from "@callsheet/project"
import type { Masker } from "../secrets/secrets-masker.ts"
import { historyReasons, notes } from "../messages.ts"

interface Commit {
  readonly hash: string
  readonly date: string
  /** The subject of a commit is untrusted, because anyone who commits can choose it. */
  readonly subject: string
}

export type FoundCommits =
  | { readonly is: "commits"; readonly commits: readonly Commit[]; readonly isAll: boolean }
  | { readonly is: "no-git" | "no-repository" | "no-answer" }

interface GitPlace {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly deadlineMs?: number
}

const MAX_COMMITS = 1000
const MAX_BYTES = 1024 * 1024
const DEADLINE_MS = 5_000

/** Finds the commits that touched one of the files, on all branches, newest first. `files` are relative to the root. */
export async function commitsOf(files: readonly string[], place: GitPlace): Promise<FoundCommits> {
  const git = findGit(place)
  if (git === undefined) return { is: "no-git" }
  const answer = await ask(git, [...logArguments, "--", ...files], place)
  if (answer.code === 128) return { is: "no-repository" }
  if (answer.code !== 0) return { is: "no-answer" }
  const commits = answer.output.split("\0").flatMap(readCommit)
  return { is: "commits", commits, isAll: commits.length < MAX_COMMITS }
}

/** Returns the files under version control, even those in `.gitignore`. Returns none if git fails. */
async function trackedOf(files: readonly string[], place: GitPlace): Promise<readonly string[]> {
  const git = findGit(place)
  if (git === undefined || files.length === 0) return []
  const words = [...firstWords, "ls-files", "--cached", "-z", "--", ...files]
  const { code, output } = await ask(git, words, place)
  const known = new Set(code === 0 ? output.split("\0") : [])
  return files.filter((file) => known.has(file))
}

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

const logArguments = [
  ...firstWords,
  "log",
  "--all",
  "--full-history",
  `--max-count=${MAX_COMMITS}`,
  "-z",
  "--format=%h%x09%cs%x09%s",
  "--no-show-signature",
  "--no-ext-diff",
  "--no-textconv",
  "--no-patch",
  "--no-notes",
  "--no-decorate",
  "--no-mailmap",
  "--no-color",
  "--ignore-submodules=all",
]

function ask(
  git: string,
  words: readonly string[],
  { root, processEnvironment, deadlineMs = DEADLINE_MS }: GitPlace,
): Promise<{ readonly code: number | undefined; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      git,
      words,
      {
        cwd: root,
        env: gitEnvironment(processEnvironment),
        timeout: deadlineMs,
        killSignal: "SIGKILL",
        maxBuffer: MAX_BYTES,
        windowsHide: true,
      },
      (error, output) => {
        // Without an exit code, git was killed or wrote too much.
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

function readCommit(line: string): readonly Commit[] {
  const [hash = "", date = "", ...subject] = line.split("\t")
  if (!/^[0-9a-f]{4,64}$/.test(hash) || !/^\d{4}-\d\d-\d\d$/.test(date)) return []
  return [{ hash, date, subject: subject.join("\t") }]
}

const MAX_SHOWN = 20
const LONGEST_SUBJECT = 100

export async function historyNotes(
  { exposed, edits, masker }: Pick<PlannedSchemaChange, "exposed" | "edits"> & { readonly masker: Masker },
  place: GitPlace,
): Promise<readonly string[]> {
  if (exposed.length === 0) return []
  const found = await commitsOf(exposed, place)
  const secretsFiles = edits.flatMap(({ file, isSecret }) => (isSecret ? [file] : []))
  const tracked = await trackedOf(secretsFiles, place)
  const files = exposed.length > 3 ? `${exposed.slice(0, 3).join(", ")}, …` : exposed.join(", ")
  return [
    `${notes.history.moved(files)} ${because(found)}`,
    ...commitNotes(found, masker),
    ...tracked.map(notes.history.tracked),
  ]
}

function because(found: FoundCommits): string {
  if (found.is !== "commits") return notes.history.unknown(historyReasons[found.is])
  return found.commits.length === 0 ? notes.history.noCommits() : notes.history.replace()
}

function commitNotes(found: FoundCommits, masker: Masker): readonly string[] {
  if (found.is !== "commits") return []
  const shown = found.commits
    .slice(0, MAX_SHOWN)
    .map(({ hash, date, subject }) => notes.history.commit(hash, date, printable(subject, masker)))
  const more = found.commits.length - MAX_SHOWN
  return more > 0 ? [...shown, notes.history.moreCommits(more, found.isAll)] : shown
}

/** Mask before cutting, because half a secret can't be recognized. */
function printable(subject: string, masker: Masker): string {
  const masked = masker.text(subject)
  const plain = masked.replace(/[\p{C}\u2028\u2029]/gu, "\ufffd")
  const short = Array.from(plain).slice(0, LONGEST_SUBJECT).join("")
  return JSON.stringify(short === plain ? short : `${short}…`)
}
