// The script process, an entry of its own in the bundle. First the thread that guards it; the rest loads beside that.

import { startOrphanWatcher } from "./child/orphan-watcher.ts"
import type { ChildSettings } from "./protocol.ts"

const settings = JSON.parse(process.argv[2] ?? "") as ChildSettings
process.argv.length = 2
const watching = startOrphanWatcher(settings)
const { serve } = await import("./child/serve.ts")
await serve(settings, watching)
