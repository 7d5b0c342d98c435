// The mock of an API: starts and stops it, and lists the requests that it receives.

import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { MockCallView, MockProblemView, MockView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { useConnection } from "../../connection/connection.ts"
import { mockKey, queryClient } from "../../connection/query-client.ts"
import { ProblemList } from "../../files/problem-list.tsx"
import { HttpStatus } from "../../runs/marks/status-mark.tsx"
import { MethodBadge, SeverityMark } from "../../ui/badges.tsx"
import { CopyButton } from "../../ui/copy-button.tsx"
import { CheckField } from "../../ui/form-fields.tsx"
import { count } from "../../ui/formats.ts"
import { LongText, ShownText } from "../../ui/shown-text.tsx"
import { Table } from "../../ui/table.tsx"
import { useSubmit, type Submit } from "../../ui/use-submit.ts"

export function MockPart({ api }: { readonly api: string }) {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data, isError } = useQuery({
    queryKey: mockKey(api),
    queryFn: () => call("mocks.read", { api }),
    enabled: isOpen,
  })
  const submit = useSubmit()
  const carryOut = (change: () => Promise<MockView>): void =>
    submit.run(async () => void queryClient.setQueryData(mockKey(api), await change()))
  if (data === undefined) return <p className="section-words">{isError ? "The mock is unknown." : "…"}</p>
  return (
    <>
      {data.is === "off" ? (
        <MockOff
          api={api}
          submit={submit}
          onStart={(keepsState) => carryOut(() => call("mocks.start", { api, keepsState }))}
        />
      ) : (
        <MockOn view={data} submit={submit} onStop={() => carryOut(() => call("mocks.stop", { api }))} />
      )}
      <Failure submit={submit} />
    </>
  )
}

interface OffProps {
  readonly api: string
  readonly submit: Submit
  readonly onStart: (keepsState: boolean) => void
}

function MockOff({ api, submit, onStart }: OffProps) {
  const [keepsState, setKeepsState] = useState(false)
  return (
    <>
      <p className="section-words">
        Answers on this machine as the document says, and refuses requests that it forbids. In a terminal,{" "}
        <code>
          callsheet mock --api <ShownText text={api} />
        </code>{" "}
        does the same.
      </p>
      <CheckField
        label="Keep what clients create"
        note="Resources can be created, read, listed, changed and deleted, until the mock stops."
        isOn={keepsState}
        onChange={setKeepsState}
      />
      <p className="section-actions">
        <button
          type="button"
          className="button"
          aria-disabled={submit.isBusy}
          onClick={() => onStart(keepsState)}
        >
          Start mock
        </button>
      </p>
    </>
  )
}

interface OnProps {
  readonly view: MockView & { readonly is: "on" }
  readonly submit: Submit
  readonly onStop: () => void
}

function MockOn({ view, submit, onStop }: OnProps) {
  const { url, keepsState, broken, count: total, calls } = view
  return (
    <>
      <p className="mock-state" role="status">
        <span className="tag tag-on">on</span>
        <code className="wrap">
          <ShownText text={url} />
        </code>
        <CopyButton text={url} what="the URL" />
        <button type="button" className="button" aria-disabled={submit.isBusy} onClick={onStop}>
          Stop
        </button>
      </p>
      <p className="section-words">
        It answers as the document says, also after changes, until you or the app stop it.
        {keepsState ? " It keeps what clients create." : null}
      </p>
      {broken === undefined ? null : (
        <p role="status">
          <SeverityMark severity="warning" word="earlier version" /> The document has a problem, so the mock
          answers as before: <Finding problem={broken} />
        </p>
      )}
      {calls.length === 0 ? (
        <p className="section-words">No requests yet. Send one to this URL, and it appears here.</p>
      ) : (
        <>
          <p className="section-words">
            {total > calls.length
              ? `The latest ${calls.length} of ${count(total, "request")}:`
              : `${count(total, "request")}:`}
          </p>
          <Table columns={["Request", "Status", "Checked against the document"]}>
            {calls.map((one) => (
              <CallRow key={one.number} call={one} />
            ))}
          </Table>
        </>
      )}
    </>
  )
}

function CallRow({ call: { method, target, status, request, response } }: { readonly call: MockCallView }) {
  return (
    <tr>
      <td>
        <MethodBadge method={method} />{" "}
        <code className="wrap">
          <LongText text={target} />
        </code>
      </td>
      <td>
        <HttpStatus status={status} />
      </td>
      <td className="words">
        {request.length + response.length === 0 ? <span className="faint">no problem</span> : null}
        <Findings problems={request} word={status < 400 ? "tolerated" : "refused"} />
        <Findings problems={response} word="the answer" />
      </td>
    </tr>
  )
}

interface FindingsProps {
  readonly problems: readonly MockProblemView[]
  readonly word: string
}

const MAX_FINDINGS = 5

function Findings({ problems, word }: FindingsProps) {
  const rest = problems.length - MAX_FINDINGS
  return (
    <>
      {problems.slice(0, MAX_FINDINGS).map((problem, index) => (
        <p key={index}>
          {index === 0 ? (
            <>
              <SeverityMark severity={word === "refused" ? "error" : "warning"} word={word} />{" "}
            </>
          ) : null}
          <Finding problem={problem} />
        </p>
      ))}
      {rest > 0 ? <p className="faint">and {rest.toLocaleString("en")} more</p> : null}
    </>
  )
}

function Finding({ problem: { message, file, line } }: { readonly problem: MockProblemView }) {
  return (
    <>
      <LongText text={message} />{" "}
      {file === undefined ? null : (
        <code className="problem-place wrap">
          <ShownText text={line === undefined ? file : `${file}:${line}`} />
        </code>
      )}
    </>
  )
}

function Failure({ submit: { fault, problems } }: { readonly submit: Submit }) {
  return (
    <div role="alert">
      {fault === undefined ? null : (
        <p className="field-error">
          <LongText text={fault.message} />
        </p>
      )}
      {problems.length === 0 ? null : <ProblemList problems={problems.slice(0, 20)} showsFiles />}
    </div>
  )
}
