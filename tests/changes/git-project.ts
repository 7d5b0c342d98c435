// A project in a git repository, with changes since its commit.

import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { createFolder, writeFiles, type Files } from "../harness/callsheet.ts"

const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]

export function git(folder: string, ...words: readonly string[]): string {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" }
  return execFileSync("git", [...identity, ...words], { cwd: folder, env, encoding: "utf8", stdio: "pipe" })
}

function commit(folder: string): string {
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--message", "Something")
  return git(folder, "rev-parse", "HEAD").trim()
}

/** Creates a directory that is removed after the test. */
export async function createTestFolder(files: Files): Promise<string> {
  const folder = await createFolder(files)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a repository with one commit on the branch `main`. */
export async function createRepository(files: Files): Promise<string> {
  const folder = await createTestFolder(files)
  git(folder, "init", "--quiet", "--initial-branch=main")
  commit(folder)
  return folder
}

/** Writes files. Removes those whose content is undefined. */
export async function change(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) await rm(join(folder, path))
    else await writeFiles(folder, { [path]: content })
  }
}
