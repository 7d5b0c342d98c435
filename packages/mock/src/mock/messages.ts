// The messages of mocks, by code.

import { defineMessages, quote } from "@callsheet/format"
import type { PatchFailure } from "./json-patch.ts"

export const messages = defineMessages(() => ({
  "mock-refused": {
    path: (api: string, path: string) => `no operation of ${api} has the path ${quote(path)}`,
    method: (method: string, path: string) => `${path} has no operation ${method}`,
    credentials: (method: string, path: string, schemes: string) =>
      `${method} ${path} requires credentials: ${schemes}`,
    encoding: (encoding: string) => `the mock can't read the content encoding ${quote(encoding)}`,
    invalid: (method: string, path: string) => `the request doesn't match ${method} ${path}`,
    code: (code: string, method: string, path: string) =>
      `${method} ${path} doesn't document the status ${code}, which the header Prefer asks for`,
    example: (name: string, method: string, path: string) =>
      `${method} ${path} doesn't document the example ${quote(name)}, which the header Prefer asks for`,
    accept: (accept: string, documented: readonly string[]) =>
      `the header Accept is ${quote(accept)}; expected one of ${documented.join(", ")}`,
    item: (method: string, path: string) => `nothing is at ${path}, so ${method} has no item to work on`,
    exists: (method: string, path: string) => `${method} ${path} would create an item that exists`,
    patch: (fault: PatchFailure["fault"], number: number, pointer: string) =>
      `operation ${number} of the patch ${patchFaults[fault](pointer)}`,
    patchedAway: () => "the patch leaves no object",
    target: () => "the target of the request is not a path",
    large: (mebibytes: number) => `the body is larger than ${mebibytes} MiB`,
  },
  "mock-unrecorded": {
    request: (method: string, path: string) => `the record contains no request ${method} ${path}`,
    operation: (method: string, path: string) =>
      `the record contains requests of ${method} ${path}, but none with this query and body`,
  },
}))

const patchFaults: { readonly [F in PatchFailure["fault"]]: (pointer: string) => string } = {
  invalid: () => "is not valid JSON Patch",
  missing: (pointer) => `can't be applied: a place that it names, such as ${quote(pointer)}, doesn't exist`,
  different: (pointer) => `expected another value at ${quote(pointer)}`,
  "too-large": () => "makes the item too large",
}
