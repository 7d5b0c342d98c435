import { connect, createServer, type Socket } from "node:net"
import { once } from "node:events"
import { platform } from "node:os"
import { describe, expect, it } from "vitest"
import { isFromOtherUser, isOwnUser, peerUsers } from "./peer-user.ts"

// Rows of /proc/net/tcp: a server at port 4000 (0x0FA0), a client of user 1001 from port 50000 (0xC350), both ends.
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0FA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0100007F:0FA0 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1
   2: 0100007F:C350 0100007F:0FA0 01 00000000:00000000 00:00000000 00000000  1001        0 3 1 0 20 4 30 10 -1`

describe("peerUsers", () => {
  it("returns the user of the other end, not of this one", () => {
    expect(peerUsers(table, { localPort: 4000, remotePort: 50_000 })).toEqual([1001])
  })

  it("returns nobody if the other end is closed: its row says user 0 then", () => {
    const closed = table.replace("1001        0 3 1", "   0        0 0 1")
    expect(peerUsers(closed, { localPort: 4000, remotePort: 50_000 })).toEqual([])
  })

  it("returns nobody if the connection doesn't exist", () => {
    expect(peerUsers(table, { localPort: 4000, remotePort: 50_001 })).toEqual([])
    expect(peerUsers("", { localPort: 4000, remotePort: 50_000 })).toEqual([])
  })
})

describe.runIf(platform() === "linux")("a connection of this process", () => {
  it("is recognized as its user's", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    const client = connect(address.port, "127.0.0.1")
    const [socket] = (await once(server, "connection")) as [Socket]
    const found = { isOwn: isOwnUser(socket), isOther: isFromOtherUser(socket) }
    client.destroy()
    socket.destroy()
    server.close()
    expect(found).toEqual({ isOwn: true, isOther: false })
  })
})

describe("a connection that is unknown to the system", () => {
  const ports = { localPort: 1, remotePort: 1 }

  it("is not this user's", () => {
    expect(isOwnUser(ports)).toBe(false)
  })

  it.runIf(platform() === "linux")(
    "counts as another user's on loopback, and as another machine's elsewhere",
    () => {
      for (const remoteAddress of ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
        expect(isFromOtherUser({ ...ports, remoteAddress })).toBe(true)
      expect(isFromOtherUser({ ...ports, remoteAddress: "192.0.2.1" })).toBe(false)
    },
  )
})
