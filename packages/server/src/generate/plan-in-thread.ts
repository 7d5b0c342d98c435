// Works out what to generate in a thread, because a document can be large.

import { messages } from "../messages.ts"
import { runningInThread } from "../threads/run-in-thread.ts"
import type { Generation, GenerationJob } from "./plan-generation.ts"

export type PlanGeneration = (job: GenerationJob) => Promise<Generation>

/** Returns a function that plans one generation after the other. `entry` is the bundled `generate-thread.ts`. */
export const planningInThread = (entry: URL): PlanGeneration =>
  runningInThread({ entry, exhausted: messages["document-invalid"].exhausted })
