// Calls that show and change the environments of an API: variables, values, settings, and what moves between their files.

import {
  declarationShape,
  levelShape,
  checkVariableName,
  shapes,
  type Level,
  type Problem,
  type ScalarType,
} from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { api, environment, environmentName, etag, orNull, text, variableName } from "./names.ts"
import type { ChangePlan } from "./plans.ts"

const { array, boolean, either, enumOf, map, nothing, number, object, optional, required, variant } = shapes

/** A number that JSON's reader has rounded already is refused: a whole number that is too large comes as a text. */
const exactNumber = number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const cell = either("a text, a number, true, false or null", text, exactNumber, boolean, nothing)
/** Null means "no value". A whole number that a page cannot hold stands in a text, digit for digit. */
export type CellValue = shapes.TypeOf<typeof cell>

const parent = required(orNull(environmentName), "The environment that it extends; null for none.")
const level = required(orNull(levelShape), "Null says nothing, so that the level is inherited.")
const variable = required(variableName, "The variable's name.")

const chosen = { api, environment, etag }
const chosenEnvironment = object(chosen)
export type ChosenEnvironment = shapes.TypeOf<typeof chosenEnvironment>

const environmentWrite = object({
  ...chosen,
  set: required(map(cell, checkVariableName), "Values by the name of the variable."),
  unset: required(
    array(() => text),
    "Names that the environment's own files are to say nothing of; undeclared keys too.",
  ),
})

const environmentSettings = object({
  ...chosen,
  extends: parent,
  level,
  verify: required(orNull(boolean), "Whether certificates are checked; null says nothing."),
})

const newEnvironment = object({ api, environment, extends: parent, level })

const environmentRename = object({ ...chosen, to: required(environmentName, "Its new name.") })

const secretReveal = object({
  api,
  environment,
  variable,
  purpose: required(
    enumOf("show", "copy"),
    "Whether it is shown on the page, or copied without being shown.",
  ),
})

const { type, required: isRequired, description, secret } = declarationShape.fields
const newDeclaration = object({
  type,
  required: isRequired,
  description,
  secret,
  default: optional(cell, "A text is read as the type."),
})
export type NewDeclaration = shapes.TypeOf<typeof newDeclaration>

const change = <const D extends string>(name: D) => required(enumOf(name), "What is done.")
const declaration = required(newDeclaration, "What is declared from now on.")

const changes = {
  /** Makes `schema.json` where there is none. */
  add: object({ do: change("add"), name: variable, declaration }),
  change: object({
    do: change("change"),
    name: variable,
    declaration,
    keepDefault: optional(boolean, "The default stays as it stands in the file: for one that is not shown."),
    secretValues: optional(
      enumOf("keep", "move"),
      "For a variable that is to be a secret no longer, and has values in secrets files: `keep` leaves them there, where they win over value files and are not in version control; `move` writes them into the value files. Refused without.",
    ),
  }),
  rename: object({ do: change("rename"), name: variable, to: required(variableName, "Its new name.") }),
  delete: object({ do: change("delete"), name: variable }),
}
export type SchemaChange = shapes.TypeOf<(typeof changes)[keyof typeof changes]>

const schemaChange = object({
  api,
  change: required(
    variant<SchemaChange>({ name: "change", tag: "do", variants: changes, summaries: {} }),
    "The change of one variable.",
  ),
})

/** Calls with an `etag` answer 428 without one, and 409 without contents, which may be secrets, if it is outdated. */
export const environmentCalls = {
  /** The variables of an API and what each of its environments gives them. It holds no value of a secret. */
  "environments.read": call(object({ api }), answer<EnvironmentsView>()),
  /** All or nothing. Null means "no value"; a name of `unset` is inherited again. A text is read as the declared type. */
  "environments.write": call(environmentWrite, answer<EnvironmentWritten>()),
  /** What the value file is to say of these three; null: nothing, so that it is inherited. Other keys of `tls` stay. */
  "environments.settings": call(environmentSettings, answer<EnvironmentWritten>()),
  "environments.create": call(newEnvironment, answer<EnvironmentWritten>()),
  /** Moves both files, and updates every `extends` that names it. */
  "environments.rename": call(environmentRename, answer<EnvironmentWritten>()),
  /** Deletes both files. Refused while another environment extends it. */
  "environments.delete": call(chosenEnvironment, answer<Nothing>()),
  /** The value of one secret, or of another variable, as this environment resolves it from the files. The terminal tells of it by name. */
  "secrets.reveal": call(secretReveal, answer<{ readonly value: string }>()),
  /** Previews a change of declarations. Refused with `problems` if values don't fit. */
  "schemas.plan": call(schemaChange, answer<ChangePlan>()),
}

export interface EnvironmentWritten {
  readonly etag: string
}

export interface EnvironmentsView {
  readonly api: string
  readonly schema: SchemaView
  /** In the order of the file. A declaration with an error is not among them; the schema's problems say what is wrong with it. */
  readonly variables: readonly VariableView[]
  readonly environments: readonly EnvironmentColumn[]
  /** By the name of the environment, by the name of the variable: one for each pair of them. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, CellView>>>>
}

interface SchemaView {
  readonly path: string
  /** Null where there is no `schema.json` yet. */
  readonly etag: string | null
  /** Of the file itself. With an error among them no plan can be made: mend the text first. */
  readonly problems: readonly Problem[]
}

export interface VariableView {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly secret: boolean
  readonly description?: string | undefined
  /** Never of a secret. A whole number that a page cannot hold stands in a text, digit for digit. */
  readonly default?: CellValue | undefined
  /** Of a secret: its default stands in version control. */
  readonly hasSecretDefault?: true | undefined
  readonly isDefaultMasked?: true | undefined
  /** The process variable that is set and wins over all files, by its name. */
  readonly processVariable?: string | undefined
}

export interface EnvironmentColumn {
  readonly name: string
  readonly level?: Level | undefined
  readonly extends?: string | undefined
  readonly tls?: { readonly verify?: boolean } | undefined
  readonly effectiveLevel: Level
  readonly effectiveVerify: boolean
  /** Of its value file and its secrets file together; it tells nothing of what they hold. */
  readonly etag: string
  /** One of its two files cannot be read, or does not parse: it can be edited as text alone. */
  readonly isBroken: boolean
  readonly problems: readonly Problem[]
}

export interface CellView {
  /** `own`: its own files say it; `inherited`: those of the environment of that name. */
  readonly from: "own" | "inherited" | "default" | "none"
  readonly environment?: string | undefined
  readonly file: "values" | "secrets"
  /** Never of a secret, and absent where there is none or it is of the wrong type. */
  readonly value?: CellValue | undefined
  /** The variable is required, and a run would not start for want of a value. Not of an environment that others extend, as in `validate`. */
  readonly isMissing: boolean
  /** The same of an environment that others extend: it may be there for that alone, and they give the value. */
  readonly isLeftOpen?: true | undefined
  /** A file says that there is no value: `null`, or an empty text for a number or a boolean in a secrets file. */
  readonly isNothing?: true | undefined
  readonly isBroken?: true | undefined
  /** A secret whose value stands in a value file, and so in version control. */
  readonly isCommitted?: true | undefined
  /** The value shows a masked secret: it is not to be edited from what is shown. */
  readonly isMasked?: true | undefined
}
