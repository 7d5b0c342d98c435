// Finds the user at the other end of a local connection.

import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { platform } from "node:os"
import { attempt } from "@callsheet/format"
import { currentUserId } from "@callsheet/project"

const ADMINISTRATOR = 0
const tables = ["/proc/net/tcp", "/proc/net/tcp6"]
/** The maximum number of readings. The table changes while the kernel writes it, so a reading can miss a row. */
const MAX_READINGS = 3

type Ports = Pick<Socket, "localPort" | "remotePort">

/**
 * Returns whether this user or the administrator is at the other end. False if unknown, as on all systems except Linux.
 */
export function isOwnUser(socket: Ports): boolean {
  const users = peerUsers(readTables() ?? "", socket)
  return users.length > 0 && users.every(isOwn)
}

const answers = new WeakMap<object, boolean>()

/** Returns whether another user is at the other end. False if unknown. Cached. */
export function isFromOtherUser(socket: Ports & Pick<Socket, "remoteAddress">): boolean {
  const known = answers.get(socket)
  if (known !== undefined) return known
  const users = platform() === "linux" ? findPeerUsers(socket) : undefined
  const isOther =
    users !== undefined && (users.length === 0 ? isLoopback(socket.remoteAddress) : !users.every(isOwn))
  answers.set(socket, isOther)
  return isOther
}

function findPeerUsers(socket: Ports): readonly number[] | undefined {
  let users: readonly number[] = []
  for (let readings = 0; users.length === 0 && readings < MAX_READINGS; readings++) {
    const text = readTables()
    if (text === undefined) return undefined
    users = peerUsers(text, socket)
  }
  return users
}

const isOwn = (user: number): boolean => user === currentUserId() || user === ADMINISTRATOR

const isLoopback = (address = ""): boolean => address === "::1" || /^(::ffff:)?127\./.test(address)

/**
 * Finds the users of all connections between two ports in `/proc/net/tcp` (proc_pid_net(5)). Accepts any address, so
 * that callsheet refuses if in doubt. Rows without an inode are closed sockets, which always have user 0.
 */
export function peerUsers(text: string, { localPort, remotePort }: Ports): readonly number[] {
  if (localPort === undefined || remotePort === undefined) return []
  const [near, far] = [`:${hexOf(remotePort)}`, `:${hexOf(localPort)}`]
  // V8 keeps the last string that a regular expression matched, here the whole table. So don't use one.
  return text.split("\n").flatMap((line) => {
    if (!line.includes(near) || !line.includes(far)) return []
    const [, local = "", remote = "", , , , , user, , inode] = line.split(" ").filter(Boolean)
    return local.endsWith(near) && remote.endsWith(far) && inode !== "0" ? [Number(user)] : []
  })
}

const hexOf = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** Returns both tables. Undefined if neither can be read. */
function readTables(): string | undefined {
  const texts = tables.flatMap((file) => attempt(() => readFileSync(file, "latin1")) ?? [])
  return texts.length === 0 ? undefined : texts.join("\n")
}
