// Asks a running application for another link, as the command does that has read its port file.

import { request } from "node:http"
import { isJsonObject, parseJson } from "@callsheet/format"
import { OWNER_HEADER } from "../door/guard.ts"
import type { PortFile } from "./port-files.ts"

const PATIENCE_MS = 5_000
const LONGEST_ANSWER = 10_000

/** The link; undefined where nothing answers, or something else does. */
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
