// Preloaded into Node: Wine 8 can't connect a socket whose keep-alive option is set already, as `fetch` does. So this sets
// it afterwards.

const { Socket } = require("node:net")

const setKeepAlive = Reflect.get(Socket.prototype, "setKeepAlive")
Socket.prototype.setKeepAlive = function (...words) {
  if (!this.connecting) return setKeepAlive.apply(this, words)
  return this.once("connect", () => setKeepAlive.apply(this, words))
}
