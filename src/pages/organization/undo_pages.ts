import { HttpError } from '#src/edge/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  field,
  type FormBody,
  formCard,
  type FormState,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html } from '#src/pages/kit/html.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import { bulkPath, previewBulkChange, undoPath } from '#src/pages/organization/bulk_change_pages.ts'
import {
  hrefIn,
  operatorNote,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
} from '#src/pages/organization/context.ts'
import { actorChoices } from '#src/pages/organization/history_pages.ts'
import { reasonOptions } from '#src/pages/organization/work_change_pages.ts'
import type { BulkUndo } from '#src/use_cases/bulk_undo.ts'
import { undoing as words, withdrawals } from '#src/words/publisher_desk.ts'

/** Adds the page that undoes all that a member, a key or an application did since a time. */
export function addUndoPages(context: OrganizationContext): void {
  const { member } = organizationRoutes(context, 'undo many changes')
  member.get(undoPath, (visit) => {
    return undoPage(visit, { values: new Map([['by', visit.query.get('by') ?? '']]), faults: [] })
  })
  member.post(undoPath, preview)
}

async function preview(visit: OrganizationVisit, body: FormBody): Promise<PageReply> {
  const note = textOf(body, 'note').trim()
  const undo = {
    by: textOf(body, 'by'),
    since: textOf(body, 'since').trim(),
    // What is no reason is refused as a fault of the form.
    reason: textOf(body, 'reason') as BulkUndo['reason'],
    ...(note !== '' && { note }),
  }
  try {
    return await previewBulkChange(visit, { edit: { undo }, selection: { filter: {} } })
  } catch (error) {
    if (!(error instanceof HttpError) || error.details === undefined) throw error
    return undoPage(visit, { values: body, faults: error.details })
  }
}

async function undoPage(visit: OrganizationVisit, state: FormState): Promise<AccountPage> {
  const by = state.values.get('by') ?? ''
  const choices = await actorChoices(visit, { by })
  const actors = choices.map(([value, label]) => ({ value, label }))
  return organizationPage(visit, {
    section: '/works',
    title: words.heading,
    state,
    lead: words.lead,
    content: formCard({
      action: hrefIn(visit, undoPath),
      csrf: visit.csrf,
      fields: html`${selectField(
        {
          name: 'by',
          label: words.by,
          options: [{ value: '', label: withdrawals.choose }, ...actors],
        },
        state,
      )}
${field({ name: 'since', label: words.since, hint: words.sinceHint }, state)}
${selectField(
  { name: 'reason', label: withdrawals.reason, hint: words.reasonHint, options: reasonOptions },
  state,
)}
${field({ name: 'note', label: withdrawals.note, isPlain: true }, state)}
<p class="hint">${words.whatHappens}</p>${operatorNote(visit)}`,
      submit: words.preview,
      beside: html`<a href="${hrefIn(visit, bulkPath)}">${words.other}</a>`,
    }),
  })
}
