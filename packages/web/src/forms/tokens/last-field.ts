// The field that had the focus last, to insert a placeholder into it.

import type { Reads } from "../completion/complete.ts"
import type { FieldPlace } from "./open-field.ts"

export interface LastField extends FieldPlace {
  readonly reads: Reads
  /** The accessible name. */
  readonly name: string
  /** The text and the selection when the field lost the focus. */
  readonly text: string
  readonly from: number
  readonly to: number
}

let last: LastField | undefined

export const lastField = (): LastField | undefined => last

export const noteField = (field: LastField): void => void (last = field)
