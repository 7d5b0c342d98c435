// Shows a connection problem and what to do about it. Rendered above everything else, and only if there is a problem.

import { useConnection } from "../connection/connection.ts"
import { reconnect } from "../connection/keep-connected.ts"
import { Refused } from "../connection/send.ts"
import { readAgain } from "../data/query-client.ts"
import { visibleText } from "../text/visible-text.ts"

export function Banner({ projectError }: { readonly projectError: Error | null }) {
  const { status, isTrying } = useConnection()
  return (
    <div role="alert" className="banner-place">
      {status === "lost" || status === "ended" ? (
        <Disconnected isEnded={status === "ended"} isTrying={isTrying} />
      ) : null}
      {status === "open" && projectError instanceof Refused ? <Unread refused={projectError} /> : null}
    </div>
  )
}

function Disconnected({ isEnded, isTrying }: { readonly isEnded: boolean; readonly isTrying: boolean }) {
  return (
    <div className="banner">
      <div className="banner-words">
        <Reason isEnded={isEnded} />
      </div>
      <button type="button" className="button" disabled={isTrying} onClick={reconnect}>
        {isTrying ? "Trying…" : "Reconnect"}
      </button>
    </div>
  )
}

function Reason({ isEnded }: { readonly isEnded: boolean }) {
  if (!isEnded) return <Lost />
  return navigator.cookieEnabled ? <Ended /> : <NoCookies />
}

const Ended = () => (
  <>
    <strong>This page is no longer let in.</strong> The server was restarted, the link was used before, or no
    other tab of this page is open. Type <code>callsheet app --print-link</code> in the project and open the
    link that it prints.
  </>
)

const NoCookies = () => (
  <>
    <strong>This browser keeps no cookies for this page.</strong> By a cookie the server knows which page you
    have opened by its link. Allow cookies for this address, then type <code>callsheet app --print-link</code>{" "}
    in the project and open the link that it prints.
  </>
)

const Lost = () => (
  <>
    <strong>callsheet app does not answer.</strong> Is it still running? Type{" "}
    <code>callsheet app --print-link</code> in the project to find out; where it is not,{" "}
    <code>callsheet app</code> starts it. What you see here is as it was before.
  </>
)

function Unread({ refused }: { readonly refused: Refused }) {
  const { code, message, hint } = refused.failure
  return (
    <div className="banner">
      <div className="banner-words">
        <strong>The project could not be read.</strong> {visibleText(message)} ({visibleText(code)})
        {hint === undefined ? "" : ` ${visibleText(hint)}`}
      </div>
      <button type="button" className="button" onClick={() => void readAgain()}>
        Read again
      </button>
    </div>
  )
}
