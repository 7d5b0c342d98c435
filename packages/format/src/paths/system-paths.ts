// Relates paths of the system that callsheet runs on to paths in a project, which have `/`. Callers pass `node:path`.
// Tests also pass `path.win32`.

/** The part of `node:path` that these functions use. */
export interface PathRules {
  readonly sep: string
  readonly relative: (from: string, to: string) => string
  readonly resolve: (...paths: string[]) => string
  readonly isAbsolute: (path: string) => boolean
  readonly normalize: (path: string) => string
}

/**
 * Returns the absolute path of a directory that a user named. On Windows, this may be in the long form, such as
 * `\\?\C:\shop`, in which Node can't resolve links.
 */
export const givenPath = (
  { sep, resolve }: Pick<PathRules, "sep" | "resolve">,
  from: string,
  given: string,
): string => resolve(from, sep === "\\" ? withoutLongForm(given) : given)

const withoutLongForm = (path: string): string =>
  path.replace(/^[\\/]{2}[?.][\\/](?:UNC[\\/]|(?=[A-Z]:))/i, (start) => (/UNC/i.test(start) ? "\\\\" : ""))

/** Writes a path with `/`. Only Windows separates directories by `\`. Elsewhere, a name may contain it. */
export const withSlashes = (path: string, { sep }: Pick<PathRules, "sep">): string =>
  sep === "\\" ? path.replaceAll("\\", "/") : path

/** Returns the way from a directory to a path, with `/`. From one drive to another, this is the path itself. */
export const wayBetween = (rules: PathRules, folder: string, path: string): string =>
  withSlashes(rules.relative(folder, path), rules)

/** Returns the way from a directory to a path in it, with `/`. Undefined if the path is elsewhere. */
export function wayInside(rules: PathRules, folder: string, path: string): string | undefined {
  const way = rules.relative(folder, path)
  return leadsUp(rules, way) ? undefined : withSlashes(way, rules)
}

/** Returns whether a path in a file of the project leads out of the project. Every system refuses the drives of Windows. */
export const leadsOut = (rules: PathRules, path: string): boolean =>
  /^[A-Za-z]:|^\\/.test(path) || leadsUp(rules, rules.normalize(path))

const leadsUp = (rules: PathRules, path: string): boolean =>
  rules.isAbsolute(path) || path.split(rules.sep)[0] === ".."

/**
 * Returns whether a path is a directory or below it. Both must have all links resolved. Names that differ in case are
 * different names, so that no other directory counts as this one.
 */
export const isWithin = (folder: string, path: string, { sep }: Pick<PathRules, "sep">): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/**
 * Removes the path of a directory, wherever a text names a path in it. Windows' programs write it with `\`, with `/` or
 * with both.
 */
export function withoutFolder(text: string, folder: string, rules: Pick<PathRules, "sep">): string {
  const forms = new Set([folder, withSlashes(folder, rules)])
  const starts = [...forms].flatMap((form) =>
    /[\\/]$/.test(form) ? [form] : [`${form}${rules.sep}`, `${form}/`],
  )
  return starts.reduce((rest, start) => rest.replaceAll(start, ""), text)
}
