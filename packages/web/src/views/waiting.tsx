// Before the project was read for the first time: the two panes stand already, so that nothing jumps.

import { useConnection } from "../connection/connection.ts"

export function Waiting() {
  const isEnded = useConnection(({ status }) => status === "ended" || status === "lost")
  return (
    <div className="panes">
      <div className="sidebar" />
      <main className="main" id="main" tabIndex={-1}>
        <h1 className="only-read">callsheet</h1>
        <p className="waiting" role="status">
          {isEnded ? "There is nothing to show yet." : "Reading the project…"}
        </p>
      </main>
    </div>
  )
}
