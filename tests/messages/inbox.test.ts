import { refusals } from "../../packages/mock/src/inbox/messages.ts"
import { describeMessages } from "./describe-messages.ts"

const MIB = 1024 * 1024

describeMessages(
  "inbox",
  { refusals },
  {
    refusals: {
      target: [[]],
      unknownPath: [[]],
      tooLarge: [[10 * MIB]],
      full: [[256 * MIB]],
      undecodable: [[]],
      after: [[]],
      notJson: [[]],
      invalid: [[]],
      pathStart: [[]],
    },
  },
)
