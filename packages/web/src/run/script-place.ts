// Where on this page the text of a script stands, if it does.

import type { Place } from "../places/place.ts"

/** `path` is from the root of the project. */
export function scriptPlace(path: string): Place | undefined {
  const [, workflow, script] = /^apis\/workflow\/scripts\/([^/]+)\/(.+)\.ts$/.exec(path) ?? []
  return workflow === undefined || script === undefined ? undefined : { kind: "script", workflow, script }
}
