// Shared by the scripts of this workflow.

export interface Money {
  amount: number
  currency: string
}

export interface Line {
  id: string
  sku: string
  quantity: number
  unitPrice: Money
  total: Money
}

/** Formats 1250 EUR as "12.50 EUR". */
export const show = ({ amount, currency }: Money): string => `${(amount / 100).toFixed(2)} ${currency}`

export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0)
