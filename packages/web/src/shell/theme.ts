// The color theme: the system's, or the one that the user chose. The browser remembers it.

import { create } from "zustand"
import { lasting } from "../connection/window-storage.ts"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const key = "callsheet theme"

export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: keptTheme() }))

export function showTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

export function chooseTheme(theme: Theme): void {
  useTheme.setState({ theme })
  showTheme(theme)
  lasting.setItem(key, theme)
}

function keptTheme(): Theme {
  const kept = lasting.getItem(key)
  return themes.find((theme) => theme === kept) ?? "system"
}
