import type { ScriptContext } from "@callsheet/sdk"

export const pause = (ctx: ScriptContext) => ctx.sleep(10)
