// Words that read as translated, which no text of the project may have again: sources, docs and rendered messages.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const banned =
  /(?<!\bthere )\bis no\b(?! (?:longer|deeper|more|less)\b)|\bcame\b|\bmend(?:s|ed|ing)?\b|\banew\b|\bof which there\b|\btold\b|\bMOST_/i

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
}).split("\n")

const texts = {
  sources: files.filter(
    (path) => /^(packages|examples\/shop\/server)\/.*\.(tsx?|mjs|css|html)$/.test(path) && !isTest(path),
  ),
  "Markdown pages": files.filter((path) => path.endsWith(".md")),
  messages: files.filter((path) => /^tests\/messages\/.*\.txt$/.test(path)),
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(path)
}

describe.each(Object.entries(texts))("%s", (_, paths) => {
  it("avoid words that make a reader stumble", () => {
    expect(paths.length).toBeGreaterThan(3)
    const found = paths.flatMap((path) =>
      readFileSync(root + path, "utf8")
        .split("\n")
        .flatMap((line, index) => (banned.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )
    expect(found).toEqual([])
  })
})
