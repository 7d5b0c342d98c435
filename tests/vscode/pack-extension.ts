// Packs the extension that the tests install, with the command that was just built.

import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const vsix = fileURLToPath(new URL("../../node_modules/.cache/callsheet/test.vsix", import.meta.url))

export default async function packExtension(): Promise<void> {
  const script = fileURLToPath(new URL("../../scripts/vsix.mjs", import.meta.url))
  await promisify(execFile)(process.execPath, [script, vsix])
}
