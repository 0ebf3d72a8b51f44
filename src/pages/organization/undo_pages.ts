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
    title: 'Undo all that somebody did',
    state,
    lead: html`For a stolen key or a misused account: revoke the key or end the membership first.
Then undo here what was done to works. You see every work before anything is changed.`,
    content: formCard({
      action: hrefIn(visit, undoPath),
      csrf: visit.csrf,
      fields: html`${selectField(
        { name: 'by', label: 'Done by', options: [{ value: '', label: 'Choose one' }, ...actors] },
        state,
      )}
${field(
  { name: 'since', label: 'Since', hint: 'A day or a time in UTC, such as 2026-11-28T15:00.' },
  state,
)}
${selectField(
  {
    name: 'reason',
    label: 'Reason',
    hint: 'Readers of withdrawn works see it.',
    options: reasonOptions,
  },
  state,
)}
${field({ name: 'note', label: 'Note to readers', isPlain: true }, state)}
<p class="hint">Works that were registered since then are withdrawn for good. Works that were
withdrawn are registered again: they get a new ARK, which the page of the old one names. Other
works get a new version with the metadata of before. Works that somebody else changed afterwards
are left out and listed.</p>${operatorNote(visit)}`,
      submit: 'Preview',
      beside: html`<a href="${hrefIn(visit, bulkPath)}">Change works in another way</a>`,
    }),
  })
}
