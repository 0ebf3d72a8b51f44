import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { may } from '#actors/values/authority.ts'
import type { Item, ItemKind } from '#actors/people/port.ts'
import { HttpError } from '#src/errors.ts'
import { type Refusal, refusedPerson } from '#src/use_cases/person_reply.ts'
import { type AccountContext, pageAgent, personOf, writerName } from '#src/pages/account/context.ts'
import { home } from '#src/pages/kit/page_address.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { field, form, formCard, type FormState, hiddenField } from '#src/pages/kit/form_field.ts'
import { itemBadges, itemKinds } from '#src/pages/account/item_list.ts'
import { visibilityField } from '#src/pages/kit/visibility_field.ts'
import { itemTitle } from '#src/pages/kit/words.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { card, facts, quietLink, time } from '#src/pages/kit/parts.ts'

/** Adds the pages of single affiliations and education records: add, change, mark, delete. */
export function addItemPages(context: AccountContext): void {
  for (const kind of ['affiliation', 'education'] as const) {
    addNewPages(context, kind)
    addEditing(context, kind)
    addMarking(context, kind)
    addDeletion(context, kind)
  }
}

function addNewPages(context: AccountContext, kind: ItemKind): void {
  const { member } = context.pages
  const { path } = itemKinds[kind]
  member.get(`${path}/new`, (visit) => {
    const { visibility } = personOf(context, visit).profile
    const first = visibility[kind === 'affiliation' ? 'affiliations' : 'education']
    const state = { values: new Map([['visibility', first]]), faults: [] }
    return newPage(context, visit, kind, state)
  })
  member.post(`${path}/new`, async (visit, body) => {
    const command = { ...commandOf(visit), kind, body: fieldsOf(kind, body, 'new') }
    const answer = await context.environment.people.putItem(command)
    if (answer.type === 'put')
      return redirectDone(home, answer.created ? 'item_added' : 'item_saved')
    if (answer.type !== 'invalid') throw refused(answer)
    return newPage(context, visit, kind, { values: body, faults: answer.faults })
  })
}

function addEditing(context: AccountContext, kind: ItemKind): void {
  const { member } = context.pages
  const { path } = itemKinds[kind]
  member.get(`${path}/:id`, (visit) => itemPage(context, visit, findItem(context, visit, kind)))
  member.post(`${path}/:id`, async (visit, body) => {
    const item = findItem(context, visit, kind)
    const fields = fieldsOf(kind, body, 'changed')
    const command = { ...commandOf(visit), kind, id: item.id, body: fields }
    const answer = await context.environment.people.changeItem(command)
    if ('item' in answer) return redirectDone(home, 'item_saved')
    if (answer.type !== 'invalid') throw refused(answer)
    return itemPage(context, visit, item, { values: body, faults: answer.faults })
  })
}

function addMarking(context: AccountContext, kind: ItemKind): void {
  const { path } = itemKinds[kind]
  context.pages.member.post(`${path}/:id/mark`, async (visit, body) => {
    const item = findItem(context, visit, kind)
    const given = ['status', 'reason', 'visibility'].flatMap((name) => {
      const value = textOf(body, name).trim()
      return value === '' ? [] : [[name, value] as const]
    })
    const command = { ...commandOf(visit), kind, id: item.id, body: Object.fromEntries(given) }
    const answer = await context.environment.people.markItem(command)
    if ('item' in answer) return redirectDone(home, 'item_saved')
    if (answer.type !== 'invalid') throw refused(answer)
    return itemPage(context, visit, item, { values: body, faults: answer.faults })
  })
}

function addDeletion(context: AccountContext, kind: ItemKind): void {
  const { member, prefix } = context.pages
  const { path } = itemKinds[kind]
  member.get(`${path}/:id/delete`, (visit) => {
    const item = findItem(context, visit, kind)
    const action = `${prefix}${path}/${item.id}/delete`
    const fields = html`<p>That it was there, and who wrote it, stays in your history.</p>`
    const beside = html`<a href="${prefix}${path}/${item.id}">Keep it</a>`
    const submit = 'Delete'
    return {
      title: 'Delete this?',
      current: home,
      lead: itemTitle(item),
      content: formCard({ action, csrf: visit.csrf, fields, submit, beside, danger: true }),
    }
  })
  member.post(`${path}/:id/delete`, async (visit) => {
    const { id } = findItem(context, visit, kind)
    const command = { ...commandOf(visit), kind, id }
    const answer = await context.environment.people.removeItem(command)
    if (answer.type === 'removed') return redirectDone(home, 'item_deleted')
    throw refused(answer)
  })
}

function commandOf({ account }: MemberVisit) {
  return { ppid: account.ppid, by: pageAgent(account.ppid) }
}

function findItem(context: AccountContext, visit: MemberVisit, kind: ItemKind): Item {
  const { id } = visit.parameters
  const item = personOf(context, visit).items.find((each) => each.id === id && each.kind === kind)
  if (item !== undefined) return item
  throw new HttpError('not_found', 'This is not on your profile, or not any more')
}

function refused(refusal: Refusal): HttpError {
  return refusedPerson(refusal, {
    forbidden: 'This is not yours to change',
    invalid: 'This cannot be written like this',
    notFound: 'This is not on your profile, or not any more',
  })
}

const itemFields = {
  affiliation: [
    { name: 'organization', label: 'Organization', required: true },
    { name: 'role', label: 'Role', hint: 'What you are there, such as Professor.' },
    { name: 'department', label: 'Department' },
    { name: 'start_year', label: 'From (year)' },
    { name: 'end_year', label: 'Until (year)', hint: 'Leave it empty while it lasts.' },
    { name: 'ror', label: 'ROR ID', hint: 'Such as https://ror.org/05gq02987.' },
  ],
  education: [
    { name: 'degree', label: 'Degree or course' },
    { name: 'institution', label: 'Institution', required: true },
    { name: 'year', label: 'Year' },
    { name: 'ror', label: 'ROR ID', hint: 'Such as https://ror.org/05gq02987.' },
  ],
} as const

/** The fields of a form: of a change, an empty one removes what was there. */
function fieldsOf(kind: ItemKind, body: FormBody, what: 'new' | 'changed') {
  const fields: Record<string, string | null> = {}
  for (const { name } of itemFields[kind]) {
    const text = textOf(body, name).trim()
    if (text !== '') fields[name] = text
    else if (what === 'changed') fields[name] = null
  }
  const visibility = textOf(body, 'visibility')
  return visibility === '' ? fields : { ...fields, visibility }
}

function formOf(
  { pages }: AccountContext,
  { csrf }: MemberVisit,
  about: { readonly kind: ItemKind; readonly id: string; readonly state: FormState },
): Html {
  const { kind, id, state } = about
  const fields = [
    ...itemFields[kind].map((each) => field(each, state)),
    visibilityField({ name: 'visibility', label: 'Who sees it' }, state),
  ]
  return form({
    action: `${pages.prefix}${itemKinds[kind].path}/${id}`,
    csrf,
    fields,
    submit: 'Save',
  })
}

function newPage(
  context: AccountContext,
  visit: MemberVisit,
  kind: ItemKind,
  state: FormState,
): AccountPage {
  const { add } = itemKinds[kind]
  return {
    title: add,
    current: home,
    state,
    content: html`<div class="card">${formOf(context, visit, { kind, id: 'new', state })}</div>`,
  }
}

function itemPage(
  context: AccountContext,
  visit: MemberVisit,
  item: Item,
  asked?: FormState,
): AccountPage {
  const { ppid } = visit.account
  const isOwn = may(pageAgent(ppid), 'item', 'change', { ppid, source: item.source })
  const state = asked ?? valuesOf(item)
  return {
    title: itemTitle(item),
    current: home,
    state,
    content: html`${facts([
      ['Written by', writerName(context, item.source, ppid)],
      ['Added', time(item.created_at)],
      ['Changed', time(item.updated_at)],
      ['How it stands', itemBadges(item)],
      ['Why you contest it', item.contest_reason],
    ])}
${isOwn ? card('Change it', formOf(context, visit, { kind: item.kind, id: item.id, state })) : ''}
${isOwn ? '' : card('What you can do', markForms(context, visit, item, state))}
${deletion(context, item)}`,
  }
}

function valuesOf({ fields, visibility }: Item): FormState {
  return { values: new Map(Object.entries({ ...fields, visibility })), faults: [] }
}

/** What a person can do about an item that another agent has written. */
function markForms(
  context: AccountContext,
  visit: MemberVisit,
  item: Item,
  state: FormState,
): Html {
  const { csrf } = visit
  const action = `${context.pages.prefix}${itemKinds[item.kind].path}/${item.id}/mark`
  const seen = visibilityField({ name: 'visibility', label: 'Who sees it' }, state)
  const isShown = item.status === 'active'
  const toggle = isShown
    ? form({ action, csrf, fields: hiddenField('status', 'hidden'), submit: 'Hide it' })
    : form({ action, csrf, fields: hiddenField('status', 'active'), submit: 'Show it again' })
  const reason = field(
    {
      name: 'reason',
      label: 'What is wrong',
      type: 'textarea',
      hint: 'Its writer reads this. Everybody who sees the entry sees that you contest it.',
    },
    { values: new Map(), faults: state.faults },
  )
  const contest = form({
    action,
    csrf,
    fields: [hiddenField('status', 'contested'), reason],
    submit: 'Contest it',
  })
  return html`<p>Only its writer can change what it says. You decide whether and to whom it is
shown.</p>
${form({ action, csrf, fields: seen, submit: 'Save who sees it' })}
${toggle}
${item.status === 'contested' ? '' : contest}`
}

function deletion({ pages }: AccountContext, item: Item): Html {
  const path = `${pages.prefix}${itemKinds[item.kind].path}/${item.id}/delete`
  return card(
    'Delete it',
    html`<p>It goes from your profile, whoever wrote it.</p>
${quietLink(path, 'Delete…')}`,
  )
}
