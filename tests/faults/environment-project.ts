// The small project that the environment tests start from, and helpers that read it.

import { lstat, readdir, readFile, readlink } from "node:fs/promises"
import { join } from "node:path"

export const ENVIRONMENTS = "apis/shop/environments"
export const CANARY = "S3CR3T-canary-77"

export const schema = {
  version: 1,
  variables: {
    baseUrl: { type: "string", required: false },
    port: { type: "number", required: false },
    dry: { type: "boolean", required: false },
    apiKey: { type: "string", required: false, secret: true },
    pin: { type: "number", required: false, secret: true },
  },
}

export const local = '{\n  "baseUrl": "http://127.0.0.1:1",\n  "port": 1\n}\n'
export const secrets = "# theirs\napiKey=old\n"

export const files = {
  ".gitignore": "*.secrets.env\n",
  [`${ENVIRONMENTS}/schema.json`]: schema,
  [`${ENVIRONMENTS}/local.json`]: local,
  [`${ENVIRONMENTS}/local.secrets.env`]: secrets,
  [`${ENVIRONMENTS}/staging.json`]: '{ "extends": "local" }\n',
}

/** Every file below a directory, including hidden ones: its bytes, or the target of a link. */
export async function everyFile(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name)
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) found[name] = `-> ${await readlink(path)}`
    else if (stats.isFile()) found[name] = await readFile(path, "latin1")
  }
  return found
}
