// Runs a script block: calls a TypeScript function for its side effects.

import type { ScriptBlock } from "@callsheet/format"
import type { BlockRunner } from "../context.ts"
import { callScript } from "../script.ts"

export const runScript: BlockRunner<ScriptBlock> = async (running) =>
  (await callScript(running, "script", running.block.script)).outcome
