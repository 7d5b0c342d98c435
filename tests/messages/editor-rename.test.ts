import { renameMessages } from "@callsheet/editor"
import { describeMessages } from "./describe-messages.ts"

describeMessages("editor-rename", renameMessages, {
  usage: {
    nothing: [[]],
    conventional: [["baseUrl", "the base URL of the API"]],
    api: [["shop"]],
    operation: [[]],
    exported: [[]],
    several: [["login"]],
    fileRenames: [[]],
    broken: [["apis/workflow/checkout.json"]],
    unknown: [["login"]],
    invalid: [["a b", "a workflow"]],
  },
  "id-duplicate": { taken: [["login"]], suite: [["nightly"]] },
})
