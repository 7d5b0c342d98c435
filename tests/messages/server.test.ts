import { serverMessages } from "@callsheet/server"
import { describeMessages } from "./describe-messages.ts"

describeMessages("server", serverMessages, {
  usage: {
    host: [["shop.local", "127.0.0.1"]],
    remoteHost: [["192.168.1.7"]],
    planned: [[]],
    environmentFile: [[]],
    otherPlace: [[]],
    workflow: [[]],
  },
  "port-unusable": { unusable: [["127.0.0.1", 4000, "another program uses it"]] },
  "json-syntax": { body: [[]] },
  "field-type": { body: [[]] },
  "field-unknown": { body: [[]] },
  "field-missing": { missing: [["workflow"]] },
  "field-value": { unbounded: [["text"]], untilAndOnly: [[]] },
  "etag-missing": { missing: [[]] },
  "file-missing": { file: [["apis/workflow/pay.json"]], request: [[]] },
  "file-exists": { sameName: [[]] },
  "file-changed": { file: [[]], environment: [[]], plan: [[]] },
  "plan-unknown": { unknown: [[]] },
  "remote-refused": { script: [[]], reveal: [[]] },
  "confirm-required": { remote: [[]] },
  "secret-committed": { hidden: [["apis/shop/environments/local.json"]] },
  "draft-limit": { full: [[200]] },
  "write-failed": { scriptCheck: [[]] },
  "project-missing": { gone: [[]] },
  "document-invalid": { unreadable: [[]] },
  "env-missing": { missing: [["shop", "prd", ["local", "prod"]]] },
  "variable-missing": { missing: [["port", "local"]] },
})
