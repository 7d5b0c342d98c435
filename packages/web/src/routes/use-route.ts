// The current route. It is in the address, so that reload, back and a second window work.

import { useMemo, useSyncExternalStore } from "react"
import { hashOf, routeOf, type Route } from "./route.ts"

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  return useMemo(() => routeOf(hash), [hash])
}

export function goTo(route: Route): void {
  window.location.hash = hashOf(route)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  window.addEventListener("popstate", listener)
  return () => {
    window.removeEventListener("hashchange", listener)
    window.removeEventListener("popstate", listener)
  }
}
