// Names of files and folders that are free text: which of them may not be, one by one and beside each other.

import { nameKey, objectToFreeName, TWIN_HINT, type Problem, type ProblemCode } from "@callsheet/format"

/** Says what is wrong with the name of an entry of a folder; `file` is its path from the project's root. */
type NameCheck = (name: string, file: string) => readonly Problem[]

/** A check of the names of one folder, `what` being "a script": it remembers them, and objects to the second of two twins. */
export function createNameCheck(code: ProblemCode, what: string): NameCheck {
  const byKey = new Map<string, string>()
  return (name, file) => {
    const objection = objectToFreeName(name)
    if (objection !== undefined) {
      const message = `${JSON.stringify(name)} cannot be the name of ${what}: ${objection}`
      return [{ code, severity: "error", file, message, hint: "rename it" }]
    }
    const twin = byKey.get(nameKey(name))
    byKey.set(nameKey(name), twin ?? name)
    if (twin === undefined) return []
    const message = `${JSON.stringify(twin)} and ${JSON.stringify(name)} differ in case, or in how an accent is written, alone`
    return [{ code, severity: "error", file, message, hint: TWIN_HINT }]
  }
}
