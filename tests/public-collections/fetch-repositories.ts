// Fetches the files that collections.ts names, by git, each repository at its commit. Once, until the commit changes.

import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { collections, commits } from "./collections.ts"

const cache = fileURLToPath(new URL("../../node_modules/.cache/public-collections", import.meta.url))

export const pathIn = (repository: string, path: string): string =>
  join(cache, repository.replace("/", "+"), path)

export default function fetchRepositories(): void {
  for (const [repository, commit] of Object.entries(commits)) {
    const folder = pathIn(repository, "")
    const done = join(folder, `.git/fetched-${commit}`)
    if (existsSync(done)) continue
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const git = (...words: readonly string[]): void =>
      void execFileSync("git", words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
    git("init", "--quiet")
    git("remote", "add", "origin", `https://github.com/${repository}`)
    // The files themselves are fetched when they are checked out.
    git("fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", commit)
    git("checkout", "--quiet", commit, "--", ...pathsIn(repository))
    writeFileSync(done, "")
  }
}

function pathsIn(repository: string): readonly string[] {
  const paths = collections.flatMap((one) => [
    ...(one.repository === repository ? [one.source, ...(one.environments ?? [])] : []),
    ...(one.document !== undefined && (one.documentRepository ?? one.repository) === repository
      ? [one.document]
      : []),
  ])
  return paths.map((path) => (path === "" ? "." : path))
}
