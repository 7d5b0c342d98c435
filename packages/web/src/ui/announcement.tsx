// The live region of the page for screen readers.

import { create } from "zustand"

const useAnnouncement = create<{ readonly text: string }>(() => ({ text: "" }))

/** Replaces the last announcement. Never pass a value, which may be a secret. */
export const announce = (text: string): void => useAnnouncement.setState({ text })

export function Announcement() {
  const text = useAnnouncement((state) => state.text)
  return (
    <p className="only-read" role="status">
      {text}
    </p>
  )
}
