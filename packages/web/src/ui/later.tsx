// Components whose code is loaded when they are first shown, or before.

import { useEffect, useState, type ComponentType } from "react"

/**
 * Returns a component, and a function that loads its code before it is shown. Until then, the component shows `Waiting`.
 * Unlike `lazy`, it has no boundary of Suspense, which would show its fallback for 300 ms even if the code arrives at
 * once.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Waiting: ComponentType<P> = Nothing,
): readonly [Later: ComponentType<P>, preload: () => Promise<void>] {
  let Loaded: ComponentType<P> | undefined
  const preload = async (): Promise<void> => {
    // If the server is gone, the banner says so.
    Loaded ??= await load().catch(() => undefined)
  }
  function Later(props: P) {
    const [, setLoaded] = useState(false)
    useEffect(() => {
      if (Loaded === undefined) void preload().then(() => setLoaded(true))
    }, [])
    return Loaded === undefined ? <Waiting {...props} /> : <Loaded {...props} />
  }
  return [Later, preload]
}

const Nothing = (): null => null
