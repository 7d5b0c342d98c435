// The addresses of the servers that callsheet started for a run. They change in each run, which `diff` ignores.

import type { JsonValue } from "../json/value.ts"
import type { RunReport } from "../events/types.ts"

/** The hosts with their ports, by API. */
export type ServiceAddresses = ReadonlyMap<string, readonly string[]>

export function serviceAddresses({ environments }: Pick<RunReport, "environments">): ServiceAddresses {
  const found = Object.entries(environments).flatMap(([api, { service, baseUrl }]) =>
    service === undefined
      ? []
      : [[api, [service.address, baseUrl].flatMap((url) => hostOf(url) ?? [])] as const],
  )
  return new Map(found)
}

const hostOf = (url: string | undefined): string | undefined => /^https?:\/\/([^/?#]+)/.exec(url ?? "")?.[1]

/** Returns whether two texts differ only in these addresses. */
export function differInAddress(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  [own, other]: readonly [left: ServiceAddresses, right: ServiceAddresses],
): boolean {
  if (own.size === 0 || other.size === 0 || typeof left !== "string" || typeof right !== "string")
    return false
  return withNames(left, own) === withNames(right, other)
}

/** Replaces each address by the name of its API. */
const withNames = (text: string, addresses: ServiceAddresses): string =>
  [...addresses].reduce(
    (named, [api, hosts]) => hosts.reduce((each, host) => each.replaceAll(host, `{${api}}`), named),
    text,
  )
