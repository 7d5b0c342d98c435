// Commits the files of a test project, as a person does.

import { execFileSync } from "node:child_process"

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgSign=false"]

export const git = (folder: string, ...words: readonly string[]): void =>
  void execFileSync("git", [...identity, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "ignore",
  })

/** Commits everything but secrets. Creates the repository if there is none. */
export function commit(folder: string): void {
  git(folder, "init")
  git(folder, "add", "--all", "--", ".", ":!*.secrets.env")
  git(folder, "commit", "--message", "Something")
}
