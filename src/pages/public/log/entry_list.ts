import { html, type Html } from '#src/pages/kit/html.ts'
import type { LoggedStatement } from '#src/use_cases/public_log.ts'
import { type ShownLog } from '#src/pages/public/log/log_site.ts'
import { statementName, statementSubject } from '#src/pages/public/log/statement_words.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { table, time } from '#src/pages/kit/parts.ts'

/** Entries of a log, a line each. */
export function entryTable(
  caption: string,
  entries: readonly LoggedStatement[],
  { prefix }: ShownLog,
): Html {
  const rows = table<LoggedStatement>(
    caption,
    [
      {
        heading: 'Entry',
        isRowHeading: true,
        cell: ({ leafIndex }) =>
          html`<a href="${prefix}/log/entries/${leafIndex}">${formatNumber(leafIndex)}</a>`,
      },
      { heading: 'What it says', cell: ({ statement }) => statementName(statement) },
      { heading: 'Of', cell: ({ statement }) => statementSubject(statement) },
      { heading: 'Signed', cell: ({ statement }) => time(statement.timestamp, 'second') },
    ],
    entries,
  )
  return html`<div class="log-table">${rows}</div>`
}
