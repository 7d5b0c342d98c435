// Finds secrets files that git tracks, or would add. Asks git only if a file is in a repository.

import { existsSync, realpathSync } from "node:fs"
import * as system from "node:path"
import { basename, dirname, join, relative, sep } from "node:path"
import {
  attempt,
  findRepository,
  getOrCreate,
  shellWordFor,
  toProblem,
  isWithin,
  wayBetween,
  type Problem,
} from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { ProgramPlace } from "./find-program.ts"
import { isSurelyHidden } from "./surely-hidden.ts"

interface Repository {
  /** The directory with `.git`. */
  readonly top: string
  /** The files from the project's root, by their path from `top`. */
  readonly files: Map<string, string>
}

/** The last rule about a file. It either ignores the file, or excepts it from earlier rules. */
interface Rule {
  readonly source: string
  readonly line: string
  readonly pattern: string
}

/** The maximum number of paths in one question, because systems limit the length of a command. */
const MAX_PATHS = 200

/** The maximum number of problems. Explaining one takes another question. */
const MAX_PROBLEMS = 20

/**
 * Returns a problem for each file that git tracks or doesn't ignore. `files` are relative to the project's root. Without
 * git, or if it doesn't answer, returns none.
 */
export async function findExposedSecrets(
  files: readonly string[],
  place: ProgramPlace,
): Promise<readonly Problem[]> {
  const found = await Promise.all(
    repositoriesOf(files, place.root).map((repository) => findIn(repository, place)),
  )
  return found.flat()
}

/** Groups the files by the innermost repository. A link is followed, because its target has the secrets. */
function repositoriesOf(files: readonly string[], root: string): readonly Repository[] {
  const repositories = new Map<string, Repository>()
  for (const file of files) {
    const real = attempt(() => realpathSync(join(root, file)))
    const top = real === undefined ? undefined : findRepository(system, dirname(real), existsSync)
    if (real === undefined || top === undefined || isSurelyHidden(top, real)) continue
    const path = wayBetween(system, top, real)
    getOrCreate(repositories, top, () => ({ top, files: new Map<string, string>() })).files.set(path, file)
  }
  return [...repositories.values()]
}

async function findIn({ top, files }: Repository, place: ProgramPlace): Promise<readonly Problem[]> {
  const paths = [...files.keys()]
  const at = { ...place, cwd: top }
  const { askGit } = await import("./ask-git.ts")
  const problems: Problem[] = []
  for (let from = 0; from < paths.length; from += MAX_PATHS) {
    const words = ["ls-files", "-t", "-z", "--cached", "--others", "--exclude-standard", "--"]
    const { code, output } = await askGit([...words, ...paths.slice(from, from + MAX_PATHS)], at)
    if (code !== 0) return problems
    // Such as `H tracked.env` and `? new.env`. A file of an unfinished merge is listed several times.
    const tags = new Map(output.split("\0").map((entry) => [entry.slice(2), entry.slice(0, 1)]))
    for (const [path, tag] of tags) {
      const file = files.get(path)
      if (file === undefined || problems.length === MAX_PROBLEMS) continue
      // The command refuses literal paths, but takes this form literally.
      const asked = ["--no-literal-pathspecs", "check-ignore", "-v", "--no-index", "--", `./${path}`]
      const rule = ruleOf((await askGit(asked, at)).output)
      problems.push(problemOf({ file, path, top, rule, isTracked: tag !== "?" }, place))
    }
  }
  return problems
}

/** Reads `<source>:<line>:<pattern>\t<path>`. */
function ruleOf(output: string): Rule | undefined {
  const [, source, line, pattern] = /^(.+?):([0-9]+):(.*?)\t/s.exec(output) ?? []
  return source === undefined || line === undefined || pattern === undefined
    ? undefined
    : { source, line, pattern }
}

interface Exposure {
  readonly file: string
  readonly path: string
  readonly top: string
  readonly rule: Rule | undefined
  readonly isTracked: boolean
}

function problemOf({ file, path, top, rule, isTracked }: Exposure, place: ProgramPlace): Problem {
  const root = attempt(() => realpathSync(place.root)) ?? place.root
  const exception = rule?.pattern.startsWith("!") === true ? rule : undefined
  // The target of a link has a name of its own.
  const line = path.endsWith(".secrets.env") ? "*.secrets.env" : basename(path)
  const isIgnored = rule !== undefined && exception === undefined
  const ignore =
    exception === undefined
      ? { file: shownPath(top, join(isWithin(root, top, system) ? top : root, ".gitignore")), add: line }
      : { file: `${exception.source}:${exception.line}`, remove: exception.pattern }
  const finding = isTracked
    ? messages["secrets-tracked"].tracked(removal(top, path), isIgnored ? undefined : ignore)
    : messages["secrets-unignored"].unignored(ignore)
  return toProblem(finding, file)
}

/** Returns the working directory, from which a user called callsheet, if it is in the repository. */
function cwdIn(top: string): string | undefined {
  const cwd = attempt(() => realpathSync(process.cwd()))
  return cwd !== undefined && isWithin(top, cwd, system) ? cwd : undefined
}

function removal(top: string, path: string): string {
  const cwd = cwdIn(top)
  return cwd === undefined
    ? `git -C ${word(top)} rm --cached -- ${word(path)}`
    : `git rm --cached -- ${word(relative(cwd, join(top, path)))}`
}

const word = (text: string): string => shellWordFor(text, sep === "\\")

function shownPath(top: string, path: string): string {
  const cwd = cwdIn(top)
  return word(cwd === undefined ? path : relative(cwd, path))
}
