// The files that most mistakes are made in, and the expected result of most.

import { mistakesIn } from "../mistake.ts"

export const booking = mistakesIn("booking")
export const billing = mistakesIn("billing")
export const shop = mistakesIn("shop")

export const book = booking.inWorkflow("book")
export const calendar = booking.inWorkflow("calendar")
export const refuse = booking.inWorkflow("refuse")
export const subscribe = billing.inWorkflow("subscribe")
export const dunning = billing.inWorkflow("dunning")
export const checkout = shop.inWorkflow("checkout")
export const refund = shop.inWorkflow("refund")
export const weekend = booking.inFile("apis/bookings/requests/bookings/weekend.json")

/** Words that an error or a warning must contain. */
export const said = (...words: string[]) => ({ words }) as const
export const error = (...words: string[]) => ({ severity: "error", words }) as const
export const warning = (...words: string[]) => ({ severity: "warning", words }) as const
