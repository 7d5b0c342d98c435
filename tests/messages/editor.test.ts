import { messages } from "../../packages/editor/src/messages.ts"
import { describeMessages } from "./describe-messages.ts"

describeMessages("editor", messages, {
  usage: {
    unknownCommand: [["callsheet.rm"]],
    argument: [["callsheet.run", "{ project, workflow, until?, environments }"]],
    untrusted: [[]],
    noRuns: [[]],
  },
  "project-missing": { none: [["file:///home/me/shop"]] },
  "workflow-unknown": { unknown: [["chekout", 'did you mean "checkout"?']] },
  "file-changed": { unsaved: [["file:///home/me/shop/apis/shop/environments/local.json"]] },
  "secret-unquotable": { extracted: [["apiKey"]] },
})
