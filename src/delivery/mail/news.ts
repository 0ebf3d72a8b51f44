import type { NewsGroup } from '#src/identity/accounts/news_switches.ts'
import type { AuditAction, AuditEntry } from '#src/identity/store/audit.ts'
import { consortium, mails, news } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import type { Text, TextWording } from '#src/words/wording.ts'

/**
 * Whom news are for: whose list it is (the owners of an organization), administrators, or these if
 * it is the list of the operator.
 */
type Audience = 'owner' | 'administrators' | 'operator'

/**
 * What a mail about an entry of the audit list says. `names` are those of what it is about; `count`
 * is how many entries of the kind it tells of.
 */
type NewsKind = NewsWords & {
  /** With what it can be switched off; news without a group cannot. */
  readonly group?: NewsGroup
  readonly to: readonly Audience[]
  /** Whether readers get one mail an hour for all of it: many may come at once. */
  readonly isGathered?: true
  /** What the person of the entry is told of it, if they are told. */
  readonly person?: NewsWords
}

/** What a mail says to one kind of readers. */
type NewsWords = {
  readonly subject: (entry: AuditEntry, names: NewsNames, count: number) => TextWording
  /** One sentence that says what happened, to whom. */
  readonly text: (entry: AuditEntry, names: NewsNames, count: number) => TextWording
  /** Further paragraphs. */
  readonly more?: (entry: AuditEntry, names: NewsNames) => readonly TextWording[]
  /** What to do, before the one link of the mail. */
  readonly toDo: TextWording
  /** The path of that link, below the address of the pages, or of the registry itself. */
  readonly path: (entry: AuditEntry, names: NewsNames) => string
  readonly isPublic?: true
}

/** What things are called in a mail: the organization or the account whose list has the entry. */
export type NewsNames = {
  /** Of the organization, or of the person. */
  readonly owner: string
  /** The person of the entry, if it has one. */
  readonly person: string
  /** Who did it, if somebody did; the organization of the entry, if it names one. */
  readonly doer: string
  readonly organization: string
  /** The title of the work of the entry, if it names one that still has its title. */
  readonly title: string
  /** The path of the pages of the owner: of an organization, an own account, administrators. */
  readonly path: string
  /** The address of the registry, and whom to ask. */
  readonly registry: string
  readonly contact: string
}

/** What an organization is told of a week: its works, and what needs it. */
export type Week = {
  readonly newWorks: number
  readonly resolutions: number
  readonly pageViews: number
  readonly failing: number
  readonly claims: number
  readonly keysEnding: number
  readonly mostUsed: readonly { readonly title: string; readonly uses: number }[]
  /** The failing content as CSV; empty if none fails. */
  readonly failingCsv: string
}

/** The paragraphs of a week, for a mail. */
export function weekText(week: Week): readonly TextWording[] {
  const { newWorks, resolutions, pageViews: views, failing: count, mostUsed } = week
  const used = mostUsed.map(({ title, uses }, index) =>
    news.weekUsed({ place: index + 1, title, uses }),
  )
  return [
    news.weekNewWorks({ count: newWorks }),
    news.weekUse({ resolutions, views }),
    count > 0 ? news.weekFailingTable({ count }) : news.weekFailing({ count }),
    news.weekClaims({ count: week.claims }),
    news.weekKeys({ count: week.keysEnding }),
    ...(used.length === 0 ? [] : [news.weekMostUsed, ...used]),
  ]
}

/** Sentences in a row. */
function sentences(...said: readonly (TextWording | undefined)[]): TextWording {
  return joined(
    said.filter((each) => each !== undefined),
    ' ',
  )
}

function because({ because: reason }: AuditEntry): TextWording | undefined {
  return reason === undefined ? undefined : news.reason({ reason })
}

/** Who did it: the operator, or the registry itself, where nobody is named. */
function doerOf({ doer }: NewsNames, otherwise: TextWording = news.theOperator): Text {
  return doer === '' ? otherwise : doer
}

function workOf({ ark = '' }: AuditEntry): string {
  return `ark:/${ark}`
}

/** A work as people know it: `On the order of things (ark:/12345/x6np1wh8k)`. */
function titledWork(entry: AuditEntry, { title }: NewsNames): string {
  return title === '' ? workOf(entry) : `${title} (${workOf(entry)})`
}

/** Where what was done to a work of theirs is found. */
function historyPath(_entry: AuditEntry, { path }: NewsNames): string {
  return path === '/account' ? '/account/audit' : `${path}/history`
}

/** What was suspended; a work is called by `work`. */
function suspendedName({ ark, client_id: id }: AuditEntry, names: NewsNames, work: string) {
  if (ark !== undefined) return mails.nameWork({ id: work })
  if (id !== undefined) return mails.nameApplication({ id })
  const { owner, path } = names
  return path === '/account'
    ? mails.nameAccount({ id: owner })
    : mails.nameOrganization({ id: owner })
}

type SuspensionWords = {
  readonly subject: (names: { name: TextWording }) => TextWording
  readonly text: (names: { name: TextWording; registry: string }) => TextWording
}

/** `others`: of an organization, an account or an application. */
function ofSuspension(others: SuspensionWords, work: SuspensionWords) {
  const wordsOf = ({ ark }: AuditEntry) => (ark === undefined ? others : work)
  return {
    to: ['owner'],
    subject: (entry, names) =>
      wordsOf(entry).subject({ name: suspendedName(entry, names, workOf(entry)) }),
    text(entry, names) {
      const name = suspendedName(entry, names, titledWork(entry, names))
      return wordsOf(entry).text({ name, registry: names.registry })
    },
    toDo: consortium.seeHere,
  } as const satisfies Omit<NewsKind, 'path'>
}

function ofKey(done: 'created' | 'rotated' | 'revoked'): NewsKind {
  return {
    group: 'keys',
    to: ['owner'],
    subject: (_entry, { owner }) => news.keySubject({ done, owner }),
    text: ({ key_id: id = '' }, names) =>
      news.keyText({ done, doer: doerOf(names, news.theRegistry), id, owner: names.owner }),
    toDo: done === 'revoked' ? news.keyRevokedDo : news.keyDo,
    path: (_entry, { path }) => `${path}/keys`,
  }
}

/** That a mail tells of others beside the one that it names. */
function further(
  count: number,
  more: typeof news.moreClaims | typeof news.moreKeys,
): TextWording | undefined {
  return count === 1 ? undefined : more({ count: count - 1 })
}

function ofClaim(done: 'confirmed' | 'declined'): NewsKind {
  return {
    group: 'claims',
    to: ['owner'],
    isGathered: true,
    subject: (_entry, _names, count) => news[`${done}Subject`]({ count }),
    text: (entry, names, count) =>
      sentences(
        news[`${done}Text`]({ person: names.person, ark: titledWork(entry, names) }),
        further(count, news.moreClaims),
      ),
    toDo: news[`${done}Do`],
    path: (_entry, { path }) => (path === '/account' ? '/account/works' : `${path}/claims`),
  }
}

function ofMembers(kind: 'newMember' | 'lostMember'): NewsKind {
  return {
    group: 'organizations',
    to: ['owner'],
    subject: (_entry, { owner }) => news[kind]({ owner }),
    text: (_entry, { owner, person, doer }) =>
      sentences(
        person === '' ? news[kind]({ owner }) : news[`${kind}Text`]({ owner, person }),
        doer === '' || doer === person ? undefined : news.doneBy({ doer }),
      ),
    toDo: news.membersDo,
    path: (_entry, { path }) => `${path}/members`,
  }
}

const ownEnd: NewsWords = {
  subject: (_entry, { owner }) => news.memberEnded({ owner }),
  text: (_entry, { owner, doer }) =>
    sentences(
      joined([news.memberEnded({ owner }), '.'], ''),
      doer === '' ? undefined : news.doneBy({ doer }),
    ),
  toDo: news.memberEndedDo,
  path: () => '/organizations',
}

type ConsortiumWords = (names: { doer: string; lead: string; name: string }) => TextWording

/** `of`: whose list it is, that of the organization above or of the one below. */
function ofConsortium(
  of: 'above' | 'below',
  subject: (names: { lead: string; name: string }) => TextWording,
  text: ConsortiumWords,
  toDo: TextWording = consortium.seeHere,
): NewsKind {
  const about = ({ owner, organization, doer }: NewsNames) => {
    const [lead, name] = of === 'above' ? [owner, organization] : [organization, owner]
    return { lead, name, doer }
  }
  return {
    group: 'organizations',
    to: ['owner'],
    subject: (_entry, names) => subject(about(names)),
    text: (_entry, names) => text(about(names)),
    toDo,
    path: (_entry, { path }) => `${path}/consortium`,
  }
}

/** The news that are told by mail: one row for each action of the audit list. */
export const newsKinds: Readonly<Partial<Record<AuditAction, NewsKind>>> = {
  organization_requested: {
    group: 'administration',
    to: ['administrators'],
    subject: (_entry, { owner }) => news.requestedSubject({ owner }),
    text: ({ slug = '' }, { owner }) => news.requestedText({ owner, slug }),
    toDo: news.requestedDo,
    path: () => '/admin/organizations',
  },
  organization_approved: {
    group: 'organizations',
    to: ['owner'],
    subject: ({ slug = '' }) => news.approvedSubject({ slug }),
    text: ({ slug = '' }) => news.approvedText({ slug }),
    toDo: news.approvedDo,
    path: ({ slug = '' }) => `/organizations/${slug}`,
  },
  organization_declined: {
    group: 'organizations',
    to: ['owner'],
    subject: ({ slug = '' }) => news.refusedSubject({ slug }),
    text: (entry) => sentences(news.refusedText({ slug: entry.slug ?? '' }), because(entry)),
    toDo: news.refusedDo,
    path: () => '/organizations',
  },
  work_taken_down: {
    group: 'works',
    to: ['owner'],
    subject: (entry) => news.takenDownSubject({ ark: workOf(entry) }),
    text: (entry, names) => {
      const ark = titledWork(entry, names)
      return sentences(news.takenDownText({ ark, owner: names.owner }), because(entry))
    },
    toDo: news.takenDownDo,
    path: historyPath,
  },
  work_erased: {
    group: 'works',
    to: ['owner'],
    subject: (entry) => news.erasedSubject({ ark: workOf(entry) }),
    text: (entry, { owner }) =>
      sentences(news.erasedText({ ark: workOf(entry), owner }), because(entry)),
    toDo: news.takenDownDo,
    path: historyPath,
  },
  work_registered_again: {
    group: 'works',
    to: ['owner'],
    subject: (entry) => news.againSubject({ ark: workOf(entry) }),
    text: (entry, names) => {
      const about = { ark: titledWork(entry, names), owner: names.owner }
      return news.againText({ ...about, again: entry.because ?? '' })
    },
    toDo: news.againDo,
    path: historyPath,
  },
  work_reported: {
    group: 'works',
    to: ['owner', 'operator'],
    subject: (entry) => news.reportedSubject({ ark: workOf(entry) }),
    text: (entry, names) => {
      const { because: message = '' } = entry
      return news.reportedText({ ark: titledWork(entry, names), owner: names.owner, message })
    },
    toDo: news.reportedDo,
    path: (_entry, { path }) => (path === '/admin' ? '/admin/reports' : '/account/reports'),
  },
  works_undone: {
    group: 'works',
    to: ['owner'],
    subject: ({ works_count: count = 0 }, { owner }) => news.undoneSubject({ count, owner }),
    text: (entry, names) => {
      const { owner } = names
      const done = { doer: doerOf(names), owner, changes: entry.changed ?? '' }
      return sentences(news.undoneText(done), because(entry))
    },
    toDo: news.undoneDo,
    path: ({ bulk_change_id: id = '' }, { path }) => `${path}/changes/${id}`,
  },
  claim_waiting: {
    group: 'claims',
    to: ['owner'],
    isGathered: true,
    subject: (_entry, { owner }, count) => news.waitingSubject({ count, owner }),
    text: (entry, names, count) =>
      sentences(
        news.waitingText({ person: names.person, ark: titledWork(entry, names) }),
        further(count, news.moreClaims),
        news.waitingDecides({ owner: names.owner }),
      ),
    toDo: news.waitingDo,
    path: (_entry, { path }) => (path === '/account' ? '/account/works' : `${path}/claims`),
  },
  claim_confirmed: ofClaim('confirmed'),
  claim_rejected: ofClaim('declined'),
  claim_contested: {
    group: 'claims',
    to: ['owner', 'administrators'],
    isGathered: true,
    subject: () => news.contestedSubject,
    text: (entry, names, count) =>
      sentences(
        news.contestedText({ person: names.person, ark: titledWork(entry, names) }),
        further(count, news.moreClaims),
        news.contestedDecides,
      ),
    toDo: news.contestedDo,
    path: () => '/admin/claims',
  },
  consortium_invited: ofConsortium(
    'below',
    consortium.invitedSubject,
    consortium.invitedText,
    consortium.invitedDo,
  ),
  consortium_invitation_ended: ofConsortium('below', consortium.endedSubject, consortium.endedText),
  consortium_joined: ofConsortium('below', consortium.joinedSubject, consortium.joinedText),
  consortium_left: ofConsortium('below', consortium.leftSubject, consortium.leftText),
  consortium_declined: ofConsortium('above', consortium.endedSubject, consortium.endedText),
  consortium_grew: ofConsortium('above', consortium.joinedSubject, consortium.joinedText),
  consortium_shrank: ofConsortium('above', consortium.leftSubject, consortium.leftText),
  key_ending: {
    group: 'keys',
    to: ['owner'],
    isGathered: true,
    subject: (_entry, { owner }, count) => news.keyEndingSubject({ count, owner }),
    text: ({ key_id: id = '', because: day = '' }, { owner }, count) =>
      sentences(
        news.keyEndingText({ id, owner, day }),
        further(count, news.moreKeys),
        news.keyEndingRotate,
      ),
    toDo: news.keyEndingDo,
    path: (_entry, { path }) => `${path}/keys`,
  },
  content_failing: {
    group: 'content',
    to: ['owner'],
    subject: ({ works_count: count = 0 }, { owner }) => news.failingSubject({ count, owner }),
    text: ({ works_count: count = 0, because: hosts = '' }, { owner }) =>
      news.failingText({ count, owner, hosts }),
    toDo: news.failingDo,
    path: (_entry, { path }) => `${path}/content`,
  },
  week_ended: {
    group: 'digest',
    to: ['owner'],
    subject: ({ because: day = '' }, { owner }) => news.weekSubject({ owner, day }),
    text: ({ because: day = '' }, { owner }) => news.weekText({ owner, day }),
    toDo: news.weekDo,
    path: (_entry, { path }) => path,
  },
  searches_found: {
    group: 'searches',
    to: ['owner'],
    subject: ({ works_count: count = 0 }) => news.searchesSubject({ count }),
    text: ({ works_count: count = 0, because: day = '' }) => news.searchesText({ count, day }),
    toDo: news.searchesDo,
    path: () => '/account/searches',
  },
  created: ofKey('created'),
  rotated: ofKey('rotated'),
  revoked: ofKey('revoked'),
  invitation_accepted: ofMembers('newMember'),
  member_added: ofMembers('newMember'),
  member_removed: { ...ofMembers('lostMember'), person: ownEnd },
  made_admin: {
    group: 'administration',
    to: ['owner', 'administrators'],
    subject: (_entry, { owner }) => news.adminSubject({ owner }),
    text: (_entry, names) => news.adminText({ doer: doerOf(names), owner: names.owner }),
    toDo: news.adminDo,
    path: () => '/admin/audit',
  },
  admin_ended: {
    group: 'administration',
    to: ['owner', 'administrators'],
    subject: (_entry, { owner }) => news.adminEndedSubject({ owner }),
    text: (_entry, names) => news.adminEndedText({ doer: doerOf(names), owner: names.owner }),
    toDo: news.adminEndedDo,
    path: () => '/admin/audit',
  },
  owner_named: {
    to: ['owner'],
    subject: (_entry, { owner: organization }) => mails.ownerSubject({ organization }),
    text: (_entry, { owner: organization, person, registry }) =>
      mails.ownerText({ registry, organization, person }),
    toDo: news.membersDo,
    path: (_entry, { path }) => `${path}/members`,
  },
  suspended: {
    ...ofSuspension(
      { subject: mails.suspendedSubject, text: mails.suspendedText },
      { subject: mails.withheldSubject, text: mails.withheldText },
    ),
    more({ ark, because: reason = '' }, { contact }) {
      const others = ark === undefined ? mails.suspendedElse : mails.withheldElse
      return [joined([reason], ''), others({ contact })]
    },
    path: () => '/contact',
    isPublic: true,
  },
  resumed: {
    ...ofSuspension(
      { subject: mails.resumedSubject, text: mails.resumedText },
      { subject: mails.shownSubject, text: mails.shownText },
    ),
    path: (entry, names) => (entry.ark === undefined ? names.path : historyPath(entry, names)),
  },
}
