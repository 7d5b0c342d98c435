// Finds the user at the other end of a local connection.

import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { platform, userInfo } from "node:os"

const ADMINISTRATOR = 0
const tables = ["/proc/net/tcp", "/proc/net/tcp6"]
/** The kernel writes a table while connections change, so one reading can miss a row. */
const MAX_READINGS = 3

type Ports = Pick<Socket, "localPort" | "remotePort">

/** Returns true if the other end is this user or the administrator. False if the system can't tell: only Linux can. */
export function isOwnUser(socket: Ports): boolean {
  const users = peerUsers(readTables() ?? "", socket)
  return users.length > 0 && users.every(isOwn)
}

const answers = new WeakMap<object, boolean>()

/** Returns true if the other end is another user of this machine; false if the system can't tell. Looks once. */
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
 * Finds the users of all connections between these two ports in the text of `/proc/net/tcp` (proc_pid_net(5)). Ignores
 * addresses: a foreign row with both ports is reason enough to refuse. A socket that its process has closed has no inode, and
 * its row names user 0 whoever opened it.
 */
export function peerUsers(text: string, { localPort, remotePort }: Ports): readonly number[] {
  if (localPort === undefined || remotePort === undefined) return []
  const [near, far] = [`:${hexOf(remotePort)}`, `:${hexOf(localPort)}`]
  // A regular expression would keep the whole table in memory: V8 retains the last matched text.
  return text.split("\n").flatMap((line) => {
    if (!line.includes(near) || !line.includes(far)) return []
    const [, local = "", remote = "", , , , , user, , inode] = line.split(" ").filter(Boolean)
    return local.endsWith(near) && remote.endsWith(far) && inode !== "0" ? [Number(user)] : []
  })
}

const hexOf = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** Undefined if neither table can be read. */
function readTables(): string | undefined {
  const texts = tables.flatMap((file) => {
    try {
      return [readFileSync(file, "latin1")]
    } catch {
      return []
    }
  })
  return texts.length === 0 ? undefined : texts.join("\n")
}
