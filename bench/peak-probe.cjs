// Loaded into a measured process: writes the peak of its resident memory, in KiB, as it ends.

process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.CALLSHEET_BENCH_PEAK, String(process.resourceUsage().maxRSS))
})
