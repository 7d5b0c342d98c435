// Calls that start, stop and watch the mocks of APIs.

import { shapes } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { api } from "./names.ts"

const { boolean, object, required } = shapes

export const mockCalls = {
  /** Returns whether an API has a mock, and the latest requests that it received. */
  "mocks.read": call(object({ api }), answer<MockView>()),
  /**
   * Starts the mock of an API on loopback, as `callsheet mock` does. It ends with the app. Does nothing if the mock is on.
   * Answers 422 with the problems if the document can't be read.
   */
  "mocks.start": call(
    object({
      api,
      keepsState: required(boolean, "True to keep what clients create, change and delete."),
    }),
    answer<MockView>(),
  ),
  "mocks.stop": call(object({ api }), answer<MockView>()),
}

export type MockView =
  | { readonly is: "off" }
  | {
      readonly is: "on"
      readonly url: string
      readonly keepsState: boolean
      /** Why the mock answers from an earlier version of the document: callsheet can't read the current one. */
      readonly broken?: MockProblemView | undefined
      /** The number of requests since the start. */
      readonly count: number
      /** The latest requests, newest first. Secrets are masked. */
      readonly calls: readonly MockCallView[]
    }

export interface MockCallView {
  /** Counts the requests of a mock from 1. */
  readonly number: number
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly status: number
  /** Why the mock refused the request, or what it tolerated. */
  readonly request: readonly MockProblemView[]
  /** How the answer contradicts the document. */
  readonly response: readonly MockProblemView[]
}

export interface MockProblemView {
  readonly message: string
  /** Where the document forbids it. */
  readonly file?: string | undefined
  readonly line?: number | undefined
}
