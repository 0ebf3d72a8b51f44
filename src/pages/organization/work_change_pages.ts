import { idempotencyOf } from '#actors/journal/idempotency.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { applyPatch, checkNewVersion, type NewVersionCheck } from '#actors/works/metadata_checks.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { WorkChange } from '#actors/works/port.ts'
import {
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { buttonLink, card, facts } from '#src/pages/kit/parts.ts'
import {
  arkLink,
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
  workPatch,
  workValues,
} from '#src/pages/organization/work_change.ts'
import { authorLines, changeRows } from '#src/pages/organization/author_rows.ts'
import {
  asWorkFault,
  type FoldedForm,
  formFaults,
  hiddenWorkFields,
  normalizeWorkForm,
  noticeBox,
  workFieldLabels,
  workFields,
} from '#src/pages/organization/work_form.ts'
import { WordDifferences } from '#src/pages/kit/word_difference.ts'

/** Bytes of a form: two long texts, each character at most nine times as long in it. */
const formBytesMax = 1_048_576

/** The two ways to change a work, by the last part of their path. */
const ways = {
  edit: {
    title: 'Edit the work',
    lead: 'What is registered stays. The description with your changes becomes the next version.',
    submit: 'Register the change',
    hasNote: false,
  },
  'new-version': {
    title: 'Register a new version',
    lead: 'For a new file or a revised text. The versions before stay as they are.',
    submit: 'Register the version',
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
  label: 'What is new in this version',
  type: 'textarea',
  hint: 'Readers see it in the list of versions. Such as: Corrects table 3.',
} as const

function formPage(
  work: ChangedWork,
  way: WayName,
  { state, notices, focus }: { state: FormState; notices?: readonly string[]; focus?: number },
): AccountPage {
  const { title, lead, hasNote } = ways[way]
  const page = `${work.visit.context.baseUrl}/ark:/${work.ark}`
  return organizationPage(work.visit, {
    section: '/works',
    title,
    lead: html`${lead} It is ${arkLink(work.visit.context, `ark:/${work.ark}`)}, version ${work.version}.`,
    state,
    content: html`${noticeBox(notices ?? [])}${formCard({
      action: `${work.base}/${way}`,
      csrf: work.visit.csrf,
      fields: html`${workFields(state, focus)}${hasNote ? field(noteField, state) : ''}
${operatorNote(work.visit)}`,
      submit: 'Preview',
      beside: html`<a href="${page}">Leave it as it is</a>`,
    })}`,
  })
}

type Checked =
  | {
      readonly type: 'ok'
      readonly change: Extract<NewVersionCheck, { type: 'ok' }>
      readonly metadata: Metadata
    }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/** Checks a form as a change of the work: what it would be afterwards, or all faults at once. */
function check({ metadata }: ChangedWork, way: WayName, body: FormBody): Checked {
  const note = ways[way].hasNote ? textOf(body, 'version_note').trim() : ''
  const patch = { ...workPatch(metadata, body), ...(note !== '' && { version_note: note }) }
  const change = checkNewVersion(patch)
  if (change.type === 'invalid') return change
  const after = applyPatch(metadata, change.patch)
  if (after.type === 'invalid') return after
  if (after.changedFields.length > 0) return { type: 'ok', change, metadata: after.metadata }
  const message = 'Nothing differs from the newest version yet'
  return { type: 'invalid', faults: [{ field: 'work_title', code: 'bad_value', message }] }
}

function look(work: ChangedWork, way: WayName, body: FormBody): AccountPage {
  const changed = changeRows(body)
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
  const faults = [...wrong, ...found.map((fault) => asWorkFault(fault, values))]
  return formPage(work, way, { state: { values, faults }, notices })
}

function differencePage(
  work: ChangedWork,
  way: WayName,
  { values, notices }: FoldedForm,
  { change, metadata }: Extract<Checked, { type: 'ok' }>,
): AccountPage {
  const { csrf } = work.visit
  const note = textOf(values, 'version_note')
  const carried = html`${hiddenWorkFields(values)}${hiddenField('version_note', note)}`
  const named = html`${hiddenField('once', newFormKey(work.visit.context))}${hiddenField('etag', work.etag)}`
  const action = `${work.base}/${way}`
  const warnings = change.warnings.map((warning) => {
    const { message } = asWorkFault(warning, values)
    return html`<div class="flash flash-info"><p>${message}</p></div>`
  })
  return organizationPage(work.visit, {
    section: '/works',
    title: 'Is this right?',
    lead: html`This becomes version ${work.version + 1} of
${arkLink(work.visit.context, `ark:/${work.ark}`)}. What goes is struck through, what comes is underlined.`,
    content: html`${noticeBox(notices)}${warnings}
${card('What changes', facts(differences(work.metadata, metadata)))}
<div class="buttons">${form({
      action: `${action}/register`,
      csrf,
      fields: html`${carried}${named}`,
      submit: ways[way].submit,
      inline: true,
    })}
${form({ action: `${action}/change`, csrf, fields: carried, submit: 'Change it', inline: true })}
</div>`,
  })
}

function differences(before: Metadata, after: Metadata): readonly [string, Html][] {
  const [former, next] = [shownTexts(before), shownTexts(after)]
  const words = new WordDifferences()
  return [...former].flatMap(([label, old]): [string, Html][] => {
    const text = next.get(label) ?? ''
    if (old === text) return []
    return [[label, html`<div class="difference" dir="auto">${words.between(old, text)}</div>`]]
  })
}

/** What the form shows of a work, by what it is called there. */
function shownTexts(metadata: Metadata): ReadonlyMap<string, string> {
  const values = workValues(metadata)
  const texts = workFieldLabels.map(([name, label]) => [label, textOf(values, name)] as const)
  const [title, type, ...others] = texts
  const authors = ['Authors', authorLines(metadata)] as const
  return new Map([title, type, authors, ...others].filter((row) => row !== undefined))
}

async function register(work: ChangedWork, way: WayName, body: FormBody): Promise<AccountPage> {
  const once = formKeyOf(body)
  // A form that is sent again, after it was carried out, differs from nothing any more: it is told
  // by its name. So what it asks for is named by the form, and not by what is left of it to do.
  const idempotency = idempotencyOf(
    `page-${once}`,
    [...body].filter(([name]) => name !== 'csrf'),
  )
  const checked = check(work, way, body)
  const patch = checked.type === 'ok' ? checked.change.patch : {}
  const versionNote = checked.type === 'ok' ? checked.change.versionNote : undefined
  const { works } = work.visit.context.environments.live
  const command = {
    ark: work.ark,
    by: workAgent(work.visit),
    ifMatch: [textOf(body, 'etag')],
    idempotency,
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
  const proof = `${visit.context.baseUrl}/api/v1/receipts/ark:/${ark}/v${version}`
  return organizationPage(visit, {
    section: '/works',
    title: 'Registered',
    flash: {
      kind: 'success',
      text: `Version ${version} is registered, and its receipt is signed.`,
    },
    content: html`${card(
      `Version ${version}`,
      facts([
        ['ARK', arkLink(visit.context, `ark:/${ark}`)],
        ['Receipt', html`<a href="${proof}"><code>${receipt}</code></a>`],
      ]),
    )}
<p class="buttons">${buttonLink(`${visit.context.baseUrl}/ark:/${ark}`, 'To the work')}
<a href="${prefix}/organizations/${visit.organization.slug}/works">All works</a></p>`,
  })
}
