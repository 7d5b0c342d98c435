// Where the page begins: the link leaves the address before anything else is done.

import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { keepConnected } from "./connection/keep-connected.ts"
import { takeLink } from "./connection/take-link.ts"
import { hearEvent, readAgain } from "./data/query-client.ts"
import "./styles/page.css"

const link = takeLink()
void keepConnected({ link, onEvent: hearEvent, onOpen: readAgain })

const place = document.querySelector("#page")
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
