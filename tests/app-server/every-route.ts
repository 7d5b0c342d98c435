// Every way into the server, with a request that would be let in: what the suites of attacks spoil, one thing at a time.

import { routes } from "../../packages/server/src/door/routes.ts"
import type { RawRequest } from "./raw-client.ts"
import { json, type TestApp } from "./start-test-app.ts"

type Headers = readonly (readonly [string, string])[]

export interface KnownRoute {
  readonly name: string
  /** A request that is let in, with all that proves a session. */
  readonly request: RawRequest & { readonly headers: Headers }
  /** Whether it needs a session, or another proof, in its headers. */
  readonly isGuarded: boolean
}

/** Assets, and the table of routes that the server itself reads. */
export async function everyRoute(app: TestApp): Promise<readonly KnownRoute[]> {
  const session = await app.enter()
  const proof: Headers = [...session, ["x-callsheet-owner", app.owner]]
  const assets = ["/", "/assets/page.js"].map((target): KnownRoute => ({
    name: `GET ${target}`,
    request: { target, headers: [] },
    isGuarded: false,
  }))
  const posts = [...routes].map(([target, { needs }]): KnownRoute => ({
    name: `POST ${target}`,
    request: { method: "POST", target, body: "{}", headers: [json, ...proof] },
    isGuarded: needs !== "link",
  }))
  return [...assets, ...posts]
}
