// Leaves out the tests of shared suites that can't run in Wine.

import { beforeEach } from "vitest"
import { whyNotInWine } from "./shared-suites.ts"

beforeEach(({ task, skip }) => {
  const reason = whyNotInWine(task.name)
  if (reason !== undefined) skip(reason)
})
