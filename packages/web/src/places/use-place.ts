// The selected route. It is in the address, so that reload, back and a second window work.

import { useMemo, useSyncExternalStore } from "react"
import { hashOf, placeOf, type Place } from "./place.ts"

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  return useMemo(() => placeOf(hash), [hash])
}

export function goTo(place: Place): void {
  window.location.hash = hashOf(place)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  window.addEventListener("popstate", listener)
  return () => {
    window.removeEventListener("hashchange", listener)
    window.removeEventListener("popstate", listener)
  }
}
