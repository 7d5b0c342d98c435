import { interopMessages, lossReasons } from "@callsheet/interop"
import { describeMessages } from "./describe-messages.ts"

describeMessages(
  "interop",
  { ...interopMessages, loss: lossReasons },
  {
    "import-source": {
      unknown: [["notes.txt"]],
      oldPostman: [["shop.json"]],
      deep: [["shop.json", 100]],
      none: [[["staging.json", "globals.json"]]],
      several: [["shop.json", "parcels.json"]],
      document: [["openapi.yaml"]],
      apiName: [["Shop!"]],
    },
    loss: {
      response: [[]],
      disabled: [[]],
      setting: [[]],
      sourceFile: [[]],
      bodyPruned: [["GET"]],
      bodyMode: [[]],
      unnamedFile: [[]],
      authMethod: [["hawk"]],
      basicUnknown: [["basicCredential"]],
      dynamic: [["a UUID"]],
      randomInteger: [[]],
      repeatedQuery: [[]],
      variableInName: [[]],
      headerName: [[]],
      invalidMethod: [[]],
      noUrl: [[]],
      scheme: [[]],
      outside: [[]],
      unreadable: [[]],
      unquotable: [[]],
      setElsewhere: [[]],
      console: [[]],
      variableChain: [[]],
      script: [["apis/workflow/scripts/orders/create-order-after.ts"]],
    },
  },
)
