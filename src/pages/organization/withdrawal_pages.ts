import { idempotencyOf } from '#actors/journal/idempotency.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { checkWithdrawal } from '#actors/works/withdrawal_request.ts'
import { type WithdrawalReason, withdrawalReasons } from '#actors/works/port.ts'
import {
  checkbox,
  emptyForm,
  field,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html } from '#src/pages/kit/html.ts'
import { buttonLink } from '#src/pages/kit/parts.ts'
import {
  arkLink,
  hrefIn,
  operatorNote,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  workAgent,
} from '#src/pages/organization/context.ts'
import { formKeyOf, newFormKey } from '#src/pages/organization/registration_pages.ts'
import {
  type ChangedWork,
  refusalFault,
  visitStandingWork,
  visitWork,
} from '#src/pages/organization/work_change.ts'

const reasonWords: Readonly<Record<WithdrawalReason, string>> = {
  author_request: 'The authors ask for it',
  retraction: 'Retraction: its findings are not to be relied on',
  duplicate: 'It is registered twice',
  copyright: 'Copyright',
  fraud: 'Fraud or misconduct',
  legal: 'Another legal reason',
  test: 'It was a test',
  other: 'Another reason, said below',
}

const reasonOptions = [
  { value: '', label: 'Choose one' },
  ...withdrawalReasons.map((value) => ({ value, label: reasonWords[value] })),
]

/** Adds the form that withdraws a work, for a reason and with a word that it is meant. */
export function addWithdrawalPages(context: OrganizationContext): void {
  const { member } = organizationRoutes(context, 'register works')
  const path = '/works/:name/withdraw'
  member.get(path, async (visit) => formPage(await visitStandingWork(visit, 'withdraw'), emptyForm))
  // A form that is sent twice finds the work withdrawn: its name tells that it was this form.
  member.post(path, async (visit, body) => withdraw(await visitWork(visit, 'withdraw'), body))
}

function formPage(work: ChangedWork, state: FormState): AccountPage {
  const { metadata, visit, ark, base, etag } = work
  return organizationPage(visit, {
    section: '/works',
    title: 'Withdraw the work',
    lead: html`“${metadata.work_title}”, ${arkLink(work.visit.context, `ark:/${ark}`)}. Its address answers
for ever that it was withdrawn, when and why. Receipts stay valid.`,
    state,
    content: formCard({
      action: `${base}/withdraw`,
      csrf: visit.csrf,
      fields: html`${selectField(
        { name: 'reason', label: 'Reason', hint: 'Readers see it.', options: reasonOptions },
        state,
      )}
${field(noteField, state)}
${field(replacementField, state)}
${checkbox(confirmation, state)}
${operatorNote(visit)}
${hiddenField('once', newFormKey(work.visit.context))}${hiddenField('etag', etag)}`,
      submit: 'Withdraw the work',
      danger: true,
      beside: html`<a href="${work.visit.context.baseUrl}/ark:/${ark}">Leave it as it is</a>`,
    }),
  })
}

const noteField = {
  name: 'note',
  label: 'What else readers should know',
  type: 'textarea',
} as const

const replacementField = {
  name: 'replaced_by',
  label: 'ARK of the work to use instead',
  hint: 'Such as ark:/12345/x6np1wh8k.',
} as const

const confirmation = {
  name: 'confirmed',
  label: 'I know that a withdrawal cannot be taken back',
} as const

const labels: Readonly<Record<string, string>> = {
  note: noteField.label,
  replaced_by: replacementField.label,
}

function asFault({ field: name, code, message }: FieldFault): FieldFault {
  if (name === 'reason') return { field: name, code, message: 'Choose a reason' }
  return { field: name, code, message: message.replace(name, labels[name] ?? name) }
}

async function withdraw(work: ChangedWork, body: FormBody): Promise<AccountPage> {
  const asked = ['reason', 'note', 'replaced_by']
    .map((name): [string, string] => [name, textOf(body, name).trim()])
    .filter(([, text]) => text !== '')
  const check = checkWithdrawal(Object.fromEntries(asked))
  const unsure: readonly FieldFault[] = body.has('confirmed')
    ? []
    : [{ field: 'confirmed', code: 'required', message: 'Say that you know it' }]
  const again = (faults: readonly FieldFault[]) => formPage(work, { values: body, faults })
  if (check.type === 'invalid') return again([...check.faults.map(asFault), ...unsure])
  if (unsure.length > 0) return again(unsure)
  const { reason, note, replaced_by: replacedBy } = check.withdrawal
  const answer = await work.visit.context.environments.live.works.withdraw({
    ark: work.ark,
    by: workAgent(work.visit),
    ifMatch: [textOf(body, 'etag')],
    idempotency: idempotencyOf(`page-${formKeyOf(body)}`, asked),
    reason,
    ...(note !== undefined && { note }),
    ...(replacedBy !== undefined && { replacedBy }),
  })
  if (answer.type === 'changed' || answer.type === 'unchanged') return donePage(work)
  if (answer.type === 'invalid') return again(answer.faults.map(asFault))
  return again([{ ...refusalFault(answer), field: 'reason' }])
}

function donePage({ visit, ark }: ChangedWork): AccountPage {
  const works = hrefIn(visit, '/works')
  return organizationPage(visit, {
    section: '/works',
    title: 'Withdrawn',
    flash: { kind: 'success', text: 'The work is withdrawn, and its receipt is signed.' },
    content: html`<p class="buttons">${buttonLink(`${visit.context.baseUrl}/ark:/${ark}`, 'To the work')}
<a href="${works}">All works</a></p>`,
  })
}
