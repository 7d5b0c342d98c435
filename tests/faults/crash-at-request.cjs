// Loaded into the command under test (`node --require`). Crashes it, with a secret in reach, at its first request.

const http = require("node:http")
const { syncBuiltinESMExports } = require("node:module")

// Saved before the command starts.
const secret = process.env.CALLSHEET_VAR__SHOP__KEY
const crashes = {
  throws: () => {
    throw new Error(`${secret} is not iterable`)
  },
  "throws a text": () => {
    throw secret
  },
  "throws an object": () => {
    throw { secret, code: secret }
  },
  rejects: () => void Promise.reject(new RangeError(secret)),
  aborts: () => process.abort(),
  "is signaled": () => process.kill(process.pid, "SIGUSR2"),
  "is asked for a report": () => process.report.writeReport("command.json"),
  "runs out of memory": () => {
    const all = []
    for (;;) all.push([secret, {}])
  },
}

const request = http.request
http.request = (...args) => {
  process.nextTick(crashes[process.env.CALLSHEET_TEST_CRASH])
  return request(...args)
}
syncBuiltinESMExports()
