// Port files. With one, a second command finds the running app of a project, and proves that it runs as the same user.

import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { PrivateFolder, projectKey, type ProjectState } from "@callsheet/engine"
import { parseJson, shapes, member } from "@callsheet/format"
import { isDead, currentIdentity } from "@callsheet/project"
import { OWNER_HEADER } from "../door/guard.ts"

const { number, object, optional, required, string } = shapes

const portFile = object({
  address: required(string(), "The address that the app listens on."),
  port: required(number(), "The port that the app listens on."),
  owner: required(string(), "The value that `POST /link` expects."),
  pid: required(number(), "The process id."),
  host: required(string(), "The name of the machine."),
  startTime: optional(string(), "The start time of the process."),
  space: optional(string(), "The PID namespace of the process."),
})
export type PortFile = Pick<shapes.TypeOf<typeof portFile>, "address" | "port" | "owner">

/** Writes the port file. Returns a function that removes it, or undefined if it couldn't be written. */
export function writePortFile(
  { state, root }: ProjectState,
  { address, port, owner }: PortFile,
): (() => void) | undefined {
  const folder = new PrivateFolder(state, "app")
  clearDead(folder)
  // Process ids aren't unique, because containers may share the directory.
  const name = `${projectKey(root)}-${randomUUID()}.json`
  const isWritten = folder.write(name, JSON.stringify({ ...currentIdentity(), address, port, owner }))
  return isWritten ? () => folder.remove(name) : undefined
}

export function readPortFiles({ state, root }: ProjectState): readonly PortFile[] {
  const folder = new PrivateFolder(state, "app")
  clearDead(folder)
  return folder
    .names()
    .filter((name) => name.startsWith(`${projectKey(root)}-`))
    .flatMap((name) => folder.readJson(name, portFile) ?? [])
    .map(({ address, port, owner }) => ({ address, port, owner }))
}

/** Removes the files of dead processes. Other processes may write or remove theirs at the same time. */
function clearDead(folder: PrivateFolder): void {
  for (const name of folder.names()) {
    const file = folder.readJson(name, portFile)
    if (file !== undefined && isDead(file)) folder.remove(name)
  }
}

const PATIENCE_MS = 5_000
const LONGEST_ANSWER = 10_000

export async function askForLink({ address, port, owner }: PortFile): Promise<string | undefined> {
  const text = await post({ address, port, owner })
  const parsed = parseJson(text ?? "")
  const link = parsed.ok ? member(parsed.value, "link") : undefined
  // Another program may listen on the port now, so open only a link of this form.
  return typeof link === "string" && /^http:\/\/[0-9a-f.:[\]]+\/#link=[A-Za-z0-9_-]+$/.test(link)
    ? link
    : undefined
}

function post({ address, port, owner }: PortFile): Promise<string | undefined> {
  // The server accepts this name at any address.
  const headers = {
    host: `localhost${port === 80 ? "" : `:${port}`}`,
    "content-type": "application/json",
    [OWNER_HEADER]: owner,
  }
  const options = {
    host: reachable(address),
    port,
    path: "/link",
    method: "POST",
    headers,
    timeout: PATIENCE_MS,
    agent: false,
  }
  return new Promise((resolve) => {
    const asking = request(options, (response) => {
      let text = ""
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => {
          text += chunk
          if (text.length > LONGEST_ANSWER) asking.destroy()
        })
        .on("end", () => resolve(response.statusCode === 200 ? text : undefined))
    })
    asking
      .on("timeout", () => asking.destroy())
      .on("error", () => undefined)
      .on("close", () => resolve(undefined))
      .end("{}")
  })
}

/** Returns the address to connect to. If the server listens on all addresses, this is the loopback address. */
const reachable = (address: string): string =>
  address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address
