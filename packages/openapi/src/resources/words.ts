// Compares the names of parameters, fields and resources, which documents write in many ways.

/** Returns a name without case and separators: `order_id` and `orderId` become `orderid`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** Returns the singular of a resource's name: `categories` becomes `category`. Rough, because names are only compared. */
export function singular(name: string): string {
  if (/(?:ss|us|is)$/i.test(name)) return name
  if (/[^aeiou]ies$/i.test(name)) return name.replace(/ies$/i, "y")
  if (/(?:[cs]h|ss|x|zz|us)es$/i.test(name)) return name.replace(/es$/i, "")
  return name.replace(/s$/i, "")
}

/** The names of fields that identify an item, the usual ones first. */
const identifiers = ["id", "uuid", "guid", "gid", "sid", "key", "slug", "code", "number", "name", "token"]

/** Returns whether a name is that of an identifier that only the server makes. */
export const isIdentifierName = (name: string): boolean => /^(?:id|uuid|guid|gid|sid)$/i.test(name)

/** Returns whether a name is that of an identifier which is the same everywhere, such as the number of a book. */
export const isCommonIdentifier = (name: string): boolean =>
  /^(?:sku|ean|gtin|upc|isbn|issn|doi|iban|vin|imei|iata|icao)(?:_?(?:code|number))?$/i.test(name)

/** Returns whether a name alone says nothing about its resource. */
export const isGenericName = (name: string): boolean =>
  identifiers.includes(plainName(name)) ||
  /^(?:type|status|version|date|value|query|search|filter)$/.test(plainName(name))

/**
 * Returns the field of an item that a path parameter names: `id` for `{orderId}`, `{order}` and `{id}`. Undefined if no
 * field does.
 */
export function identifierField(
  parameter: string,
  resource: string,
  fields: readonly string[],
): string | undefined {
  const wanted = plainName(parameter)
  const one = plainName(singular(resource))
  const named = (plain: string): string | undefined => fields.find((field) => plainName(field) === plain)
  const exact = named(wanted)
  if (exact !== undefined) return exact
  // The word of the parameter after the resource's name: `gid` of `task_gid`, but `id` of `bookingId`.
  const words = identifiers.filter((known) => wanted.endsWith(known)).toSorted(byLength)
  for (const word of words) {
    const field = named(word) ?? (wanted === word ? named(one + word) : undefined)
    if (field !== undefined) return field
  }
  // A namespace may have its identifier in `namespace`.
  if (words.some((word) => wanted === one + word)) return named(one)
  const isWhole = [one, plainName(resource), plainName(lastWord(singular(resource)))].includes(wanted)
  if (!isWhole) return undefined
  return [...identifiers, plainName(lastWord(parameter))].map(named).find((field) => field !== undefined)
}

/** Returns the last word of a name: `ip` of `floating_ip` and `floatingIp`. */
const lastWord = (name: string): string => /(?:[A-Z]?[\p{Ll}\d]+|[A-Z\d]+)$/u.exec(name)?.[0] ?? name

const byLength = (a: string, b: string): number => b.length - a.length

/** Returns whether a name is that of a resource's identifier: `orderId`, `order_id` or `order` for `orders`. */
export function namesResource(name: string, resource: string): "identifier" | "resource" | undefined {
  const plain = plainName(name)
  const one = plainName(singular(resource))
  if (one === "") return undefined
  if (plain === one) return "resource"
  return identifiers.some((word) => plain === one + word) ? "identifier" : undefined
}
