// Runs a workflow whose provider wants a login, and plays the browser.

import { createHash } from "node:crypto"
import { json } from "../harness/identity-provider.ts"
import { requests, runOAuth, startProvider, type RunningProvider } from "./oauth-project.ts"

const flows = {
  authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: { read: "" } },
}
const values = { clientId: "callsheet-client" }
const token = "access-kettle-lantern"
export const code = "code-kettle-lantern"

export interface Login {
  readonly url: URL
  /** Calls the loopback redirect with these parameters. Returns the status. */
  readonly answer: (parameters: Readonly<Record<string, string>>) => Promise<number>
}

/** Starts a provider that exchanges the code if the verifier matches the challenge. */
export async function startLogin(expiresIn?: number) {
  let challenge = ""
  const provider: RunningProvider = await startProvider({
    client: { id: "callsheet-client", method: "none" },
    respond: (response, form) => {
      const verifier = form.get("code_verifier") ?? ""
      const isRight =
        form.get("grant_type") === "authorization_code" &&
        form.get("code") === code &&
        createHash("sha256").update(verifier).digest("base64url") === challenge
      if (!isRight) return json(response, 400, { error: "invalid_grant" })
      json(response, 200, {
        access_token: token,
        token_type: "Bearer",
        ...(expiresIn && { expires_in: expiresIn }),
      })
    },
  })
  const project = { url: provider.url, values, flows, blocks: requests("a", "b") }
  const run = async (act: (login: Login) => Promise<unknown>, words = ["--login"], env = {}) => {
    let acting: Promise<unknown> | undefined
    const result = await runOAuth(project, () => [token, code], {
      words,
      env,
      onStderr: (text) => {
        const line = /^http:\S*$/m.exec(text)?.[0]
        if (line === undefined || acting !== undefined) return
        const url = new URL(line)
        challenge = url.searchParams.get("code_challenge") ?? ""
        const answer: Login["answer"] = async (parameters) => {
          const target = new URL(url.searchParams.get("redirect_uri") ?? "")
          for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
          return (await fetch(target)).status
        }
        acting = act({ url, answer })
      },
    })
    await acting
    return result
  }
  return { provider, run, project }
}

export const stateOf = ({ searchParams }: URL): string => searchParams.get("state") ?? ""
