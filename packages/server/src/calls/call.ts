// What a call is, and of which kinds the fields of its input are.

import type { Problem } from "@callsheet/format"
import type { CurrentFile } from "./files.ts"

export interface Call<I, O> {
  readonly input: I
  readonly output: O
}

export type NoInput = Readonly<Record<string, never>>

/** What a field of an input is. Names are held against what the format allows before anything is done with them. */
export type InputKind =
  | "api"
  | "environment"
  | "workflow"
  | "run"
  | "text"
  /** A text, or nothing. */
  | "text?"
  /** An object of names of environments, by names of APIs. */
  | "bindings"
  /** An object of texts, numbers and booleans, by names of inputs. */
  | "values"
  /** The name of a saved request, or of its folder. */
  | "request"
  /** A `FileName`. */
  | "file"
  /** Of the file that a change was made from: a text, or null where there was none. */
  | "etag"
  /** The name of an environment, or null for none. */
  | "parent"
  /** A level, or null for none. */
  | "level"
  /** True, false, or null where nothing is to be said. */
  | "verify"
  /** The name of a variable. */
  | "variable"
  /** What a value is revealed for. */
  | "purpose"
  /** An object of texts, numbers, booleans and nulls, by names of variables. */
  | "cells"
  /** A list of texts. */
  | "names"
  /** A `SchemaChange`. */
  | "schema-change"

/** The kind of each field of the calls of one table. */
export type InputKindsOf<C> = {
  readonly [N in keyof C]: C[N] extends Call<infer I, unknown> ? InputKinds<I> : never
}

type InputKinds<I> = I extends NoInput ? NoInput : { readonly [F in keyof I]-?: InputKind }

/** How a call that fails is answered, with a status of 400 and above. */
export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string
  /** Of 422: what is wrong with the text, by place. */
  readonly problems?: readonly Problem[]
  /** Of 409: what stands on the disk now. Absent where it may not be shown. */
  readonly current?: CurrentFile
}
