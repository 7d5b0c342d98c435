// The buttons that log in to a scheme and out again, without a request. The server keeps the token.

import { useEffect, useRef, useState } from "react"
import type { Input, LoginQuestion, SchemeView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { faultOf, type Fault } from "../../connection/fault-of.ts"
import { announce } from "../../ui/announcement.tsx"
import { later } from "../../ui/later.tsx"
import { LongText } from "../../ui/shown-text.tsx"
import { readAuthenticationAgain } from "./use-authentication.ts"

// Rarely needed, so it isn't part of what opens the page.
const [LoginDialog] = later(async () => (await import("./login-dialog.tsx")).LoginDialog)

export type LoginPlace = Omit<Input<"logins.start">, "scheme">

interface Props {
  readonly place: LoginPlace
  readonly scheme: SchemeView
}

export function LoginButton({ place, scheme: { name, grant, login } }: Props) {
  const { question, fault, isBusy, logIn, logOut, cancel } = useLogin({ ...place, scheme: name })
  const isLoggedIn = login?.isLoggedIn === true
  const does = isLoggedIn ? "Log out" : grant === "authorization_code" ? "Log in" : "Get token"
  return (
    <>
      <button
        type="button"
        className="button auth-button auth-login"
        aria-label={`${does}: ${name}`}
        aria-disabled={isBusy}
        onClick={isLoggedIn ? logOut : logIn}
      >
        {isBusy ? "Working…" : does}
      </button>
      <div role="alert" className="auth-fault">
        {fault === undefined ? null : (
          <>
            <p className="field-error">
              <LongText text={fault.message} />
            </p>
            {fault.hint === undefined ? null : (
              <p className="faint">
                <LongText text={fault.hint} />
              </p>
            )}
          </>
        )}
      </div>
      {question === undefined ? null : (
        <LoginDialog title={`Log in to ${name}`} url={question.url} onCancel={cancel} />
      )}
    </>
  )
}

function useLogin(wanted: Input<"logins.start">) {
  const [question, setQuestion] = useState<LoginQuestion>()
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const waiting = useRef<AbortController>(undefined)
  useEffect(() => () => waiting.current?.abort(), [])
  const act = (action: (signal: AbortSignal) => Promise<string>): void => {
    if (isBusy) return
    const controller = new AbortController()
    waiting.current = controller
    setFault(undefined)
    setBusy(true)
    action(controller.signal)
      .then(
        (says) => announce(says),
        (error: unknown) => {
          if (!controller.signal.aborted) setFault(faultOf(error, "Try again when it responds."))
        },
      )
      .finally(() => {
        setQuestion(undefined)
        setBusy(false)
        void readAuthenticationAgain()
      })
  }
  const logIn = (): void =>
    act(async (signal) => {
      let started = await call("logins.start", wanted, { signal })
      while ("login" in started) {
        const { login } = started
        setQuestion(started.login)
        signal.addEventListener(
          "abort",
          () => void call("logins.cancel", { login: login.login }).catch(ignore),
        )
        started = await call("logins.wait", { login: login.login }, { signal })
      }
      return "Logged in"
    })
  const logOut = (): void =>
    act(async () => {
      await call("logins.end", wanted)
      return "Logged out"
    })
  return { question, fault, isBusy, logIn, logOut, cancel: () => waiting.current?.abort() }
}

/** The login may have ended already. */
const ignore = (): void => undefined
