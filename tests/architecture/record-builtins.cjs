// Loaded into a command under test: writes on exit which of Node's own modules it has loaded.

process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.CALLSHEET_TEST_BUILTINS, process.moduleLoadList.join("\n"))
})
