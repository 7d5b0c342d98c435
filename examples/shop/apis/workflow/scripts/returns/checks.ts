import type { AssertContext, ConditionContext } from "@callsheet/sdk"
import { show, type Money } from "./money.ts"

/** Returns whether the refund is at least the input `minimum`. */
export const isWorthwhile = (ctx: ConditionContext): boolean =>
  (ctx.get("plan.refund") as number) >= (ctx.inputs["minimum"] as number)

/** Returns whether the shop has approved the return, which ends the polling. */
export function isApproved(ctx: ConditionContext): boolean {
  ctx.log(`look ${(ctx.iteration?.index ?? 0) + 1}: ${ctx.get("approval.response.body.status")}`)
  return ctx.get("approval.response.body.status") === "approved"
}

export function refundIsRight(ctx: AssertContext) {
  const refund = ctx.get("approval.response.body.refund") as Money
  const total = ctx.get("order.response.body.total") as Money
  ctx.assert(
    refund.currency === ctx.env("shop")["currency"],
    `${refund.currency} is not what the shop sells in`,
  )
  ctx.assert(refund.amount === ctx.get("plan.refund"), `${show(refund)} is not what was planned`)
  ctx.assert(refund.amount < total.amount, `${show(refund)} is not less than the ${show(total)} of the order`)
}
