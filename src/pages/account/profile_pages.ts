import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Person, PersonUrl, UpdatePersonAnswer, VisibleField } from '#actors/people/port.ts'
import { HttpError } from '#src/errors.ts'
import { type AccountContext, pageAgent, personOf } from '#src/pages/account/context.ts'
import { asPersonFault } from '#src/pages/sign_in/sign_up_pages.ts'
import { home, welcomePath } from '#src/pages/kit/page_address.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  emptyForm,
  field,
  fieldList,
  form,
  formCard,
  type FormState,
  hiddenField,
} from '#src/pages/kit/form_field.ts'
import {
  chosenVisibility,
  profileVisibilityField,
  visibilityField,
} from '#src/pages/kit/visibility_field.ts'
import { itemCards } from '#src/pages/account/item_list.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, card, facts } from '#src/pages/kit/parts.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

const flashes: Flashes = {
  welcome: 'Your account is there. This is your profile: say who sees what of it.',
  saved: 'Your profile is saved.',
  shown: 'It is settled who sees what.',
  orcid: 'Your ORCID iD is saved.',
  no_orcid: 'Your ORCID iD is taken off your profile.',
  item_added: 'It is added to your profile.',
  item_saved: 'The change is saved.',
  item_deleted: 'It is deleted from your profile.',
  verified: 'Your e-mail address is verified.',
}

/** Adds the page of a person's own profile, and what changes it. */
export function addProfilePages(context: AccountContext): void {
  const { member } = context.pages
  member.get(home, (visit) => profilePage(context, visit, {}))

  member.post(home, async (visit, body) => {
    const { fields, faults } = readProfile(body)
    const answer: UpdatePersonAnswer =
      faults.length > 0
        ? { type: 'invalid', faults }
        : await context.environment.people.update({ ...commandOf(visit), body: fields })
    const found = faultsOf(answer)
    if (found.length === 0) return redirectDone(home, 'saved')
    return profilePage(context, visit, { profile: { values: body, faults: found } })
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
    return profilePage(context, visit, { orcid: { values: body, faults: found } })
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
      return [fault('username', 'Somebody else has this username: choose another one.')]
    case 'orcid_taken':
      return [fault('orcid', 'Another person here has signed in with this ORCID iD.')]
    case 'not_found':
    case 'gone':
    case 'forbidden':
    case 'precondition_failed':
      throw new HttpError('conflict', 'The profile cannot be changed now: load the page again')
  }
}

function fault(name: string, message: string): FieldFault {
  return { field: name, code: 'taken', message }
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
    const words = line.trim().split(/\s+/)
    const url = words.find((word) => /^https?:\/\//i.test(word))
    const name = words.filter((word) => word !== url).join(' ')
    if (line.trim() === '') continue
    if (url === undefined) {
      faults.push(fault('urls', 'Each line of the links needs an address with https:// in it.'))
    } else {
      urls.push({ url, ...(name !== '' && { name }) })
    }
  }
  return { urls, faults }
}

/** Asks who comes from elsewhere, and has filled in no form, who sees them. */
function welcomePage({ pages }: AccountContext, csrf: string, to: string): AccountPage {
  return {
    title: 'Who sees your profile',
    current: home,
    lead: 'Your account is there. Until you choose, nobody but you sees your profile.',
    content: formCard({
      action: pages.prefix + welcomePath,
      csrf,
      fields: html`${hiddenField('return_to', to)}${profileVisibilityField(emptyForm)}`,
      submit: 'Go on',
    }),
  }
}

type States = { readonly profile?: FormState; readonly orcid?: FormState }

function profilePage(context: AccountContext, visit: MemberVisit, states: States): AccountPage {
  const person = personOf(context, visit)
  const { profile = profileValues(person), orcid = orcidValues(person) } = states
  return {
    title: 'My profile',
    current: home,
    flashes,
    state: { values: profile.values, faults: [...profile.faults, ...orcid.faults] },
    heading: person.profile.name,
    content: html`${overview(context, visit, person)}
${card('About me', aboutForm(context, visit, profile))}
${itemCards(context, person)}
${card('ORCID iD', orcidForm(context, visit, person, orcid))}
${card('Who sees what', visibilityForm(context, visit, person))}`,
  }
}

function overview(
  { baseUrl, environment }: AccountContext,
  visit: MemberVisit,
  person: Person,
): Html {
  const { ppid } = person
  const { account } = visit
  const works = environment.claims.worksCount(ppid)
  const url = `${baseUrl}/people/${ppid}`
  const mark = account.email_verified ? badge('verified', 'good') : badge('not verified', 'waiting')
  return facts([
    ['My identifier', html`<code>${ppid}</code>`],
    ['What others see', html`<a href="${url}">${url}</a>`],
    ['Works that count as mine', works],
    ['E-mail', account.email === null ? undefined : html`${account.email} ${mark}`],
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

function aboutForm({ pages }: AccountContext, { csrf }: MemberVisit, state: FormState): Html {
  const fields = fieldList(state, [
    { name: 'name', label: 'Name', required: true, autocomplete: 'name' },
    {
      name: 'username',
      label: 'Username',
      hint: 'A short name of your own, in lower-case letters, digits and hyphens.',
    },
    { name: 'bio', label: 'About me', type: 'textarea', hint: 'A few words.' },
    {
      name: 'urls',
      label: 'Links',
      type: 'textarea',
      hint: 'One a line: what it is, then its address. Laboratory https://lab.example/',
    },
    { name: 'avatar_url', label: 'Address of a picture', type: 'url' },
  ])
  return form({ action: pages.prefix + home, csrf, fields, submit: 'Save profile' })
}

function orcidForm(
  { pages }: AccountContext,
  { csrf }: MemberVisit,
  { profile }: Person,
  state: FormState,
): Html {
  const isAuthenticated = profile.orcid_authenticated === true
  const hint = isAuthenticated
    ? 'You have signed in with it, so others can rely on it. Leave it empty to take it off.'
    : 'Such as 0000-0002-1825-0097. It is shown as not confirmed until you sign in with it.'
  const fields = field({ name: 'orcid', label: 'ORCID iD', hint }, state)
  const action = `${pages.prefix}/account/orcid`
  return form({ action, csrf, fields, submit: 'Save ORCID iD' })
}

const visibleFields: readonly { readonly name: VisibleField; readonly label: string }[] = [
  { name: 'name', label: 'Name' },
  { name: 'username', label: 'Username' },
  { name: 'avatar_url', label: 'Picture' },
  { name: 'orcid', label: 'ORCID iD' },
  { name: 'email', label: 'E-mail address' },
  { name: 'bio', label: 'About me' },
  { name: 'urls', label: 'Links' },
  { name: 'claims', label: 'Works that I claim' },
  { name: 'affiliations', label: 'New affiliations' },
  { name: 'education', label: 'New education' },
]

/** A choice of who sees a field is a field of its own, on the same page. */
function choiceName(name: VisibleField): string {
  return `${name}_seen_by`
}

function visibilityForm(
  { pages }: AccountContext,
  { csrf }: MemberVisit,
  { profile }: Person,
): Html {
  const chosen = visibleFields.map(
    ({ name }) => [choiceName(name), profile.visibility[name]] as const,
  )
  const state = { ...emptyForm, values: new Map(chosen) }
  const choices = visibleFields.map(({ name, label }) =>
    visibilityField({ name: choiceName(name), label }, state),
  )
  const fields = html`<div class="columns">${choices}</div>`
  const action = `${pages.prefix}/account/visibility`
  return html`<p class="hint">Everybody: readers, search engines, whoever asks. Applications: only
those that you have permitted to read it. An affiliation that is there already has a setting of its
own.</p>
${form({ action, csrf, fields, submit: 'Save who sees what' })}`
}
