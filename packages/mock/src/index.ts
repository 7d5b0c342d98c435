// Servers on loopback for runs and developers: mocks of APIs, and the inbox.

export {}
