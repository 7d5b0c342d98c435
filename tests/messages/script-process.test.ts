import { defineMessages } from "@callsheet/format"
import { childMessages } from "../../packages/engine/src/node/script/child/messages.ts"
import { describeMessages } from "./describe-messages.ts"

describeMessages(
  "script-process",
  defineMessages(() => childMessages),
  {
    "script-error": {
      notFunction: [
        ["check", undefined],
        ["check", "the number 5"],
      ],
      contextEnded: [[]],
      wrongText: [["get", "3"]],
      wrongSecret: [["an empty string"]],
      longSecret: [[65_536, 70_000]],
      wrongSleep: [["'5'"]],
      shutOut: [["the network"], ["processes"]],
      assertion: [[]],
      expectsPromise: [[]],
      wrongValue: [["toEqual", "an instance of Map"]],
      wrongArgument: [
        ["toBeBetween", "a lower and an upper number", "5"],
        ["toHaveLength", "a number", ""],
      ],
      noText: [["a number"]],
      unchecked: [["order.response.body.id"]],
      untranslated: [[]],
      timeOver: [[]],
      cancelled: [[]],
      threw: [["the string 'no'"]],
      threwUnreadable: [["Error"]],
      threwEmpty: [["Error"]],
      unhandled: [["late"]],
      notInstalled: [["@acme/client"]],
      noAlias: [[]],
      nestedSource: [[]],
    },
    "script-result": {
      wrongResult: [
        ["the number 5", "true or false"],
        ["an array", "a plain object"],
      ],
      wrongOutput: [
        ["a promise", "user.id"],
        ["a function", "total[0]"],
        ["a value larger than 50 MiB", undefined],
      ],
    },
    log: { leftRunning: [[["Timeout"]]] },
  },
)
