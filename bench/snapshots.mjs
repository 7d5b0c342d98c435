// Compares runs with thousands of stored responses with the same runs without `--snapshots`.

import { measure, median } from "./measure.mjs"
import { writeFiles } from "./write-files.mjs"

const workflow = (count) => ({
  version: 1,
  blocks: [
    {
      id: "each",
      type: "loop",
      mode: "times",
      count,
      blocks: [
        {
          id: "get-{{$index}}",
          type: "request",
          request: { api: "bench", resource: "items", operation: "getItem" },
        },
      ],
    },
  ],
})

/** Returns a row for `check`, and one for a run that has the same files and doesn't look at them. */
export async function compareSnapshots({ folder, emptyFolder, callsheet, count, rounds, progress }) {
  for (const project of [folder, emptyFolder])
    await writeFiles(project, { "apis/workflow/stored.json": workflow(count) })
  const runIn = (project, ...options) =>
    measure([...callsheet, "stored", "--project", project, ...options], { cwd: project })
  await runIn(folder, "--snapshots", "update", "--force")
  const contenders = {
    check: () => runIn(folder, "--snapshots", "check"),
    ignored: () => runIn(folder),
    none: () => runIn(emptyFolder),
  }
  const cpu = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const { cpuMs } = await run()
      // The first round only warms the caches.
      if (round > 0) cpu[name].push(cpuMs)
    }
    progress(`(u) snapshots: ${round} of ${rounds}`)
  }
  progress("")
  const row = (what, name, goal) => ({
    what: `(u) ${count.toLocaleString("en")} snapshots ${what}`,
    measured: "CPU",
    ours: `${median(cpu[name]).toFixed(0)} ms`,
    baseline: `without files ${median(cpu.none).toFixed(0)} ms`,
    ratio: median(cpu[name].map((ms, at) => ms / cpu.none[at])),
    goal,
  })
  return [row("checked", "check", 1.8), row("there, but not asked for", "ignored", 1.05)]
}
