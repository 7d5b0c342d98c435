// The entries of `callsheet init --editor` in the setting `json.schemas`, which offer what the server offers, too.

const OWN = /^\.\/\.vscode\/callsheet\/[^/]+\.schema\.json$/

const urlOf = (entry: unknown): unknown =>
  typeof entry === "object" && entry !== null && "url" in entry ? entry.url : undefined

/** Returns the other entries, or undefined if there is nothing to remove. */
export function withoutOwnSchemas(entries: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(entries)) return undefined
  const others = (entries as readonly unknown[]).filter((entry) => {
    const url = urlOf(entry)
    return typeof url !== "string" || !OWN.test(url)
  })
  return others.length === entries.length ? undefined : others
}
