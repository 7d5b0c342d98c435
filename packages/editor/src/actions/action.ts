// What offers an action: a function from a place and its problems to what can be done about them.

import type { Command, Diagnostic } from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import type { Place } from "../workspace/workspace.ts"
import type { NewText } from "../edits/workspace-edit.ts"

/** The kinds that a client can ask for. */
export const actionKinds = [
  "quickfix",
  "refactor.extract",
  "refactor.rewrite",
  "source.fixAll.callsheet",
] as const

export type ActionKind = (typeof actionKinds)[number]

export interface ActionRequest {
  readonly place: Place
  /** The problems of callsheet at the place. */
  readonly diagnostics: readonly Diagnostic[]
  /** The offset of the cursor, or where the selection starts. */
  readonly offset: number
  readonly context: Context
  /** Returns whether the client asks for this kind by its name, not for any. */
  readonly asksFor: (kind: ActionKind) => boolean
}

export interface Offer {
  readonly title: string
  readonly kind: ActionKind
  /** The problem that the action solves. */
  readonly diagnostic?: Diagnostic
  /** True if nothing else is as likely to be right. */
  readonly isPreferred?: boolean
  /** Texts never contain a value of a secrets file. */
  readonly texts?: readonly NewText[]
  /** A command of the server, for what an editor must not do. */
  readonly command?: Command
}

export type Offering = (request: ActionRequest) => readonly Offer[] | Promise<readonly Offer[]>

/** Returns what the offering makes of each problem with one of the codes. */
export const forCodes =
  (
    codes: readonly string[],
    offer: (diagnostic: Diagnostic, request: ActionRequest) => readonly Offer[] | Promise<readonly Offer[]>,
  ): Offering =>
  async (request) => {
    const own = request.diagnostics.filter(({ code }) => codes.includes(String(code)))
    return (await Promise.all(own.map(async (diagnostic) => offer(diagnostic, request)))).flat()
  }
