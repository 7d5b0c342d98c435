// The page's live region for screen readers.

import { create } from "zustand"

const useAnnouncement = create<{ readonly text: string }>(() => ({ text: "" }))

/** Replaces the previous announcement. Never include a value: it may be a secret. */
export const announce = (text: string): void => useAnnouncement.setState({ text })

export function Announcement() {
  const text = useAnnouncement((state) => state.text)
  return (
    <p className="only-read" role="status">
      {text}
    </p>
  )
}
