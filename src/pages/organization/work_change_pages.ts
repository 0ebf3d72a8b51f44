import { workLink } from '#actors/registry/catalogue/representation.ts'
import { type Action, may } from '#actors/values/authority.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { type ChangeRefusal, withdrawalReasons, type WorkChange } from '#actors/works/port.ts'
import {
  applyPatch,
  checkNewVersion,
  checkWithdrawal,
  type NewVersionCheck,
} from '#actors/works/request_checks.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  checkbox,
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  type PageFault,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html } from '#src/pages/kit/html.ts'
import { buttonLink, card, facts } from '#src/pages/kit/parts.ts'
import { authorsText } from '#src/pages/organization/author_rows.ts'
import {
  arkLink,
  hrefIn,
  operatorNote,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  workAgent,
} from '#src/pages/organization/context.ts'
import { recordPatch } from '#src/pages/organization/record_form.ts'
import {
  changeWorkRows,
  differences,
  type FoldedForm,
  formFaults,
  formKeyOf,
  hiddenWorkFields,
  newFormKey,
  normalizeWorkForm,
  noticeBox,
  pageFault,
  warningBoxes,
  withFaults,
  workBody,
  workFieldLabels,
  workFields,
  workValues,
} from '#src/pages/organization/work_form.ts'
import { ownWork } from '#src/pages/organization/work_pages.ts'
import { formIdempotency } from '#src/use_cases/work_change.ts'
import { metadataOf } from '#src/use_cases/work_lookup.ts'
import { landing } from '#src/words/english.ts'
import { withdrawals } from '#src/words/publisher_desk.ts'
import { registration, workChanges as words, workFields as labels } from '#src/words/record_desk.ts'
import { type Text, textIn } from '#src/words/wording.ts'
import { english } from '#src/words/language.ts'

/** A work of an organization that one of its members may change, as it stands. */
type ChangedWork = {
  readonly visit: OrganizationVisit
  /** `naan/name` */
  readonly ark: string
  readonly metadata: Metadata
  readonly version: number
  readonly isWithdrawn: boolean
  readonly etag: string
  /** The path of its pages, prefix included. */
  readonly base: string
}

/**
 * The work that a visit is to. HttpError `not_found` if the organization has none of this name,
 * `forbidden` if the visitor may not do that to it.
 */
async function visitWork(visit: OrganizationVisit, action: Action<'work'>): Promise<ChangedWork> {
  const { catalogue, naan } = visit.context.environments.live
  const name = visit.parameters['name'] ?? ''
  const ark = ownWork(visit, `ark:/${naan}/${name}`)
  const state = catalogue.state(ark)
  const found = await catalogue.work(ark)
  if (state === undefined || found.type === 'not_found') throw new HttpError('not_found', 'No work')
  if (!may(workAgent(visit), 'work', action, state)) {
    throw new HttpError('forbidden', `${visit.organization.name} cannot do this to this work`)
  }
  const work = JSON.parse(Buffer.from(found.body).toString('utf8')) as WorkBody
  const base = hrefIn(visit, `/works/${name}`)
  const metadata = metadataOf(work)
  const isWithdrawn = state.status === 'withdrawn'
  return { visit, ark, metadata, version: state.version, isWithdrawn, etag: entityTag(state), base }
}

/** The same, of a work that stands. HttpError `gone` once it was withdrawn. */
async function visitStandingWork(
  visit: OrganizationVisit,
  action: Action<'work'>,
): Promise<ChangedWork> {
  const work = await visitWork(visit, action)
  if (work.isWithdrawn) throw new HttpError('gone', 'This work was withdrawn')
  return work
}

type WorkBody = Readonly<Record<string, unknown>>

/**
 * The body of a change, unchecked, that a form asks for: what the form shows as it is stays, with
 * all that the form does not show; what was emptied is removed.
 */
function workPatch(metadata: Metadata, sent: FormBody): Record<string, unknown> {
  const before = workValues(metadata)
  const body = workBody(sent, metadata)
  const changed = workFieldLabels
    .map(([name]) => name)
    .filter((name) => textOf(before, name).trim() !== textOf(sent, name).trim())
  const patch = {
    ...Object.fromEntries(changed.map((name) => [name, body[name] ?? null])),
    ...recordPatch(metadata, sent),
  }
  if (authorsText(before) === authorsText(sent)) return patch
  const { authors = null, author_details = null } = body
  const saysDetails = author_details !== null || metadata.author_details !== undefined
  return { ...patch, authors, ...(saysDetails && { author_details }) }
}

/** A refusal in words for who has sent a form; faults of fields are told by the form itself. */
function refusalFault({ type }: ChangeRefusal): PageFault {
  if (type === 'precondition_failed') {
    return pageFault('work_title', type, words.changedMeanwhile)
  }
  if (type === 'gone') throw new HttpError('gone', 'This work was withdrawn')
  throw new HttpError('conflict', 'The work was not changed: go back, and look at it again')
}

/** Bytes of a form: two long texts, each character at most nine times as long in it. */
const formBytesMax = 1_048_576

/** The two ways to change a work, by the last part of their path. */
const ways = {
  edit: {
    title: words.edit,
    lead: words.editLead,
    submit: words.editSubmit,
    hasNote: false,
  },
  'new-version': {
    title: words.newVersion,
    lead: words.newVersionLead,
    submit: words.newVersionSubmit,
    hasNote: true,
  },
} as const

type WayName = keyof typeof ways

/** Adds the forms that edit a work and add a version: fill in, see what differs, register. */
export function addWorkChangePages(context: OrganizationContext): void {
  for (const way of ['edit', 'new-version'] as const) addWay(context, way)
}

function addWay(context: OrganizationContext, way: WayName): void {
  const { member } = organizationRoutes(context, 'register works')
  const path = `/works/:name/${way}`
  const options = { formBytesMax }
  member.get(path, async (visit) => {
    const work = await visitStandingWork(visit, 'change')
    return formPage(work, way, {
      state: { values: workValues(work.metadata), faults: [] },
    })
  })
  member.post(
    path,
    async (visit, body) => look(await visitStandingWork(visit, 'change'), way, body),
    options,
  )
  member.post(
    `${path}/change`,
    async (visit, values) => {
      const work = await visitStandingWork(visit, 'change')
      return formPage(work, way, { state: { values, faults: [] } })
    },
    options,
  )
  member.post(
    `${path}/register`,
    async (visit, body) => register(await visitStandingWork(visit, 'change'), way, body),
    options,
  )
}

const noteField = {
  name: 'version_note',
  label: words.note,
  type: 'textarea',
  hint: words.noteHint,
} as const

function formPage(
  work: ChangedWork,
  way: WayName,
  { state, notices, focus }: { state: FormState; notices?: readonly Text[]; focus?: string },
): AccountPage {
  const { context } = work.visit
  const { title, lead, hasNote } = ways[way]
  const page = `${context.baseUrl}/ark:/${work.ark}`
  return organizationPage(work.visit, {
    section: '/works',
    title,
    lead: lead({ work: arkLink(context, `ark:/${work.ark}`), version: work.version }),
    state,
    content: html`${noticeBox(notices ?? [])}${formCard({
      action: `${work.base}/${way}`,
      csrf: work.visit.csrf,
      fields: html`${workFields(state, focus)}${hasNote ? field(noteField, state) : ''}
${operatorNote(work.visit)}`,
      submit: registration.preview,
      beside: html`<a href="${page}">${words.leave}</a>`,
    })}`,
  })
}

type Checked =
  | {
      readonly type: 'ok'
      readonly change: Extract<NewVersionCheck, { type: 'ok' }>
      readonly metadata: Metadata
    }
  | { readonly type: 'invalid'; readonly faults: readonly PageFault[] }

/** Checks a form as a change of the work: what it would be afterwards, or all faults at once. */
function check({ metadata }: ChangedWork, way: WayName, body: FormBody): Checked {
  const note = ways[way].hasNote ? textOf(body, 'version_note').trim() : ''
  const patch = { ...workPatch(metadata, body), ...(note !== '' && { version_note: note }) }
  const change = checkNewVersion(patch)
  if (change.type === 'invalid') return change
  const after = applyPatch(metadata, change.patch)
  if (after.type === 'invalid') return after
  if (after.changedFields.length > 0) return { type: 'ok', change, metadata: after.metadata }
  return { type: 'invalid', faults: [pageFault('work_title', 'bad_value', words.noDifference)] }
}

function look(work: ChangedWork, way: WayName, body: FormBody): AccountPage {
  const changed = changeWorkRows(body)
  if (changed !== undefined) {
    const state = { values: changed.values, faults: [] }
    return formPage(work, way, { state, focus: changed.focus })
  }
  const { values, notices } = normalizeWorkForm(body)
  const wrong = formFaults(values)
  const checked = check(work, way, values)
  if (checked.type === 'ok' && wrong.length === 0) {
    return differencePage(work, way, { values, notices }, checked)
  }
  const found = checked.type === 'invalid' ? checked.faults : []
  const faults = withFaults(wrong, found, values)
  return formPage(work, way, { state: { values, faults }, notices })
}

function differencePage(
  work: ChangedWork,
  way: WayName,
  { values, notices }: FoldedForm,
  { change, metadata }: Extract<Checked, { type: 'ok' }>,
): AccountPage {
  const { context } = work.visit
  const { csrf } = work.visit
  const note = textOf(values, 'version_note')
  const carried = html`${hiddenWorkFields(values)}${hiddenField('version_note', note)}`
  const once = hiddenField('once', newFormKey(context))
  const named = html`${once}${hiddenField('etag', work.etag)}`
  const action = `${work.base}/${way}`
  const warnings = warningBoxes(change.warnings, values)
  const link = arkLink(context, `ark:/${work.ark}`)
  return organizationPage(work.visit, {
    section: '/works',
    title: registration.check,
    lead: words.previewLead({ version: work.version + 1, work: link }),
    content: html`${noticeBox(notices)}${warnings}
${card(words.changes, facts(differences(work.metadata, metadata)))}
<div class="buttons">${form({
      action: `${action}/register`,
      csrf,
      fields: html`${carried}${named}`,
      submit: ways[way].submit,
      inline: true,
    })}
${form({
  action: `${action}/change`,
  csrf,
  fields: carried,
  submit: registration.edit,
  inline: true,
})}
</div>`,
  })
}

async function register(work: ChangedWork, way: WayName, body: FormBody): Promise<AccountPage> {
  // A form that is sent again, after it was carried out, differs from nothing any more: it is told
  // by its name. So what it asks for is named by the form, and not by what is left of it to do.
  const asked = [...body].filter(([name]) => name !== 'csrf')
  const checked = check(work, way, body)
  const patch = checked.type === 'ok' ? checked.change.patch : {}
  const versionNote = checked.type === 'ok' ? checked.change.versionNote : undefined
  const { works } = work.visit.context.environments.live
  const command = {
    ark: work.ark,
    by: workAgent(work.visit),
    ifMatch: [textOf(body, 'etag')],
    idempotency: formIdempotency(formKeyOf(body), asked),
    patch,
  }
  const answer = ways[way].hasNote
    ? await works.addVersion({ ...command, ...(versionNote !== undefined && { versionNote }) })
    : await works.update(command)
  if (answer.type === 'changed') return changedPage(work, answer.change)
  // What differs from nothing, or is faulty, is told by the form as if it was sent for a look.
  const { type } = answer
  if (type === 'unchanged' || type === 'version_unchanged' || type === 'invalid') {
    return look(work, way, body)
  }
  const state = { values: body, faults: [refusalFault(answer)] }
  return formPage(work, way, { state })
}

function changedPage(
  { visit, ark }: ChangedWork,
  { version, receipt_id: receipt }: WorkChange,
): AccountPage {
  const { prefix } = visit.context.pages
  const proof = workLink('receipt', visit.context.baseUrl, `ark:/${ark}`, version)
  return organizationPage(visit, {
    section: '/works',
    title: registration.done,
    flash: { kind: 'success', text: words.done({ version }) },
    content: html`${card(
      words.version({ version }),
      facts([
        [labels.ark, arkLink(visit.context, `ark:/${ark}`)],
        [landing.receipt, html`<a href="${proof}"><code>${receipt}</code></a>`],
      ]),
    )}
<p class="buttons">${buttonLink(`${visit.context.baseUrl}/ark:/${ark}`, words.toWork)}
<a href="${prefix}/organizations/${visit.organization.slug}/works">${words.allWorks}</a></p>`,
  })
}

export const reasonOptions = [
  { value: '', label: withdrawals.choose },
  ...withdrawalReasons.map((value) => ({ value, label: withdrawals[value] })),
]

/** Adds the form that withdraws a work, for a reason and with a word that it is meant. */
export function addWithdrawalPages(context: OrganizationContext): void {
  const { member } = organizationRoutes(context, 'register works')
  const path = '/works/:name/withdraw'
  member.get(path, async (visit) =>
    withdrawalPage(await visitStandingWork(visit, 'withdraw'), emptyForm),
  )
  // A form that is sent twice finds the work withdrawn: its name tells that it was this form.
  member.post(path, async (visit, body) => withdraw(await visitWork(visit, 'withdraw'), body))
}

function withdrawalPage(work: ChangedWork, state: FormState): AccountPage {
  const { context } = work.visit
  const { metadata, visit, ark, base, etag } = work
  return organizationPage(visit, {
    section: '/works',
    title: words.withdraw,
    lead: words.withdrawLead({
      title: metadata.work_title,
      work: arkLink(context, `ark:/${ark}`),
    }),
    state,
    content: formCard({
      action: `${base}/withdraw`,
      csrf: visit.csrf,
      fields: html`${selectField(
        {
          name: 'reason',
          label: withdrawals.reason,
          hint: words.reasonHint,
          options: reasonOptions,
        },
        state,
      )}
${field(withdrawalNote, state)}
${field(replacementField, state)}
${checkbox(confirmation, state)}
${operatorNote(visit)}
${hiddenField('once', newFormKey(context))}${hiddenField('etag', etag)}`,
      submit: words.withdrawSubmit,
      danger: true,
      beside: html`<a href="${context.baseUrl}/ark:/${ark}">${words.leave}</a>`,
    }),
  })
}

const withdrawalNote = {
  name: 'note',
  label: words.withdrawNote,
  type: 'textarea',
} as const

const replacementField = {
  name: 'replaced_by',
  label: words.replacement,
  hint: words.replacementHint({ example: 'ark:/12345/x6np1wh8k' }),
} as const

const confirmation = {
  name: 'confirmed',
  label: words.confirmation,
} as const

const withdrawalLabels: Readonly<Record<string, Text>> = {
  note: withdrawalNote.label,
  replaced_by: replacementField.label,
}

function asFault({ field: name, code, message }: FieldFault): PageFault {
  if (name === 'reason') return pageFault(name, code, words.reasonNeeded)
  const label = textIn(english, withdrawalLabels[name] ?? name)
  return { field: name, code, message: message.replace(name, label) }
}

async function withdraw(work: ChangedWork, body: FormBody): Promise<AccountPage> {
  const asked = ['reason', 'note', 'replaced_by']
    .map((name): [string, string] => [name, textOf(body, name).trim()])
    .filter(([, text]) => text !== '')
  const checked = checkWithdrawal(Object.fromEntries(asked))
  const unsure = body.has('confirmed') ? [] : [pageFault('confirmed', 'required', words.confirm)]
  const again = (faults: readonly PageFault[]) => withdrawalPage(work, { values: body, faults })
  if (checked.type === 'invalid') return again([...checked.faults.map(asFault), ...unsure])
  if (unsure.length > 0) return again(unsure)
  const { reason, note, replaced_by: replacedBy } = checked.withdrawal
  const answer = await work.visit.context.environments.live.works.withdraw({
    ark: work.ark,
    by: workAgent(work.visit),
    ifMatch: [textOf(body, 'etag')],
    idempotency: formIdempotency(formKeyOf(body), asked),
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
  const page = `${visit.context.baseUrl}/ark:/${ark}`
  return organizationPage(visit, {
    section: '/works',
    title: words.withdrawn,
    flash: { kind: 'success', text: words.withdrawnText },
    content: html`<p class="buttons">${buttonLink(page, words.toWork)}
<a href="${works}">${words.allWorks}</a></p>`,
  })
}
