import type { ScriptContext } from "@callsheet/sdk"

/** Waits, because unpacking takes time. If the run is canceled, the wait ends early. */
export async function unpack(ctx: ScriptContext) {
  ctx.log("unpacking parcel", ctx.get("shipment.response.body.trackingCode"))
  await ctx.sleep(20)
}
