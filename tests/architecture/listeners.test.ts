// Every server of callsheet is created in a module whose callbacks can't end the process.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const allowed = [
  "examples/shop/server/start-sample-api.ts",
  "packages/engine/src/node/listener/create-listener.ts",
]

const sources = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /^(?:packages\/|examples\/).*\.(?:ts|tsx|js|mjs|cjs)$/.test(path))
  .filter((path) => !/\.test\.tsx?$|\/testing\/|\/dist\//.test(path))

const module = String.raw`"(?:node:)?(?:http|https|http2|net|tls|dgram)"`
const opened = new RegExp(
  [
    // A named import that isn't only a type.
    String.raw`import \{[^}]*(?<!type )\b(?:create(?:Secure)?(?:Server|Socket)|Server|SecureServer)\b[^}]*\} from ${module}`,
    // A module as a whole, or one that is loaded later.
    String.raw`\b\w+\.create(?:Secure)?Server\b`,
    String.raw`(?:import|require|getBuiltinModule)(?:<[^>]*>)?\(${module}\)\)?\.(?:create|Server)`,
  ].join("|"),
  "s",
)

describe("a server", () => {
  it("is created only where no request can end the process", () => {
    const found = sources.filter((path) => opened.test(readFileSync(root + path, "utf8")))
    expect(found.sort(), "use createListener of engine").toEqual(allowed)
  })
})
