import type { AssertContext, ConditionContext } from "@callsheet/sdk"

export function isSettled(ctx: ConditionContext): boolean {
  return ctx.get("invoice.response.body.state") !== "open"
}

export const linesAddUp = (ctx: AssertContext) => {
  const lines = ctx.get("invoice.response.body.lines") as { amount: { value: number } }[]
  const sum = lines.reduce((total, line) => total + line.amount.value, 0)
  ctx.assert(sum === ctx.get("invoice.response.body.total.value"), "the lines do not add up")
}
