// A process that writes into one environment: receives its writes as a message, and makes them one by one.

import { CallsheetError } from "@callsheet/format"
import { writeEnvironment } from "@callsheet/project"

export interface WriterTask {
  readonly root: string
  readonly writes: readonly { readonly name: string; readonly text: string }[]
}

process.once("message", (task: WriterTask) => {
  void writeAll(task)
})

/** A writer's report when it is done. */
export interface WriterReport {
  readonly failures: readonly string[]
  /** The number of times that the lock was not free in time. Nothing is lost, because the write is repeated. */
  readonly locked: number
}

const ATTEMPTS = 20

async function writeAll({ root, writes }: WriterTask): Promise<void> {
  const failures: string[] = []
  let locked = 0
  for (const value of writes) {
    for (let attempt = 1; ; attempt++) {
      try {
        await writeEnvironment({ root, api: "shop", environment: "local", values: [value] })
        break
      } catch (error) {
        const isLocked = error instanceof CallsheetError && error.code === "locked"
        if (isLocked) locked++
        if (isLocked && attempt < ATTEMPTS) continue
        failures.push(`${value.name}: ${String(error)}`)
        break
      }
    }
  }
  process.send?.({ failures, locked } satisfies WriterReport, () => process.disconnect())
}
