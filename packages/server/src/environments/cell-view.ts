// One variable in one environment, as the page shows it: who gives its value, and what is to be said of it. Never a secret's value.

import {
  isJsonArray,
  isJsonObject,
  resolveEnvironment,
  type EnvironmentFiles,
  type JsonValue,
  type ResolvedVariable,
} from "@callsheet/format"
import type { CellValue, CellView } from "../calls/index.ts"
import type { ShowValue } from "./show-values.ts"

/** The cells of one environment by the name of the variable. */
export function cellsOf(
  files: EnvironmentFiles,
  name: string,
  { show, isExtended }: { readonly show: ShowValue; readonly isExtended: boolean },
): Readonly<Record<string, CellView>> {
  const { environment } = resolveEnvironment({ files, name })
  const own = files.environments.get(name)?.values
  return Object.fromEntries(
    [...environment.variables.values()].map((variable) => {
      const raw = rawValue(files, variable)
      const isCommitted = variable.declaration.secret === true && isGiven(own?.get(variable.name))
      return [variable.name, cellOf({ variable, raw, column: name, isCommitted, isExtended }, show)]
    }),
  )
}

interface CellSource {
  readonly variable: ResolvedVariable
  /** What the file says that gives the value; undefined where none does. */
  readonly raw: JsonValue | undefined
  /** The environment whose cell it is. */
  readonly column: string
  readonly isCommitted: boolean
  readonly isExtended: boolean
}

function cellOf({ variable, raw, column, isCommitted, isExtended }: CellSource, show: ShowValue): CellView {
  const { declaration, value, from, environment } = variable
  const isSecret = declaration.secret === true
  const place = from === "values" || from === "secrets" ? from : undefined
  const isInherited = place !== undefined && environment !== column
  const isNothing = place !== undefined && saysNothing(raw, variable)
  const isBroken = place !== undefined && value === undefined && !isNothing
  const isWanting = declaration.required && !isBroken && (value === undefined || value === "")
  const shown = isSecret ? undefined : showCell(value, isNothing, show)
  return {
    from: place === undefined ? (from === "default" ? "default" : "none") : isInherited ? "inherited" : "own",
    ...(isInherited && environment !== undefined ? { environment } : {}),
    file: place ?? (isSecret ? "secrets" : "values"),
    value: shown?.value,
    isMissing: isWanting && !isExtended,
    ...(isWanting && isExtended ? { isLeftOpen: true } : {}),
    ...(isNothing ? { isNothing } : {}),
    ...(isBroken ? { isBroken } : {}),
    ...(isCommitted ? { isCommitted } : {}),
    ...(shown?.isMasked === true ? { isMasked: true } : {}),
  }
}

function showCell(
  value: ResolvedVariable["value"],
  isNothing: boolean,
  show: ShowValue,
): { readonly value: CellValue; readonly isMasked: boolean } | undefined {
  if (value !== undefined) return show(value)
  return isNothing ? { value: null, isMasked: false } : undefined
}

function rawValue(
  { environments }: EnvironmentFiles,
  { name, from, environment = "" }: ResolvedVariable,
): JsonValue | undefined {
  const source = environments.get(environment)
  return from === "secrets" ? source?.secrets.get(name) : source?.values.get(name)
}

/** An empty text is the one way that a secrets file has to say "no value" of a number or a boolean. */
const saysNothing = (raw: JsonValue | undefined, { from, declaration }: ResolvedVariable): boolean =>
  from === "secrets" ? raw === "" && declaration.type !== "string" : raw === null

const isGiven = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== "" && !isEmpty(value)

const isEmpty = (value: JsonValue): boolean =>
  (isJsonArray(value) && value.length === 0) || (isJsonObject(value) && Object.keys(value).length === 0)
