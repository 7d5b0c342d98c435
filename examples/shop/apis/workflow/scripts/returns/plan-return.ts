import type { TransformContext } from "@callsheet/sdk"
import { sum, type Line } from "./money.ts"

/** Chooses the most expensive line of the order. The keys of the returned object become the block's outputs. */
export function planReturn(ctx: TransformContext) {
  const lines = ctx.get("order.response.body.lines") as Line[]
  const dearest = lines.toSorted((a, b) => b.unitPrice.amount - a.unitPrice.amount).slice(0, 1)
  return {
    lines: dearest.map((line) => ({ lineId: line.id, quantity: line.quantity, reason: "changed-mind" })),
    refund: sum(dearest.map((line) => line.total.amount)),
  }
}
