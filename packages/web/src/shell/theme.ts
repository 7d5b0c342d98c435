// The color theme: the system's, or the one that the user chose. The browser remembers it.

import { create } from "zustand"

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
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Without storage, a reload restores the system's theme.
  }
}

function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(key)
    return themes.find((theme) => theme === kept) ?? "system"
  } catch {
    return "system"
  }
}
