// Bundles a program with all its dependencies into one file. Names stay, because users send us stack traces.

import { rolldown } from "rolldown"
import { root } from "./repository.mjs"

/** Returns the chunk. `path` is below `packages`. */
export async function bundleProgram(path, external = []) {
  const built = await rolldown({ cwd: root, input: `${root}packages/${path}`, platform: "node", external })
  const { output } = await built.generate({
    format: "cjs",
    codeSplitting: false,
    // THIRD-PARTY-NOTICES.txt contains the licenses.
    comments: { legal: false },
    minify: { mangle: { keepNames: { function: true, class: true } } },
  })
  await built.close()
  return output[0]
}
