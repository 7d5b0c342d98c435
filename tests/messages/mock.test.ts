import { mockMessages } from "@callsheet/mock"
import { describeMessages } from "./describe-messages.ts"

const order = ["POST", "/orders"] as const

describeMessages("mock", mockMessages, {
  "mock-refused": {
    path: [["shop", "/ordrs"]],
    method: [["PATCH", "/orders"]],
    credentials: [[...order, "session, or sessionCookie"]],
    encoding: [["gzip"]],
    invalid: [[...order]],
    code: [["418", ...order]],
    example: [["large", ...order]],
    accept: [["text/html", ["application/json", "text/csv"]]],
    item: [["GET", "/orders/1"]],
    exists: [["POST", "/orders"]],
    patch: [
      ["invalid", 1, ""],
      ["missing", 2, "/lines/7"],
      ["different", 1, "/state"],
      ["too-large", 900, "/a"],
    ],
    patchedAway: [[]],
    target: [[]],
    large: [[10]],
  },
  "mock-unrecorded": { request: [["GET", "/orders/1"]], operation: [["GET", "/orders"]] },
})
