// Updates a script's imports after a script was renamed. Uses no parser: changes any path after `from`, `import` or
// `require`, even in a comment, and reports other quoted paths.

import { createLineFinder, joinPath, toProblem, type Problem } from "@callsheet/format"
import { messages } from "../messages.ts"

interface ScriptText {
  /** The path from the project root, like all paths here. */
  readonly file: string
  readonly text: string
}

interface MovedScript {
  readonly from: string
  readonly to: string
  /** All existing scripts. They decide whether `./a` is `a.ts` or `a/index.ts`. */
  readonly known: ReadonlySet<string>
}

const quotedPath =
  /(?<before>(?<![\w$.])(?:(?:from|import)\s*|(?:import|require)\s*\(\s*))?(?<quote>["'`])(?<path>\.{1,2}(?:\/[^"'`\\\r\n]{0,1000})?)\k<quote>/g

/** Updates imports of the renamed script. In the renamed script itself, updates relative imports of others. */
export function fixImports({ file, text }: ScriptText, moved: MovedScript) {
  const warnings: Problem[] = []
  let place: ReturnType<typeof createLineFinder> | undefined
  const fixed = text.replace(quotedPath, (found: string, ...rest: unknown[]) => {
    const { before, quote = "", path = "" } = rest.at(-1) as Partial<Record<string, string>>
    const next = path.includes("${") ? path : fixedPath(file, path, moved)
    if (next === path) return found
    if (before !== undefined) return before + quoted(next, quote)
    // "." and ".." are rarely paths.
    if (!path.includes("/")) return found
    place ??= createLineFinder(text)
    const at = place(rest.at(-3) as number)
    warnings.push({ ...toProblem(messages["script-missing"].otherPath(path), file), ...at })
    return found
  })
  return { text: fixed, warnings }
}

/** Updates the imports in all scripts. `moved` is the new text of the renamed script, if it is among them. */
export function fixAllImports(
  scripts: Iterable<ScriptText>,
  { from, to }: Pick<MovedScript, "from" | "to">,
  known: ReadonlySet<string>,
) {
  let moved: string | undefined
  const texts: { readonly file: string; readonly before: string; readonly after: string }[] = []
  const warnings: Problem[] = []
  for (const script of scripts) {
    const fixed = fixImports(script, { from, to, known })
    warnings.push(...fixed.warnings)
    if (script.file === from) moved = fixed.text
    else if (fixed.text !== script.text)
      texts.push({ file: script.file, before: script.text, after: fixed.text })
  }
  return { moved, texts, warnings }
}

/** Returns the scripts that a script imports by relative paths. */
export function importedScripts({ file, text }: ScriptText, known: ReadonlySet<string>): ReadonlySet<string> {
  const found = [...text.matchAll(quotedPath)].flatMap(({ groups }) =>
    groups?.["before"] === undefined ? [] : (targetOf(file, groups["path"] ?? "", known) ?? []),
  )
  return new Set(found)
}

const targetOf = (file: string, path: string, known: ReadonlySet<string>): string | undefined =>
  candidatesOf(joinPath(file, path.replace(/[?#].*$/, "")) ?? "").find((candidate) => known.has(candidate))

function fixedPath(file: string, path: string, moved: MovedScript): string {
  const [, plain = "", suffix = ""] = /^([^?#]*)(.*)$/.exec(path) ?? []
  const [oldFolder, newFolder] = [folderOf(file), folderOf(file === moved.from ? moved.to : file)]
  const wanted = joinPath(file, plain)
  const isToMoved = targetOf(file, path, moved.known) === moved.from
  if (wanted === undefined || (!isToMoved && oldFolder === newFolder)) return path
  const target = isToMoved ? writtenAs(moved.to, plain) : wanted
  return relativePath(newFolder, target) + suffix
}

/**
 * Returns the files that a path may refer to. `./x`, `./x.ts` and `./x.js` may be `x.ts`, and a directory is its
 * `index.ts`.
 */
const candidatesOf = (path: string): readonly string[] => [
  path,
  path.replace(/\.js$/, ".ts"),
  `${path}.ts`,
  `${path}/index.ts`,
]

function writtenAs(file: string, path: string): string {
  if (path.endsWith(".ts")) return file
  return file.replace(/\.ts$/, path.endsWith(".js") ? ".js" : "")
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"))

const quoted = (path: string, quote: string): string =>
  path.includes(quote) || path.includes("${") ? JSON.stringify(path) : quote + path + quote

function relativePath(folder: string, file: string): string {
  const [from, to] = [folder.split("/"), file.split("/")]
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  const up = from.slice(same).map(() => "..")
  return [...(up.length === 0 ? ["."] : up), ...to.slice(same)].join("/")
}
