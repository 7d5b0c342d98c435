import type { ConditionContext, TransformContext } from "@callsheet/sdk"

/** The length of the stay and the price per night. */
export function priceOfStay(ctx: TransformContext) {
  const nights = ctx.get("booking.response.body.nights") as number
  const total = ctx.get("booking.response.body.total.amount") as number
  return { nights, perNight: total / nights }
}

export const isLong = (ctx: ConditionContext): boolean =>
  (ctx.get("booking.response.body.nights") as number) > 5
