// Loads Node's HTTP client for the first request, because an offline run sends none.

import type { ClientRequest, RequestOptions } from "node:http"

let request: typeof import("node:http").request | undefined

export function sendHttp(options: RequestOptions): ClientRequest {
  request ??= process.getBuiltinModule("node:http").request
  return request(options)
}
