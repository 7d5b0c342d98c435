// Reads and checks the user-level file, and refuses it if anyone else could have written it.

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs"
import * as paths from "node:path"
import { dirname } from "node:path"
import {
  attempt,
  checkUserFile,
  decodeText,
  toProblem,
  wayInside,
  type Finding,
  type UserCertificate,
} from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { ClientCertificate, OpenedUserFile } from "../../ports.ts"
import { isOwnedByUser } from "../cache-folder.ts"
import { userPath } from "./user-path.ts"

interface OpenUserFile {
  readonly root: string
  readonly path: string
  readonly shown: string
}

export function openUserFile({ path, shown, root }: OpenUserFile): OpenedUserFile {
  const read = readSafely(path, root)
  if ("code" in read) return { shown, problems: [toProblem(read, shown)], secrets: [] }
  const { user, problems } = checkUserFile({ file: shown, text: read.text })
  const { certificates = [], resolvers = {} } = user ?? {}
  const folder = dirname(path)
  const known = new Map<UserCertificate, ClientCertificate>()
  const secrets = certificates.flatMap(({ origin, passphrase }) =>
    passphrase === undefined ? [] : [{ name: `the passphrase for ${origin}`, value: passphrase }],
  )
  return {
    shown,
    problems,
    secrets,
    user: { folder, resolvers },
    certificateOf: (origin, environment) => {
      const ofOrigin = certificates.filter((entry) => new URL(entry.origin).origin === origin)
      const entry =
        ofOrigin.find((one) => one.environment === environment && environment !== undefined) ??
        ofOrigin.find((one) => one.environment === undefined)
      if (entry === undefined) return undefined
      const found = known.get(entry) ?? readCertificate(entry, folder)
      known.set(entry, found)
      return found
    },
  }
}

type Refusal = Finding<"user-file-unsafe" | "file-unreadable" | "file-encoding">

/** Reads the file. The checks and the read use the same open file, so that nobody can exchange it in between. */
function readSafely(path: string, root: string): { readonly text: string } | Refusal {
  const unsafe = messages["user-file-unsafe"]
  const { notFile, system } = messages["file-unreadable"]
  let descriptor: number | undefined
  try {
    // Without `O_NONBLOCK`, opening a pipe would block.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return notFile()
    if (wayInside(paths, realpathSync(root), realpathSync(path)) !== undefined) return unsafe.inProject()
    if (!isOwnedByUser(stats, 0)) return unsafe.foreign()
    if (!isOwnedByUser(stats, 0o077)) return unsafe.open((stats.mode & 0o777).toString(8))
    const decoded = decodeText(readFileSync(descriptor))
    return decoded.ok ? { text: decoded.text } : decoded.finding
  } catch (error) {
    return system(String((error as NodeJS.ErrnoException).code))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function readCertificate(entry: UserCertificate, folder: string): ClientCertificate {
  const files: { cert?: Buffer; key?: Buffer; pfx?: Buffer; ca?: Buffer } = {}
  for (const field of ["cert", "key", "pfx", "ca"] as const) {
    const path = entry[field]
    if (path === undefined) continue
    const bytes = attempt(() => readFileSync(userPath(path, folder)))
    if (bytes === undefined) return { fault: messages["request-failed"].certificateFile(entry.origin, field) }
    files[field] = bytes
  }
  return { ...files, passphrase: entry.passphrase }
}
