// Port files: by which a second command finds the application of a project that is running, and shows that it is its user's.

import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { isJsonObject, parseJson, shapes } from "@callsheet/format"
import { isDead, ownIdentity } from "@callsheet/project"
import { OWNER_HEADER } from "../door/guard.ts"
import { PrivateFolder, projectKey, type ProjectState } from "./private-folder.ts"

const { number, object, optional, required, string } = shapes

const portFile = object({
  address: required(string(), "The address that it listens at."),
  port: required(number(), "The port that it listens at."),
  owner: required(string(), "What `POST /link` expects."),
  pid: required(number(), "The process."),
  host: required(string(), "The machine of the process."),
  startTime: optional(string(), "When the process started."),
  space: optional(string(), "The namespace of the process."),
})
export type PortFile = Pick<shapes.TypeOf<typeof portFile>, "address" | "port" | "owner">

/** Returns what removes the file again; undefined if it couldn't be written, so that no command will find this process. */
export function writePortFile(
  { state, root }: ProjectState,
  { address, port, owner }: PortFile,
): (() => void) | undefined {
  const folder = new PrivateFolder(state, "app")
  clearDead(folder)
  // Containers may share the folder, and number their processes alike.
  const name = `${projectKey(root)}-${randomUUID()}.json`
  const isWritten = folder.write(name, JSON.stringify({ ...ownIdentity(), address, port, owner }))
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

/** Removes the files of processes that ended without doing so. Others may be about to write or to remove theirs. */
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
  const link = parsed.ok && isJsonObject(parsed.value) ? parsed.value["link"] : undefined
  // Whatever answers at that port, a person is led nowhere else.
  return typeof link === "string" && /^http:\/\/[0-9a-f.:[\]]+\/#link=[A-Za-z0-9_-]+$/.test(link)
    ? link
    : undefined
}

function post({ address, port, owner }: PortFile): Promise<string | undefined> {
  // Whatever the server listens at, this name of it is among its own.
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

/** Who listens at every address is reached at that of the machine itself. */
const reachable = (address: string): string =>
  address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address
