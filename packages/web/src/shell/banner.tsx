// Shows a connection problem and its solution, above everything else.

import { useConnection } from "../connection/connection.ts"
import { reconnect } from "../connection/keep-connected.ts"
import { Refused } from "../connection/send.ts"
import { readAgain } from "../connection/query-client.ts"
import { visibleText } from "../ui/visible-text.ts"

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
    <strong>This page can no longer connect.</strong> The server restarted, the link was already used, or no
    other tab of this page is open. Run <code>callsheet app --print-link</code> in the project and open the
    link it prints.
  </>
)

const NoCookies = () => (
  <>
    <strong>This browser blocks cookies for this page.</strong> The server uses a cookie to recognize a page
    that you opened with its link. Allow cookies for this address, then run{" "}
    <code>callsheet app --print-link</code> in the project and open the link it prints.
  </>
)

const Lost = () => (
  <>
    <strong>callsheet app is not responding.</strong> Is it still running? Run{" "}
    <code>callsheet app --print-link</code> in the project to check. If it isn't, start it with{" "}
    <code>callsheet app</code>. This page shows the last state it received.
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
        Reload
      </button>
    </div>
  )
}
