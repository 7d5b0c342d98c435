// What holds between the fields of one object, as conditions of JSON Schema that give one message each.

import type { JsonObject } from "../json/value.ts"
import type { Rule } from "../shape/shape.ts"

type RuleOf<R extends Rule["rule"]> = Extract<Rule, { rule: R }>

/** The schemas that an object must satisfy, all of them, so that the rule holds. */
export const conditionsOf = (rule: Rule): readonly JsonObject[] => conditions[rule.rule](rule as never)

const conditions: { readonly [R in Rule["rule"]]: (rule: RuleOf<R>) => readonly JsonObject[] } = {
  exactlyOne: ({ of }) => [exactlyOne(of)],
  exactlyOneWith: ({ of: [first, second], companion, because }) => [
    {
      if: has([second]),
      then: shut([first], `give either "${first}" or "${second}"`, [companion]),
      else: shut([companion], `"${companion}" belongs to "${second}"; ${because}`, [first]),
    },
  ],
  anyOf: ({ of }) => [{ anyOf: of.map((field) => has([field])) }],
  byValue: ({ field, cases }) => {
    const owned = new Set(Object.values(cases).flatMap(({ requires, allows }) => [...requires, ...allows]))
    return Object.entries(cases).map(([value, { requires, allows, exactlyOne: of }]) => {
      const foreign = [...owned].filter((other) => !requires.includes(other) && !allows.includes(other))
      return {
        if: hasValue(field, [value]),
        then: {
          ...shut(foreign, `this field does not belong to "${field}": "${value}"`, requires),
          ...(of === undefined ? {} : { allOf: [exactlyOne(of)] }),
        },
      }
    })
  },
  typedBy: ({ field, by, types }) =>
    types.map((type) => ({
      if: hasValue(by, [type]),
      then: { properties: { [field]: { type: [type, "null"] } } },
    })),
  requiredWhen: ({ field, when, isOneOf }) => [{ if: hasValue(when, isOneOf), then: has([field]) }],
}

// Not `oneOf`: of two that are given it says only that several schemas match, and of none it names both.
const exactlyOne = ([first, second]: readonly [string, string]): JsonObject => ({
  if: has([second]),
  then: shut([first], `give either "${first}" or "${second}"`),
  else: has([first]),
})

// The properties are named too: a strict validator refuses to ask for what a schema does not name.
const has = (fields: readonly string[]): JsonObject => ({
  properties: Object.fromEntries(fields.map((field) => [field, true])),
  required: fields,
})

/** Some fields must not be there, and some must. */
const shut = (
  fields: readonly string[],
  errorMessage: string,
  required: readonly string[] = [],
): JsonObject => ({
  properties: Object.fromEntries([
    ...fields.map((field) => [field, false] as const),
    ...required.map((field) => [field, true] as const),
  ]),
  ...(required.length === 0 ? {} : { required }),
  errorMessage,
})

const hasValue = (field: string, values: readonly string[]): JsonObject => ({
  properties: { [field]: anyOfThese(values) },
  required: [field],
})

function anyOfThese(values: readonly string[]): JsonObject {
  const [only, ...others] = values
  return only === undefined || others.length > 0 ? { enum: values } : { const: only }
}
