// JSON pointers as text: `/body/a~1b` (RFC 6901).

export const escapePointer = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key

export const unescapePointer = (step: string): string =>
  step.includes("~") ? step.replaceAll("~1", "/").replaceAll("~0", "~") : step

/** Returns the keys of a pointer: `["body", "a/b"]`. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer.split("/").slice(1).map(unescapePointer)

/** Stands for every item of an array, or every name, in a pointer to several values: `/body/items/*`. */
export const ANY_KEY = "*"

/** Escapes a key for such a pointer. A key that is `*` is `~2`, which no other pointer contains. */
export const escapeKey = (key: string): string => (key === ANY_KEY ? "~2" : escapePointer(key))

export const unescapeKey = (step: string): string => unescapePointer(step.replaceAll("~2", ANY_KEY))
