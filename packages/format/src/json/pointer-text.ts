// JSON pointers as text: `/body/a~1b` (RFC 6901).

export const escapePointer = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key

export const unescapePointer = (step: string): string =>
  step.includes("~") ? step.replaceAll("~1", "/").replaceAll("~0", "~") : step

/** Returns the keys of a pointer: `["body", "a/b"]`. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer.split("/").slice(1).map(unescapePointer)
