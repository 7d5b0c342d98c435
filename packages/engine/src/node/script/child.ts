// The entry point of the bundled script process. Starts the guard thread first and loads the rest in parallel.

import { startOrphanWatcher } from "./child/orphan-watcher.ts"
import type { ChildSettings } from "./protocol.ts"

const settings = JSON.parse(process.argv[2] ?? "") as ChildSettings
process.argv.length = 2
const watching = startOrphanWatcher(settings)
void import("./child/serve.ts").then(({ serve }) => serve(settings, watching))
