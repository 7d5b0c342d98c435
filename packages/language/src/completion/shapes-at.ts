// Finds what a shape allows at a place of a file: fields to add, and values to write.

import {
  type Field,
  getOrCreate,
  isJsonObject,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  type ObjectShape,
  ownOf,
  type Rule,
  type Shape,
  shapes,
  valueAt,
} from "@callsheet/format"

/** Returns the possible shapes at a pointer. `value` is the file's value, which decides between kinds of blocks. */
export function shapesAt(root: Shape, pointer: JsonPointer, value?: JsonValue): readonly Shape[] {
  let at: JsonValue | undefined = value
  let found = open(root, value)
  for (const step of pointer) {
    at = valueAt(at, [step])
    found = stepInto(found, step, at)
  }
  return found
}

const stepInto = (
  from: readonly Shape[],
  step: string | number,
  value: JsonValue | undefined,
): readonly Shape[] => from.flatMap((shape) => behind(shape, step)).flatMap((shape) => open(shape, value))

/** Returns the field of a key, such as `blocks`. */
export function fieldAt(root: Shape, pointer: JsonPointer, value?: JsonValue): Field | undefined {
  const key = pointer.at(-1)
  for (const shape of shapesAt(root, pointer.slice(0, -1), value)) {
    const field = shape.is === "object" ? ownOf(shape.fields, String(key)) : undefined
    if (field !== undefined) return field
  }
  return undefined
}

/** Returns the shapes that one with alternatives stands for. */
function open(shape: Shape, value: JsonValue | undefined): readonly Shape[] {
  if (shape.is === "either") return shape.of.flatMap((one) => open(one, value))
  if (shape.is !== "variant") return [shape]
  const tag = isJsonObject(value) ? ownOf(value, shape.tag) : undefined
  const variant = typeof tag === "string" ? ownOf(shape.variants, tag) : undefined
  if (variant !== undefined) return [variant]
  const tagField = { shape: { is: "enum" as const, ...tagValues(shape) }, required: true, summary: "" }
  return Object.values(shape.variants).map((each) => {
    const own = ownOf(each.fields, shape.tag)
    return { ...each, fields: { ...each.fields, [shape.tag]: { ...tagField, summary: own?.summary ?? "" } } }
  })
}

const tagValues = ({ summaries }: Extract<Shape, { readonly is: "variant" }>) => ({
  values: Object.keys(summaries),
  summaries: Object.values(summaries),
})

function behind(shape: Shape, step: string | number): readonly Shape[] {
  if (shape.is === "array") return [shape.items()]
  if (shape.is === "map") return [shape.values]
  if (shape.is !== "object") return []
  const own = ownOf(shape.fields, step)
  if (own !== undefined) return [own.shape]
  return shape.others?.are === "values" ? [shape.others.shape] : []
}

export interface NewField {
  readonly name: string
  readonly field: Field
  readonly isRequired: boolean
}

/** Returns the fields that an object of a file may still get, in the shape's order. Leaves out deprecated ones. */
export function fieldsToAdd(root: Shape, pointer: JsonPointer, object: FileObject): readonly NewField[] {
  const { value, taken } = object
  const here = valueAt(value, pointer)
  const own = isJsonObject(here) ? here : {}
  const objects = shapesAt(root, pointer, value).filter((shape) => shape.is === "object")
  const found = new Map<string, { readonly field: Field; count: number }>()
  for (const shape of objects) {
    const { shut, required } = ruled(shape, own, taken)
    for (const [name, field] of Object.entries(shape.fields)) {
      if (taken.has(name) || shut.has(name) || field.deprecated !== undefined) continue
      const known = getOrCreate(found, name, () => ({ field, count: 0 }))
      if (field.required || required.has(name)) known.count++
    }
  }
  // Before the kind of a block is known, only what every kind requires is required.
  return [...found].map(([name, { field, count }]) => ({ name, field, isRequired: count === objects.length }))
}

interface FileObject {
  /** The value of the whole file. */
  readonly value: JsonValue | undefined
  /** The keys that the object has already, but for the one that is being written. */
  readonly taken: ReadonlySet<string>
}

function ruled({ rules }: ObjectShape, own: JsonObject, taken: ReadonlySet<string>) {
  const shut = new Set<string>()
  const required = new Set<string>()
  for (const rule of rules) {
    const { shuts = [], requires = [] } = effectOf(rule, own, taken)
    for (const name of shuts) shut.add(name)
    for (const name of requires) required.add(name)
  }
  return { shut, required }
}

interface Effect {
  readonly shuts?: readonly string[]
  readonly requires?: readonly string[]
}

const without = (names: readonly string[], taken: ReadonlySet<string>): readonly string[] =>
  names.some((name) => taken.has(name)) ? names : []

function effectOf(rule: Rule, own: JsonObject, taken: ReadonlySet<string>): Effect {
  switch (rule.rule) {
    case "exactlyOne":
      return { shuts: without(rule.of, taken), requires: rule.of }
    case "anyOf":
      return { requires: rule.of.some((name) => taken.has(name)) ? [] : rule.of }
    case "exactlyOneWith": {
      const [first, second] = rule.of
      const hasSecond = taken.has(second) || taken.has(rule.companion)
      if (taken.has(first)) return { shuts: [second, rule.companion] }
      return hasSecond ? { shuts: [first], requires: [second, rule.companion] } : { requires: [first] }
    }
    case "byValue": {
      const value = ownOf(own, rule.field)
      const chosen = typeof value === "string" ? ownOf(rule.cases, value) : undefined
      if (chosen === undefined) return {}
      const allowed = [...chosen.requires, ...chosen.allows]
      const all = Object.values(rule.cases).flatMap(({ requires, allows }) => [...requires, ...allows])
      const shuts = all.filter((name) => !allowed.includes(name))
      return { shuts: [...shuts, ...without(chosen.exactlyOne ?? [], taken)], requires: chosen.requires }
    }
    case "requiredWhen": {
      const value = ownOf(own, rule.when)
      if (typeof value !== "string") return {}
      return rule.isOneOf.includes(value) ? { requires: [rule.field] } : { shuts: [rule.field] }
    }
    case "typedBy":
      return {}
  }
}

export interface WritableValue {
  readonly value: JsonValue
  readonly summary?: string | undefined
}

/** Returns the values that a shape lists. Empty for texts and numbers, which have too many. */
export function valuesOf(shape: Shape): readonly WritableValue[] {
  switch (shape.is) {
    case "enum":
      return shape.values.map((value, index) => ({ value, summary: shape.summaries?.[index] }))
    case "boolean":
      return [{ value: true }, { value: false }]
    case "scalar":
      return shape.types.includes("boolean") ? valuesOf(shapes.boolean) : []
    case "version":
      return [{ value: 1 }]
    case "null":
      return [{ value: null }]
    case "either":
      return shape.of.flatMap(valuesOf)
    default:
      return []
  }
}
