// The entry point of the bundled thread that works out what to generate.

import { answerInThread } from "../threads/answer-in-thread.ts"
import { planGeneration } from "./plan-generation.ts"

answerInThread(planGeneration)
