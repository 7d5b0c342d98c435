// The products that the sample shop sells.

/** An amount in minor units: 1250 EUR is €12.50. */
export interface Money {
  readonly amount: number
  readonly currency: "EUR"
}

export const money = (...amounts: readonly number[]): Money => ({
  amount: amounts.reduce((sum, amount) => sum + amount, 0),
  currency: "EUR",
})

const rows = [
  ["MUG-01", "Stoneware mug, blue", "cups", 1450, 380, "dishwasher-safe handmade"],
  ["MUG-02", "Stoneware mug, sand", "cups", 1450, 380, "dishwasher-safe handmade"],
  ["CUP-01", "Espresso cup", "cups", 890, 140, "dishwasher-safe"],
  ["CUP-02", "Glass for tea", "cups", 720, 160, "heat-resistant"],
  ["BWL-01", "Matcha bowl", "cups", 2890, 450, "handmade"],
  ["TEA-01", "Darjeeling, first flush", "tea", 1690, 100, "organic loose"],
  ["TEA-02", "Sencha", "tea", 1290, 100, "organic loose"],
  ["TEA-03", "Rooibos", "tea", 790, 100, "loose"],
  ["TEA-04", "Peppermint", "tea", 650, 50, "organic"],
  ["COF-01", "House espresso, beans", "coffee", 1590, 500, "fair-trade"],
  ["COF-02", "Filter roast, beans", "coffee", 1490, 500, "fair-trade organic"],
  ["COF-03", "Decaf, beans", "coffee", 1690, 500, "fair-trade"],
  ["TLS-01", "Hand grinder", "tools", 6900, 620, "steel"],
  ["TLS-02", "Milk jug", "tools", 1990, 240, "steel"],
  ["TLS-03", "Tea strainer", "tools", 990, 60, "steel dishwasher-safe"],
  ["TLS-04", "Bamboo whisk", "tools", 1750, 30, "handmade"],
  ["TLS-05", "Kitchen scale", "tools", 3490, 410, "battery"],
] as const

export const products = rows.map(([sku, name, category, price, weightGrams, tags]) => ({
  sku,
  name,
  category,
  price: money(price),
  weightGrams,
  tags: tags.split(" "),
  warrantyMonths: category === "tools" ? 24 : null,
}))

export const findProduct = (sku: string): (typeof products)[number] | undefined =>
  products.find((product) => product.sku === sku)
