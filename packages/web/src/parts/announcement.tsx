// What has come to pass, for those who do not see it: the one place of the page that is read out.

import { create } from "zustand"

const useAnnouncement = create<{ readonly text: string }>(() => ({ text: "" }))

/** Takes the place of what was said before. Never with a value: it may be a secret's. */
export const announce = (text: string): void => useAnnouncement.setState({ text })

export function Announcement() {
  const text = useAnnouncement((state) => state.text)
  return (
    <p className="only-read" role="status">
      {text}
    </p>
  )
}
