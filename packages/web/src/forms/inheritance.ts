// The values that the fields of a form inherit, such as those of a saved request in a block.

import { createContext, useContext, useMemo } from "react"
import type { JsonPointer } from "@callsheet/format"
import { pointerKey } from "../files/text/field-problems.ts"

interface Inheritance {
  /** The pointers of inherited values, as keys. */
  readonly inherited: ReadonlySet<string>
  /** The pointers of values in the file. */
  readonly own: ReadonlySet<string>
  /** The outermost object to remove if it becomes empty, such as `overrides`. */
  readonly upTo: JsonPointer
}

const Context = createContext<Inheritance | undefined>(undefined)

/** Tells the fields inside it which values they inherit. */
export const InheritanceProvider = Context

interface Inherited extends Pick<Inheritance, "upTo"> {
  readonly isOverridden: boolean
}

/** Returns undefined if the field inherits nothing. */
export function useInherited(pointer: JsonPointer): Inherited | undefined {
  const inheritance = useContext(Context)
  const key = pointerKey(pointer)
  return useMemo(
    () =>
      inheritance?.inherited.has(key) === true
        ? { isOverridden: inheritance.own.has(key), upTo: inheritance.upTo }
        : undefined,
    [inheritance, key],
  )
}

export const useIsInherited = (pointer: JsonPointer): boolean => useInherited(pointer) !== undefined
