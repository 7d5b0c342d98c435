// The name of a saved request as the id of a block that sends it.

import { objectToId } from "@callsheet/format"

/** `new order` is `new-order`; where nothing of it can be part of an id, `request`. */
export function idOf(name: string): string {
  const id = name.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "")
  return id === "" || objectToId(id) !== undefined ? "request" : id
}
