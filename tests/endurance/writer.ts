// One of the processes that write into one environment: gets its writes as a message, and makes them one by one.

import { writeEnvironment } from "@callsheet/project"

export interface WriterTask {
  readonly root: string
  readonly writes: readonly { readonly name: string; readonly text: string }[]
}

process.once("message", (task: WriterTask) => {
  void writeAll(task)
})

async function writeAll({ root, writes }: WriterTask): Promise<void> {
  for (const value of writes) {
    try {
      await writeEnvironment({ root, api: "shop", environment: "local", values: [value] })
    } catch (error) {
      process.send?.(`${value.name}: ${String(error)}`)
    }
  }
  process.disconnect()
}
