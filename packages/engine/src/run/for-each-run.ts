// Adds ports of its own to each run of a session.

import type { Ports, PortsPlace } from "../ports.ts"

/** Returns ports to which every run adds what `own` returns. */
export function forEachRun(ports: Ports, own: (place: PortsPlace) => Partial<Ports>): Ports {
  // The first run may continue the cookies of an earlier session.
  let isFirst = true
  const open = (place: PortsPlace): Ports => {
    if (ports.forRun !== undefined) return ports.forRun(place)
    return isFirst ? ports : { ...ports, http: ports.http.withOwnCookies() }
  }
  return {
    ...ports,
    forRun: (place) => {
      const opened = open(place)
      isFirst = false
      return { ...opened, ...own(place) }
    },
  }
}
