// A saved request as a typed value.

import type { TypeOf } from "../shape/shape.ts"
import type { savedRequestShape } from "./check-saved-request.ts"

/** Either of an operation, or of a method and a path. */
export type SavedRequest = TypeOf<typeof savedRequestShape>
export type BodyType = NonNullable<SavedRequest["bodyType"]>
