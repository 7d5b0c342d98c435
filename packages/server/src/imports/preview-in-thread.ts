// Previews imports in a thread, because a collection can be hostile.

import { messages } from "../messages.ts"
import { runningInThread } from "../threads/run-in-thread.ts"
import type { ImportJob, WorkedOutImport } from "./work-out-import.ts"

export type PreviewImport = (job: ImportJob) => Promise<WorkedOutImport>

/** Returns a function that previews imports one after the other. `entry` is the bundled `import-thread.ts`. */
export const previewingInThread = (entry: URL): PreviewImport =>
  runningInThread({ entry, exhausted: messages["import-source"].exhausted })
