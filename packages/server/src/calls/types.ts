// Declares calls about the types of scripts.

import { shapes, type LineColumn } from "@callsheet/format"
import { answer, call } from "./call.ts"
import type { ScriptId } from "./files.ts"
import { scriptName, text, workflow } from "./names.ts"

const { boolean, number, object, optional, required } = shapes

const place = {
  script: required(
    object({ workflow, script: required(scriptName, "The script, without `.ts`.") }),
    "The script.",
  ),
  text: required(text, "The text in the editor."),
  line: required(number({ integer: true, minimum: 1 }), "The line of the position, from 1."),
  column: required(number({ integer: true, minimum: 1 }), "The column of the position, from 1."),
}

export const typeCalls = {
  /** Returns whether the project's TypeScript compiler checks scripts in the editor. Doesn't run it. */
  "types.read": call(object({}), answer<TypeChecksView>()),
  /** Allows the project's TypeScript compiler to run, or forbids it. */
  "types.allow": call(
    object({ isAllowed: required(boolean, "Whether the compiler may run.") }),
    answer<TypeChecksView>(),
  ),
  /** Returns the names that fit at a position, best first. Empty if types aren't checked. */
  "types.complete": call(object(place), answer<{ readonly names: readonly string[] }>()),
  /** Describes the name at a position or, with `entry`, a name that `types.complete` returned there. */
  "types.describe": call(
    object({ ...place, entry: optional(text, "The name.") }),
    answer<{ readonly meaning?: ScriptMeaning | undefined }>(),
  ),
}

export interface TypeChecksView {
  /**
   * `missing`: the project has no TypeScript. `old`: it has a version before 7, or one for another platform. `remote`:
   * other machines can reach the app.
   */
  readonly state: "on" | "off" | "missing" | "old" | "remote"
  readonly version?: string | undefined
}

export interface ScriptMeaning {
  /** TypeScript, such as `lines: Line[]`. */
  readonly type: string
  readonly documentation: string
  /** Where a script of the project declares it. */
  readonly definition?: (ScriptId & LineColumn) | undefined
}
