import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { renderLine } from '#src/pages/docs/markdown.ts'
import { html } from '#src/pages/kit/html.ts'
import { table } from '#src/pages/kit/parts.ts'
import { snippet } from '#src/pages/kit/snippet.ts'
import { type ErrorCode, errorStatus } from '#src/errors.ts'

/** What each code means to who receives it, and what to do, as Markdown. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request cannot be read: JSON that is none, a parameter that there is not.',
  malformed_ark: 'What stands in the path cannot be an ARK. `did_you_mean` may name the one meant.',
  invalid_request: 'A request to the identity provider lacks something (RFC 6749, section 5.2).',
  unauthorized:
    'No credential, or one that cannot be used. Below `/v1`, `public_path` names where the same ' +
    'is read without one.',
  forbidden: 'The credential does not have the scope, or the record is not of its owner.',
  loop_detected: 'A registry that fetches content asks for a verification that fetches.',
  not_found: 'There is nothing at this address, or nothing that this credential sees.',
  method_not_allowed: 'The address is right and the method is not: `Allow` lists those that are.',
  not_acceptable: 'The record does not come in any media type of `Accept`.',
  request_timeout: 'The request did not arrive whole in time: send it again.',
  conflict: 'It contradicts what is there already; the message says what.',
  duplicate_work:
    'The work seems to be here: `existing_ark`. `?allow_duplicate=true` registers it.',
  version_unchanged: 'A new version would be the same as the last.',
  gone: 'The work was withdrawn; the reply is its tombstone.',
  precondition_failed:
    'Somebody changed it since you read it: `details` tells which fields. Read it again, make ' +
    'your change in what you read, and send that.',
  payload_too_large: 'The body has more bytes than this operation takes.',
  uri_too_long: 'The address is too long.',
  unsupported_media_type: 'The body is of another media type than the operation takes.',
  validation_failed: 'Fields are wrong: `details` tells each with `field`, `code` and `message`.',
  rate_limit_exceeded: 'Too many requests: send it again after `Retry-After` seconds.',
  headers_too_large: 'The headers have too many bytes.',
  internal_error: 'A fault of the registry. Tell its operator the `request_id`.',
  record_damaged: 'What is stored cannot be read: the operator has to restore it.',
  unavailable: 'Busy or being restarted: send it again after `Retry-After` seconds.',
  clock_wrong:
    'The clock of the registry is wrong, so nothing that carries a time is written. Reading goes ' +
    'on: send a write again later.',
  timeout:
    'It took too long. A write may have been made: send it again with its `Idempotency-Key`.',
}

const example = `{
  "error": "validation_failed",
  "message": "The work cannot be registered like this: work_title is required.",
  "details": [
    { "field": "work_title", "code": "required", "message": "work_title is required." }
  ],
  "request_id": "…"
}`

/** The page of all codes, of the one table that the registry answers by. */
export function errorsPage(): DocsPage {
  const codes = Object.entries(errorStatus) as [ErrorCode, number][]
  const columns = [
    {
      heading: 'Code',
      isRowHeading: true,
      cell: ([code]: [ErrorCode, number]) => html`<code id="${code}">${code}</code>`,
    },
    { heading: 'Status', cell: ([, status]: [ErrorCode, number]) => status },
    {
      heading: 'What it means, and what to do',
      cell: ([code]: [ErrorCode, number]) => renderLine(meanings[code]),
    },
  ]
  return {
    title: 'Errors',
    path: '/docs/errors',
    description: 'Every error code of the interface with its status and what to do about it.',
    body: html`<p class="lead">Programs decide by <code>error</code>, a word that does not change;
<code>message</code> is for people.</p>
${snippet('An error', example)}
<p>After a 429 or a 503, and after an answer that was lost, the same request may be sent again: with
an <code>Idempotency-Key</code> nothing is done twice. All other errors stay until the request is
another one. OAuth replies have <code>error_description</code> as well, and the codes of RFC 6749,
such as <code>invalid_grant</code>.</p>
${table('Codes of errors, by status', columns, codes)}`,
  }
}
