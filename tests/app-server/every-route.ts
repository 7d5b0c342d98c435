// Every route of the server, with a valid request: the attack suites change one part at a time.

import { routes } from "../../packages/server/src/door/routes.ts"
import type { RawRequest } from "./raw-client.ts"
import { json, type TestApp } from "./start-test-app.ts"

type Headers = readonly (readonly [string, string])[]

export interface KnownRoute {
  readonly name: string
  /** A valid request, with all credentials of a session. */
  readonly request: RawRequest & { readonly headers: Headers }
  /** True if the request needs a session, or another proof, in its headers. */
  readonly isGuarded: boolean
}

/** Assets, and the server's own table of routes. */
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
