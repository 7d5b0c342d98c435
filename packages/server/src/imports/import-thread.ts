// The entry point of the bundled thread that previews an import.

import { answerInThread } from "../threads/answer-in-thread.ts"
import { workOutImport } from "./work-out-import.ts"

answerInThread(workOutImport)
