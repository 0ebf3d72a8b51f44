import type {
  Item,
  ItemKind,
  Person,
  PersonUrl,
  UpdatePersonAnswer,
  VisibleField,
} from '#actors/people/port.ts'
import { may } from '#actors/values/authority.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type AccountContext,
  type AccountVisit,
  pageAgent,
  personOf,
  writerName,
} from '#src/pages/account/context.ts'
import {
  asPersonFault,
  chosenVisibility,
  faultOf,
  profileVisibilityField,
  visibilityField,
  visibilityWords,
} from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  fieldList,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { type Html, html, joinHtml } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { home, welcomePath } from '#src/pages/kit/page_address.ts'
import { type MemberVisit, redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { badge, buttonLink, card, facts, quietLink, time } from '#src/pages/kit/parts.ts'
import { itemTitle } from '#src/pages/kit/words.ts'
import { type Refusal, refusedPerson } from '#src/use_cases/person_reply.ts'
import { credentials, profile as words } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

/** The two kinds of items, as paths and headings call them. */
export const itemKinds = {
  affiliation: {
    path: '/account/affiliations',
    heading: words.affiliations,
    add: words.affiliationAdd,
    empty: words.affiliationsNone,
  },
  education: {
    path: '/account/education',
    heading: words.education,
    add: words.educationAdd,
    empty: words.educationNone,
  },
} as const satisfies Record<ItemKind, unknown>

function itemCards(context: AccountContext, person: Person): Html {
  const cards = (['affiliation', 'education'] as const).map((kind) => {
    const { path, heading, add, empty } = itemKinds[kind]
    const items = person.items.filter((item) => item.kind === kind)
    const list =
      items.length === 0
        ? html`<p>${empty}</p>`
        : html`<ul>${items.map((item) => listed(context, person, item))}</ul>`
    return card(heading, [list, buttonLink(`${context.pages.prefix}${path}/new`, add)])
  })
  return html`${cards}`
}

function listed(context: AccountContext, { ppid }: Person, item: Item): Html {
  const path = `${context.pages.prefix}${itemKinds[item.kind].path}/${item.id}`
  const writer = writerName(context, item.source, ppid)
  return html`<li><a href="${path}"><bdi>${itemTitle(item)}</bdi></a> ${itemBadges(item)}
<p class="hint">${words.addedBy({ writer, time: time(item.created_at) })}</p></li>`
}

function itemBadges({ status, visibility }: Item): Html {
  if (status === 'hidden') return badge(words.hidden, 'waiting')
  const mark = status === 'contested' ? [badge(words.contested, 'bad')] : []
  const seen = badge(words.visibleTo({ who: visibilityWords[visibility] }))
  return joinHtml([...mark, seen], ' ')
}

const flashes: Flashes = {
  welcome: words.welcome,
  saved: words.saved,
  shown: words.visibilitySaved,
  orcid: words.orcidSaved,
  no_orcid: words.orcidRemoved,
  item_added: words.itemAdded,
  item_saved: words.itemSaved,
  item_deleted: words.itemDeleted,
  verified: words.verified,
}

/** Adds the page of a person's own profile, and what changes it. */
export function addProfilePages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(home, (visit) => profilePage(visit, {}))

  member.post(home, async (visit, body) => {
    const { fields, faults } = readProfile(body)
    const answer: UpdatePersonAnswer =
      faults.length > 0
        ? { type: 'invalid', faults }
        : await context.environment.people.update({ ...commandOf(visit), body: fields })
    const found = faultsOf(answer)
    if (found.length === 0) return redirectDone(home, 'saved')
    return profilePage(visit, { profile: { values: body, faults: found } })
  })

  member.get(welcomePath, ({ query, csrf }) => {
    return welcomePage(context, csrf, query.get('return_to') ?? '')
  })
  member.post(welcomePath, async (visit, body) => {
    const command = { ...commandOf(visit), body: { visibility: chosenVisibility(body) } }
    const found = faultsOf(await context.environment.people.update(command))
    if (found.length > 0) throw new HttpError('validation_failed', found[0]?.message ?? 'Not so')
    return { redirect: context.pages.returnTo(textOf(body, 'return_to')) }
  })

  member.post('/account/visibility', async (visit, body) => {
    const chosen = visibleFields.map(({ name }) => [name, textOf(body, choiceName(name))] as const)
    const visibility = Object.fromEntries(chosen.filter(([, value]) => value !== ''))
    const command = { ...commandOf(visit), body: { visibility } }
    const found = faultsOf(await context.environment.people.update(command))
    if (found.length === 0) return redirectDone(home, 'shown')
    throw new HttpError('validation_failed', found[0]?.message ?? 'This cannot be chosen')
  })

  member.post('/account/orcid', async (visit, body) => {
    const { people } = context.environment
    const orcid = textOf(body, 'orcid').trim()
    if (orcid === '') {
      await people.unlinkOrcid(commandOf(visit))
      return redirectDone(home, 'no_orcid')
    }
    const command = { ...commandOf(visit), orcid, authenticated: false }
    const found = faultsOf(await people.linkOrcid(command))
    if (found.length === 0) return redirectDone(home, 'orcid')
    return profilePage(visit, { orcid: { values: body, faults: found } })
  })
}

function commandOf({ account }: MemberVisit) {
  return { ppid: account.ppid, by: pageAgent(account.ppid) }
}

/** What is wrong with a change, by the fields of its form; nothing if it was made. */
function faultsOf(answer: UpdatePersonAnswer): readonly FieldFault[] {
  switch (answer.type) {
    case 'updated':
    case 'unchanged':
      return []
    case 'invalid':
      return answer.faults.map(asPersonFault)
    case 'username_taken':
      return [faultOf('username', 'taken', credentials.username_taken)]
    case 'orcid_taken':
      return [faultOf('orcid', 'taken', words.orcidTaken)]
    case 'not_found':
    case 'gone':
    case 'forbidden':
    case 'precondition_failed':
      throw new HttpError('conflict', 'The profile cannot be changed now: load the page again')
  }
}

/** Reads the form of a profile: an empty field removes what was there. */
function readProfile(body: FormBody) {
  const text = (name: string) => textOf(body, name).trim() || null
  const { urls, faults } = readUrls(textOf(body, 'urls'))
  const fields = {
    name: text('name') ?? '',
    username: text('username'),
    avatar_url: text('avatar_url'),
    bio: text('bio'),
    urls: urls.length === 0 ? null : urls,
  }
  return { fields, faults }
}

/** Reads links, one a line: an address, and its name before or after it. */
function readUrls(text: string): { readonly urls: PersonUrl[]; readonly faults: FieldFault[] } {
  const urls: PersonUrl[] = []
  const faults: FieldFault[] = []
  for (const line of text.split('\n')) {
    const parts = line.trim().split(/\s+/)
    const url = parts.find((word) => /^https?:\/\//i.test(word))
    const name = parts.filter((word) => word !== url).join(' ')
    if (line.trim() === '') continue
    if (url === undefined) {
      faults.push(faultOf('urls', 'taken', words.linkNeedsAddress))
    } else {
      urls.push({ url, ...(name !== '' && { name }) })
    }
  }
  return { urls, faults }
}

/** Asks who comes from elsewhere, and has filled in no form, who sees them. */
function welcomePage({ pages }: AccountContext, csrf: string, to: string): AccountPage {
  return {
    title: credentials.seenBy,
    current: home,
    lead: words.welcomeLead,
    content: formCard({
      action: pages.prefix + welcomePath,
      csrf,
      fields: html`${hiddenField('return_to', to)}${profileVisibilityField(emptyForm)}`,
      submit: words.goOn,
    }),
  }
}

type States = { readonly profile?: FormState; readonly orcid?: FormState }

function profilePage(visit: AccountVisit, states: States): AccountPage {
  const person = personOf(visit)
  const { profile = profileValues(person), orcid = orcidValues(person) } = states
  return {
    title: words.title,
    current: home,
    flashes,
    state: { values: profile.values, faults: [...profile.faults, ...orcid.faults] },
    heading: person.profile.name,
    content: html`${overview(visit, person)}
${card(words.aboutMe, aboutForm(visit, profile))}
${itemCards(visit.context, person)}
${card(words.orcid, orcidForm(visit, person, orcid))}
${card(words.whoSeesWhat, visibilityForm(visit, person))}`,
  }
}

function overview(visit: AccountVisit, person: Person): Html {
  const { baseUrl, environment } = visit.context
  const { ppid } = person
  const { account } = visit
  const works = environment.claims.worksCount(ppid)
  const url = `${baseUrl}/people/${ppid}`
  const mark = account.email_verified
    ? badge(words.emailVerified, 'good')
    : badge(words.emailNotVerified, 'waiting')
  return facts([
    [words.identifier, html`<code>${ppid}</code>`],
    [words.whatOthersSee, html`<a href="${url}"><bdi>${url}</bdi></a>`],
    [words.worksCount, works],
    [words.email, account.email === null ? undefined : html`<bdi>${account.email}</bdi> ${mark}`],
  ])
}

function profileValues({ profile }: Person): FormState {
  const { name, username = '', avatar_url = '', bio = '', urls = [] } = profile
  const lines = urls.map((each) => [each.name, each.url].filter(Boolean).join(' '))
  const values = { name, username, avatar_url, bio, urls: lines.join('\n') }
  return { values: new Map(Object.entries(values)), faults: [] }
}

function orcidValues({ profile }: Person): FormState {
  return { values: new Map([['orcid', profile.orcid ?? '']]), faults: [] }
}

function aboutForm({ context: { pages }, csrf }: AccountVisit, state: FormState): Html {
  const fields = fieldList(state, [
    { name: 'name', label: credentials.name, required: true, autocomplete: 'name' },
    {
      name: 'username',
      label: credentials.username,
      hint: credentials.usernameHint,
    },
    { name: 'bio', label: words.aboutMe, type: 'textarea', hint: words.bioHint },
    {
      name: 'urls',
      label: words.links,
      type: 'textarea',
      hint: words.linksHint({ example: 'Laboratory https://lab.example/' }),
    },
    { name: 'avatar_url', label: words.pictureAddress, type: 'url' },
  ])
  return form({ action: pages.prefix + home, csrf, fields, submit: words.save })
}

function orcidForm(
  { context: { pages }, csrf }: AccountVisit,
  { profile }: Person,
  state: FormState,
): Html {
  const isAuthenticated = profile.orcid_authenticated === true
  const hint = isAuthenticated
    ? words.orcidSignedIn
    : words.orcidHint({ example: '0000-0002-1825-0097' })
  const fields = field({ name: 'orcid', label: words.orcid, hint }, state)
  const action = `${pages.prefix}/account/orcid`
  return form({ action, csrf, fields, submit: words.orcidSave })
}

const visibleFields: readonly { readonly name: VisibleField; readonly label: Text }[] = [
  { name: 'name', label: credentials.name },
  { name: 'username', label: credentials.username },
  { name: 'avatar_url', label: words.picture },
  { name: 'orcid', label: words.orcid },
  { name: 'email', label: words.email },
  { name: 'bio', label: words.aboutMe },
  { name: 'urls', label: words.links },
  { name: 'claims', label: words.claims },
  { name: 'affiliations', label: words.newAffiliations },
  { name: 'education', label: words.newEducation },
]

/** A choice of who sees a field is a field of its own, on the same page. */
function choiceName(name: VisibleField): string {
  return `${name}_seen_by`
}

function visibilityForm({ context: { pages }, csrf }: AccountVisit, { profile }: Person): Html {
  const chosen = visibleFields.map(
    ({ name }) => [choiceName(name), profile.visibility[name]] as const,
  )
  const state = { ...emptyForm, values: new Map(chosen) }
  const choices = visibleFields.map(({ name, label }) =>
    visibilityField({ name: choiceName(name), label }, state),
  )
  const fields = html`<div class="columns">${choices}</div>`
  const action = `${pages.prefix}/account/visibility`
  return html`<p class="hint">${words.visibilityHint}</p>
${form({ action, csrf, fields, submit: words.visibilitySave })}`
}

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
  const { member } = routesIn(context)
  const { path } = itemKinds[kind]
  member.get(`${path}/new`, (visit) => {
    const { visibility } = personOf(visit).profile
    const first = visibility[kind === 'affiliation' ? 'affiliations' : 'education']
    const state = { values: new Map([['visibility', first]]), faults: [] }
    return newPage(visit, kind, state)
  })
  member.post(`${path}/new`, async (visit, body) => {
    const command = { ...commandOf(visit), kind, body: fieldsOf(kind, body, 'new') }
    const answer = await context.environment.people.putItem(command)
    if (answer.type === 'put')
      return redirectDone(home, answer.created ? 'item_added' : 'item_saved')
    if (answer.type !== 'invalid') throw refused(answer)
    return newPage(visit, kind, { values: body, faults: answer.faults })
  })
}

function addEditing(context: AccountContext, kind: ItemKind): void {
  const { member } = routesIn(context)
  const { path } = itemKinds[kind]
  member.get(`${path}/:id`, (visit) => itemPage(visit, findItem(visit, kind)))
  member.post(`${path}/:id`, async (visit, body) => {
    const item = findItem(visit, kind)
    const fields = fieldsOf(kind, body, 'changed')
    const command = { ...commandOf(visit), kind, id: item.id, body: fields }
    const answer = await context.environment.people.changeItem(command)
    if ('item' in answer) return redirectDone(home, 'item_saved')
    if (answer.type !== 'invalid') throw refused(answer)
    return itemPage(visit, item, { values: body, faults: answer.faults })
  })
}

function addMarking(context: AccountContext, kind: ItemKind): void {
  const { path } = itemKinds[kind]
  routesIn(context).member.post(`${path}/:id/mark`, async (visit, body) => {
    const item = findItem(visit, kind)
    const given = ['status', 'reason', 'visibility'].flatMap((name) => {
      const value = textOf(body, name).trim()
      return value === '' ? [] : [[name, value] as const]
    })
    const command = { ...commandOf(visit), kind, id: item.id, body: Object.fromEntries(given) }
    const answer = await context.environment.people.markItem(command)
    if ('item' in answer) return redirectDone(home, 'item_saved')
    if (answer.type !== 'invalid') throw refused(answer)
    return itemPage(visit, item, { values: body, faults: answer.faults })
  })
}

function addDeletion(context: AccountContext, kind: ItemKind): void {
  const { member } = routesIn(context)
  const { prefix } = context.pages
  const { path } = itemKinds[kind]
  member.get(`${path}/:id/delete`, (visit) => {
    const item = findItem(visit, kind)
    const action = `${prefix}${path}/${item.id}/delete`
    const fields = html`<p>${words.deleteHistory}</p>`
    const beside = html`<a href="${prefix}${path}/${item.id}">${words.keep}</a>`
    const submit = words.delete
    return {
      title: words.deleteAsk,
      current: home,
      lead: itemTitle(item),
      content: formCard({ action, csrf: visit.csrf, fields, submit, beside, danger: true }),
    }
  })
  member.post(`${path}/:id/delete`, async (visit) => {
    const { id } = findItem(visit, kind)
    const command = { ...commandOf(visit), kind, id }
    const answer = await context.environment.people.removeItem(command)
    if (answer.type === 'removed') return redirectDone(home, 'item_deleted')
    throw refused(answer)
  })
}

function findItem(visit: AccountVisit, kind: ItemKind): Item {
  const { id } = visit.parameters
  const item = personOf(visit).items.find((each) => each.id === id && each.kind === kind)
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

const rorField = {
  name: 'ror',
  label: 'ROR ID',
  hint: words.rorHint({ example: 'https://ror.org/05gq02987' }),
} as const

const itemFields = {
  affiliation: [
    { name: 'organization', label: words.organization, required: true },
    { name: 'role', label: words.role, hint: words.roleHint },
    { name: 'department', label: words.department },
    { name: 'start_year', label: words.startYear },
    { name: 'end_year', label: words.endYear, hint: words.endYearHint },
    rorField,
  ],
  education: [
    { name: 'degree', label: words.degree },
    { name: 'institution', label: words.institution, required: true },
    { name: 'year', label: words.year },
    rorField,
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
  { context: { pages }, csrf }: AccountVisit,
  about: { readonly kind: ItemKind; readonly id: string; readonly state: FormState },
): Html {
  const { kind, id, state } = about
  const fields = [
    ...itemFields[kind].map((each) => field(each, state)),
    visibilityField({ name: 'visibility', label: words.whoSeesIt }, state),
  ]
  return form({
    action: `${pages.prefix}${itemKinds[kind].path}/${id}`,
    csrf,
    fields,
    submit: words.saveItem,
  })
}

function newPage(visit: AccountVisit, kind: ItemKind, state: FormState): AccountPage {
  const { add } = itemKinds[kind]
  return {
    title: add,
    current: home,
    state,
    content: html`<div class="card">${formOf(visit, { kind, id: 'new', state })}</div>`,
  }
}

function itemPage(visit: AccountVisit, item: Item, asked?: FormState): AccountPage {
  const { ppid } = visit.account
  const isOwn = may(pageAgent(ppid), 'item', 'change', { ppid, source: item.source })
  const state = asked ?? valuesOf(item)
  return {
    title: itemTitle(item),
    current: home,
    state,
    content: html`${facts([
      [words.writtenBy, writerName(visit.context, item.source, ppid)],
      [words.added, time(item.created_at)],
      [words.changed, time(item.updated_at)],
      [words.status, itemBadges(item)],
      [words.contestReason, item.contest_reason],
    ])}
${isOwn ? card(words.edit, formOf(visit, { kind: item.kind, id: item.id, state })) : ''}
${isOwn ? '' : card(words.whatYouCanDo, markForms(visit, item, state))}
${deletion(visit.context, item)}`,
  }
}

function valuesOf({ fields, visibility }: Item): FormState {
  return { values: new Map(Object.entries({ ...fields, visibility })), faults: [] }
}

/** What a person can do about an item that another agent has written. */
function markForms(visit: AccountVisit, item: Item, state: FormState): Html {
  const { csrf } = visit
  const action = `${visit.context.pages.prefix}${itemKinds[item.kind].path}/${item.id}/mark`
  const seen = visibilityField({ name: 'visibility', label: words.whoSeesIt }, state)
  const isShown = item.status === 'active'
  const toggle = isShown
    ? form({ action, csrf, fields: hiddenField('status', 'hidden'), submit: words.hide })
    : form({ action, csrf, fields: hiddenField('status', 'active'), submit: words.showAgain })
  const reason = field(
    {
      name: 'reason',
      label: words.whatIsWrong,
      type: 'textarea',
      hint: words.whatIsWrongHint,
    },
    { values: new Map(), faults: state.faults },
  )
  const contest = form({
    action,
    csrf,
    fields: [hiddenField('status', 'contested'), reason],
    submit: words.contest,
  })
  return html`<p>${words.onlyWriter}</p>
${form({ action, csrf, fields: seen, submit: words.saveWhoSees })}
${toggle}
${item.status === 'contested' ? '' : contest}`
}

function deletion({ pages }: AccountContext, item: Item): Html {
  const path = `${pages.prefix}${itemKinds[item.kind].path}/${item.id}/delete`
  return card(
    words.deleteTitle,
    html`<p>${words.deleteText}</p>
${quietLink(path, words.deleteLink)}`,
  )
}
