// Loaded into a measured process: writes its peak resident memory, in KiB, when it exits.

process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.CALLSHEET_BENCH_PEAK, String(process.resourceUsage().maxRSS))
})
