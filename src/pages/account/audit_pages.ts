import { html } from '#src/pages/kit/html.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { auditTable } from '#src/pages/account/audit_list.ts'
import { pagination } from '#src/pages/kit/parts.ts'

const path = '/account/audit'
const entriesOnPage = 50

/** Adds the page of everything that happened to a person's keys and permissions. */
export function addAuditPages(context: AccountContext): void {
  context.pages.member.get(path, async ({ account, query }) => {
    const before = parseDecimal(query.get('before') ?? '')
    const owner = { type: 'person', id: account.ppid } as const
    const entries = await context.audit.read(owner, {
      order: 'newest',
      limit: entriesOnPage,
      ...(before !== undefined && { cursor: before }),
    })
    const last = entries.length < entriesOnPage ? undefined : entries.at(-1)
    return {
      title: 'Keys and permissions: what happened',
      current: '/account/security',
      wide: true,
      lead: 'Every change, and at most one use an hour. Newest first.',
      content: html`${auditTable(context, entries, account.ppid)}
${pagination({ path: context.pages.prefix + path, parameter: 'before', next: last?.seq })}`,
    }
  })
}
