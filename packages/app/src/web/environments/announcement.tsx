// What was done, for those who do not see it.

import { create } from "zustand"

const useAnnouncement = create<{ readonly text: string }>(() => ({ text: "" }))

/** Never with a value: it may be a secret's. */
export const announce = (text: string): void => useAnnouncement.setState({ text })

export function Announcement() {
  const text = useAnnouncement((state) => state.text)
  return (
    <p className="only-read" role="status">
      {text}
    </p>
  )
}
