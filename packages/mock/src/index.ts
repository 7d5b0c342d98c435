// Servers on loopback for runs and developers: mocks of APIs, and the inbox.

export { startMock, type Mock, type MockOptions } from "./mock/start-mock.ts"
export type { RecordedExchange } from "./mock/answer-recorded.ts"
export type { MockCall } from "./mock/mock-call.ts"
export { MockRun } from "./mock/mock-run.ts"
export { messages as mockMessages } from "./mock/messages.ts"
export { createServices, type Services } from "./create-services.ts"
export { inboxFiles } from "./inbox/inbox-files.ts"
