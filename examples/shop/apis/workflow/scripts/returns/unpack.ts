import type { ScriptContext } from "@callsheet/sdk"

/** Waits briefly, as unpacking takes time. The pause ends early if the run is cancelled. */
export async function unpack(ctx: ScriptContext) {
  ctx.log("unpacking parcel", ctx.get("shipment.response.body.trackingCode"))
  await ctx.sleep(20)
}
