// The entry point of the page. First, it removes the link's secret from the address.

import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import type { AppEvent } from "@callsheet/server/calls"
import { App } from "./app.tsx"
import { keepConnected } from "./connection/keep-connected.ts"
import { hearEvent, readAgain } from "./connection/query-client.ts"
import { catchUpFiles, keepDraftsOnLeaving, readFilesAgain } from "./files/open-files.ts"
import { watchPasswords } from "./forms/passwords/password-question.ts"
import { hearRunEvent, lookAgain, lookLater } from "./connection/run-store.ts"
import { showTheme, useTheme } from "./shell/theme.ts"
import "./styles/page.css"
import { takeLink } from "./connection/session-key.ts"

const link = takeLink()
showTheme(useTheme.getState().theme)
keepDraftsOnLeaving()
watchPasswords()
void keepConnected({ link, onEvent: hear, onOpen: beginAgain, onCrowded: readWithoutEvents })

function hear(event: AppEvent): void {
  hearEvent(event)
  hearRunEvent(event)
  if (event.type === "project.changed") readFilesAgain()
}

function beginAgain(): void {
  void readAgain()
  catchUpFiles()
  lookAgain()
}

function readWithoutEvents(): Promise<void> {
  catchUpFiles()
  lookLater()
  return readAgain()
}

const place = document.querySelector("#page")
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
