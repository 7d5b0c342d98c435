// Finds the user on the other end of a local connection.

import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { platform, userInfo } from "node:os"
import { attempt } from "@callsheet/format"

const ADMINISTRATOR = 0
const tables = ["/proc/net/tcp", "/proc/net/tcp6"]
/** The maximum number of readings. The kernel writes the table while connections change, so one reading can miss a row. */
const MAX_READINGS = 3

type Ports = Pick<Socket, "localPort" | "remotePort">

/** Returns true if this user or the administrator is on the other end. Returns false if unknown, as on systems but Linux. */
export function isOwnUser(socket: Ports): boolean {
  const users = peerUsers(readTables() ?? "", socket)
  return users.length > 0 && users.every(isOwn)
}

const answers = new WeakMap<object, boolean>()

/** Returns true if another user is on the other end, or false if unknown. The answer is cached. */
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

const isOwn = (user: number): boolean => user === userInfo().uid || user === ADMINISTRATOR

const isLoopback = (address = ""): boolean => address === "::1" || /^(::ffff:)?127\./.test(address)

/**
 * Finds the users of all connections between two ports in `/proc/net/tcp` (proc_pid_net(5)). Any address counts, so that doubt
 * leads to a refusal. Rows without an inode are closed sockets, which always name user 0.
 */
export function peerUsers(text: string, { localPort, remotePort }: Ports): readonly number[] {
  if (localPort === undefined || remotePort === undefined) return []
  const [near, far] = [`:${hexOf(remotePort)}`, `:${hexOf(localPort)}`]
  // Don't use a regular expression: V8 retains the last matched string, and thus the whole table.
  return text.split("\n").flatMap((line) => {
    if (!line.includes(near) || !line.includes(far)) return []
    const [, local = "", remote = "", , , , , user, , inode] = line.split(" ").filter(Boolean)
    return local.endsWith(near) && remote.endsWith(far) && inode !== "0" ? [Number(user)] : []
  })
}

const hexOf = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** Returns both tables, or undefined if neither can be read. */
function readTables(): string | undefined {
  const texts = tables.flatMap((file) => attempt(() => readFileSync(file, "latin1")) ?? [])
  return texts.length === 0 ? undefined : texts.join("\n")
}
