// Reads the client's settings in section `callsheet`: the client sends them, or the server asks for them.

import {
  DidChangeConfigurationNotification,
  type ClientCapabilities,
  type Connection,
} from "vscode-languageserver/node"

const SECTION = "callsheet"

export function readSettings(
  connection: Connection,
  client: ClientCapabilities["workspace"],
  configure: (settings: unknown) => void,
): void {
  const ask = (): void =>
    void connection.workspace
      .getConfiguration(SECTION)
      .then(configure)
      .catch(() => undefined)
  const asks = client?.configuration === true
  connection.onDidChangeConfiguration((params: { readonly settings?: unknown } | undefined) => {
    const settings = params?.settings
    if (typeof settings === "object" && settings !== null && SECTION in settings)
      configure(Reflect.get(settings, SECTION))
    else if (asks) ask()
  })
  if (client?.didChangeConfiguration?.dynamicRegistration === true)
    connection.client
      .register(DidChangeConfigurationNotification.type, { section: SECTION })
      .catch(() => undefined)
  if (asks) ask()
}
