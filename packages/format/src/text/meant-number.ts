// Reads numbers as people write them: with a unit, a separator or a percent sign.

const factors: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
])

/** Returns the whole number that a text means. For milliseconds, a fraction without a unit means seconds. */
export function meantNumber(text: string, unit: "ms" | undefined): number | undefined {
  const plain = text.trim().replaceAll(/(?<=[0-9])[_, '](?=[0-9]{3}(?![0-9]))/g, "")
  const [, digits, named = ""] =
    /^(\.?[0-9]{1,12}(?:\.[0-9]{1,6})?(?:e[0-9]{1,2})?)\s*([a-z%]*)$/i.exec(plain) ?? []
  if (digits === undefined) return undefined
  const number = Number(digits)
  const isSeconds = unit === "ms" && !Number.isInteger(number) && named === ""
  const factor = unit === "ms" ? (isSeconds ? 1000 : factorOf(named.toLowerCase())) : 1
  const isPercent = unit === undefined && named === "%"
  if (factor === undefined || (unit === undefined && named !== "" && !isPercent)) return undefined
  const meant = Math.round(number * factor)
  return Number.isSafeInteger(meant) ? meant : undefined
}

function factorOf(unit: string): number | undefined {
  if (unit === "" || unit.startsWith("mil") || unit.startsWith("ms")) return 1
  const [letter = ""] = unit
  return /^(?:s|m|h)$|^sec|^min|^h(?:ou)?r/.test(unit) ? factors.get(letter) : undefined
}
