// Tells the inbox of a run about each exchange, so that it knows where the operations call back.

import type { RequestBlock } from "@callsheet/format"
import type { KnownExchange } from "@callsheet/openapi"
import type { Running } from "../run/context.ts"
import type { SentRequest } from "../ports.ts"
import type { Sending } from "./check-request.ts"

/** Called when a request is sent, because the message may arrive first, and again with its response. */
export function noteExchange(
  { frame: { context } }: Running<RequestBlock>,
  { template: { target }, built }: Sending,
  { headers, response }: Pick<SentRequest, "headers"> & Pick<KnownExchange, "response">,
): void {
  if (target.operation === undefined) return
  const { method, url } = built.wire
  context.inbox?.onExchange({
    operation: target.operation,
    method,
    url,
    headers,
    body: built.bodyView,
    response,
  })
}
