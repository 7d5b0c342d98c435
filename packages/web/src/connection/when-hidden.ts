// Whether the page has been out of sight for a while: then it hears of nothing. A browser lets it sleep, so it is not the one that
// hears for all; and where each page hears for itself, each takes one of the six connections that a browser has to a server.

/** Long enough for looking into another tab and back. */
const afterMs = 5000

export interface Sight {
  readonly isHidden: () => boolean
  /** Fulfilled when the page is in sight; at once where it is. */
  readonly shown: () => Promise<void>
}

/** `onHidden` is called when the page has been out of sight for a while. */
export function watchSight(onHidden: () => void): Sight {
  let isHidden = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let show: () => void = () => undefined
  const look = (): void => {
    clearTimeout(timer)
    if (document.visibilityState !== "hidden") {
      isHidden = false
      show()
      return
    }
    timer = setTimeout(() => {
      isHidden = true
      onHidden()
    }, afterMs)
  }
  document.addEventListener("visibilitychange", look)
  look()
  return {
    isHidden: () => isHidden,
    shown: () => (isHidden ? new Promise((resolve) => (show = resolve)) : Promise.resolve()),
  }
}
