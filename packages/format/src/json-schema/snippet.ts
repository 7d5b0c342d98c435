// Builds the minimal object of a shape, with tab stops, for an editor to insert.

import type { JsonObject, JsonValue } from "../json/value.ts"
import type { ObjectShape, Rule, Shape } from "../shape/shape.ts"

/** Returns a value of the shape whose strings are the tab stops `$1`, `$2` and so on, in field order. */
export function snippetOf(shape: ObjectShape): JsonObject {
  let stops = 0
  const valueOf = (inner: Shape): JsonValue => {
    switch (inner.is) {
      case "object":
        return objectOf(inner)
      case "enum":
        return inner.values[0] ?? ""
      case "array": {
        const item = inner.items()
        return item.is === "object" ? [objectOf(item)] : []
      }
      case "variant":
        return []
      case "map":
        return {}
      case "number":
        return inner.minimum ?? 0
      case "boolean":
        return true
      case "version":
        return 1
      case "null":
        return null
      case "either":
      case "any":
      case "scalar":
      case "string":
        return `$${++stops}`
    }
  }
  const objectOf = ({ fields, rules }: ObjectShape): JsonObject => {
    const wanted = new Set(rules.flatMap((rule) => wantedBy(rule, fields)))
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([name, field]) => field.required || wanted.has(name))
        .map(([name, field]) => [name, valueOf(field.shape)]),
    )
  }
  return objectOf(shape)
}

function wantedBy(rule: Rule, fields: ObjectShape["fields"]): readonly string[] {
  switch (rule.rule) {
    case "exactlyOne":
    case "exactlyOneWith":
    case "anyOf":
      return rule.of.slice(0, 1)
    case "byValue": {
      const shape = fields[rule.field]?.shape
      const value = shape?.is === "enum" ? (shape.values[0] ?? "") : ""
      const { requires = [], exactlyOne = [] } = rule.cases[value] ?? {}
      return [...requires, ...exactlyOne.slice(0, 1)]
    }
    case "requiredWhen":
      return [rule.field]
    case "typedBy":
      return []
  }
}
