// Lists the packages in a bundle and collects their licenses, as these licenses require.

import { readFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readJson } from "./repository.mjs"

const licenses = fileURLToPath(new URL("licenses/", import.meta.url))

/** Returns the packages that the chunks of one or several bundles contain, by directory. */
export async function findBundled(chunks) {
  const ids = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => id.replaceAll("\\", "/")))
  const folders = new Set(ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))
  const sorted = [...folders].sort((one, other) => (one < other ? -1 : 1))
  return Promise.all(
    sorted.map(async (folder) => {
      const { name, version, license } = await readJson(join(folder, "package.json"))
      return { folder, name, version, license }
    }),
  )
}

/** Returns the text for the chunks of one or several bundles. */
export async function collectNotices(chunks) {
  const notices = []
  for (const { folder, name, version, license } of await findBundled(chunks)) {
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    // Some packages on npm don't contain the file, although the license requires it. It is then in `scripts/licenses`.
    const place = file === undefined ? join(licenses, `${name}.txt`) : join(folder, file)
    notices.push(`${name} ${version} (${license})\n\n${(await readFile(place, "utf8")).trim()}\n`)
  }
  return notices.join(`\n${"-".repeat(80)}\n\n`)
}
