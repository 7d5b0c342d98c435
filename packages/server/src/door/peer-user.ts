// Which user is at the other end of a connection of this machine.

import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { userInfo } from "node:os"

const ADMINISTRATOR = 0
const tables = ["/proc/net/tcp", "/proc/net/tcp6"]

/**
 * Whether the other end is a process of this user, or of the administrator, to whom all is open anyway. False where the
 * system does not tell: only Linux does.
 */
export function isOwnUser(socket: Pick<Socket, "localPort" | "remotePort">): boolean {
  const users = peerUsers(tables.map(read).join("\n"), socket)
  const own = userInfo().uid
  return users.length > 0 && users.every((user) => user === own || user === ADMINISTRATOR)
}

/**
 * The users of all connections between these two ports, by the text of `/proc/net/tcp` (proc_pid_net(5)). Addresses are not
 * looked at: a stranger's row that has both ports is reason enough to say no.
 */
export function peerUsers(
  text: string,
  { localPort, remotePort }: Pick<Socket, "localPort" | "remotePort">,
): readonly number[] {
  if (localPort === undefined || remotePort === undefined) return []
  return text.split("\n").flatMap((line) => {
    const [, local = "", remote = "", , , , , user] = line.trim().split(/\s+/)
    const isPeer = portOf(local) === remotePort && portOf(remote) === localPort
    return isPeer && user !== undefined ? [Number(user)] : []
  })
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16)

function read(file: string): string {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}
