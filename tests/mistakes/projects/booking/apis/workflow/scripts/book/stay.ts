import type { ConditionContext, TransformContext } from "@callsheet/sdk"

/** How long the stay is, and what a night of it costs. */
export function priceOfStay(ctx: TransformContext) {
  const nights = ctx.get("booking.response.body.nights") as number
  const total = ctx.get("booking.response.body.total.amount") as number
  return { nights, perNight: total / nights }
}

export const isLong = (ctx: ConditionContext): boolean =>
  (ctx.get("booking.response.body.nights") as number) > 5
