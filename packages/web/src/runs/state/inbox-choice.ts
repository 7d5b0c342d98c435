// Where the inbox of runs is, if the user has set it: its port, and the address of a tunnel to it.

import { create } from "zustand"
import { addressPattern, setOwn } from "@callsheet/format"
import type { RunForm, RunOrder } from "@callsheet/server/calls"
import { lasting } from "../../connection/window-storage.ts"

/** Both as typed. An empty text leaves it to `callsheet.json`. */
export interface InboxChoice {
  readonly port: string
  readonly url: string
}

const keys: { readonly [N in keyof InboxChoice]: string } = {
  port: "callsheet inbox port",
  url: "callsheet inbox url",
}

export const useInboxChoice = create<InboxChoice>(() => ({
  port: lasting.getItem(keys.port) ?? "",
  url: lasting.getItem(keys.url) ?? "",
}))

export function chooseInbox(name: keyof InboxChoice, text: string): void {
  lasting.setItem(keys[name], text)
  useInboxChoice.setState({ [name]: text })
}

export const inboxField = (name: keyof InboxChoice): string => `inbox ${name}`

/** Returns the part of an order that the choice decides, with the problems of its fields. */
export function inboxOrderOf({ hasInbox }: Pick<RunForm, "hasInbox">, { port, url }: InboxChoice) {
  const faults: Record<string, string> = {}
  const order: { -readonly [N in "inboxPort" | "inboxUrl"]?: RunOrder[N] } = {}
  if (hasInbox !== true) return { order, faults }
  if (port.trim() !== "") {
    order.inboxPort = Number(port)
    if (!/^[1-9]\d{0,4}$/.test(port.trim()) || order.inboxPort > 65_535)
      setOwn(faults, inboxField("port"), "This must be a port from 1 to 65535.")
  }
  if (url.trim() !== "") {
    order.inboxUrl = url.trim()
    if (!addressPattern.test(order.inboxUrl))
      setOwn(faults, inboxField("url"), "This must be an http or https URL without a query.")
  }
  return { order, faults }
}
