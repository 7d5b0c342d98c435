// `multipleOf` in decimals, as both numbers are written: 19.99 is a multiple of 0.01, which no division of doubles says.

/** Makes the test of whether a number is a multiple of `unit`. */
export function multipleTest(unit: number | bigint): (value: number | bigint) => boolean {
  const { digits, exponent } = decimalOf(unit)
  const isHandy = digits > 0n && digits < MAX_HANDY && exponent <= 0 && exponent >= -MAX_PLACES
  const [handyDigits, scale] = isHandy ? [Number(digits), 10 ** -exponent] : [0, 0]
  return (value) => {
    if (isHandy && typeof value === "number") {
      const scaled = Math.round(value * scale)
      // A double has one name of 15 digits at most, so that a number which division brings back is written like this.
      if (Math.abs(scaled) < MAX_HANDY && scaled / scale === value) return scaled % handyDigits === 0
    }
    return isMultiple(decimalOf(value), { digits, exponent })
  }
}

const MAX_HANDY = 1e15
/** Larger powers of ten are no exact doubles. */
const MAX_PLACES = 22

/** `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

const isMultiple = (value: Decimal, unit: Decimal): boolean =>
  unit.digits === 0n || scaleTo(value, unit.exponent) % scaleTo(unit, value.exponent) === 0n

const scaleTo = ({ digits, exponent }: Decimal, other: number): bigint =>
  digits * 10n ** BigInt(Math.max(0, exponent - other))

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, exponent: 0 }
  const [mantissa = "", exponent = "0"] = String(value).split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
