// Serves a registry on loopback. Prints its address. Arguments: a directory for its files, the registry that has all
// packages except ours.

import { join } from "node:path"
import { runServer } from "verdaccio"

const [, , folder, upstream] = process.argv
const ours = { access: "$all", publish: "$all" }
const server = await runServer({
  self_path: join(folder, "config.yaml"),
  storage: join(folder, "storage"),
  uplinks: { upstream: { url: upstream, timeout: "60s", max_fails: 100 } },
  packages: {
    "@callsheet/*": ours,
    callsheet: ours,
    "callsheet-*": ours,
    "artillery-engine-callsheet": ours,
    "**": { access: "$all", proxy: "upstream" },
  },
  log: { type: "stdout", format: "json", level: "error" },
})
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`)
})
