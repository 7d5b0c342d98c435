import type { ScriptContext } from "@callsheet/sdk"

/** Takes a moment, as unpacking does. The pause ends early when the run is cancelled. */
export async function unpack(ctx: ScriptContext) {
  ctx.log("unpacking parcel", ctx.get("shipment.response.body.trackingCode"))
  await ctx.sleep(20)
}
