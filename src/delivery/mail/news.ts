import type { NewsGroup } from '#src/identity/accounts/news_switches.ts'
import type { AuditAction, AuditEntry } from '#src/identity/store/audit.ts'
import { consortium } from '#src/words/english.ts'
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
type NewsKind = {
  readonly group: NewsGroup
  readonly to: readonly Audience[]
  /** Whether readers get one mail an hour for all of it: many may come at once. */
  readonly isGathered?: true
  readonly subject: (entry: AuditEntry, names: NewsNames, count: number) => Text
  /** One sentence that says what happened, to whom. */
  readonly text: (entry: AuditEntry, names: NewsNames, count: number) => Text
  /** What to do, before the one link of the mail. */
  readonly toDo: Text
  /** The path of that link, below the address of the pages. */
  readonly path: (entry: AuditEntry, names: NewsNames) => string
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
  /** The path of the pages of the owner: of an organization, an own account, administrators. */
  readonly path: string
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
export function weekText(week: Week): string {
  const { newWorks, resolutions, pageViews, failing, claims, keysEnding, mostUsed } = week
  const used = mostUsed.map(({ title, uses }, place) => `${place + 1}. ${title} (${uses})`)
  return [
    `New works: ${newWorks}`,
    `Links followed: ${resolutions}. Pages read: ${pageViews}`,
    `Works with failing content: ${failing}${failing > 0 ? ' (see the attached table)' : ''}`,
    `Claims that wait for your answer: ${claims}`,
    `API keys that end within 30 days: ${keysEnding}`,
    ...(used.length === 0 ? [] : ['Your most used works:', ...used]),
  ].join('\n\n')
}

const because = ({ because: why }: AuditEntry) => (why === undefined ? '' : ` The reason: ${why}`)

function ofKey(done: string): NewsKind {
  return {
    group: 'keys',
    to: ['owner'],
    subject: (_entry, { owner }) => `An API key of ${owner} was ${done}`,
    text: ({ key_id: id = '' }, { owner, doer }) =>
      `${doer === '' ? 'The registry' : doer} ${done} the API key ${id} of ${owner}.`,
    toDo:
      done === 'revoked'
        ? 'See the keys here, and create another one'
        : 'If you do not expect this, revoke the key here',
    path: (_entry, { path }) => `${path}/keys`,
  }
}

/** How many others a mail tells of beside the one that it names. */
function further(count: number, noun: string): string {
  if (count === 1) return ''
  const more = count === 2 ? `one more ${noun}` : `${count - 1} more ${noun}s`
  return ` This mail is about ${more}.`
}

function ofClaim(done: 'confirmed' | 'declined'): NewsKind {
  return {
    group: 'claims',
    to: ['owner'],
    isGathered: true,
    subject: (_entry, _names, count) =>
      count === 1 ? `A claim is ${done}` : `${count} claims are ${done}`,
    text: ({ ark = '' }, { person }, count) =>
      `The claim of ${person} on the work ark:/${ark} is ${done}.${further(count, 'claim')}`,
    toDo: done === 'confirmed' ? 'See the claim here' : 'You can contest the decision here',
    path: (_entry, { path }) => (path === '/account' ? '/account/works' : `${path}/claims`),
  }
}

function ofMembers(words: string): NewsKind {
  return {
    group: 'organizations',
    to: ['owner'],
    subject: (_entry, { owner }) => `${owner} ${words}`,
    text: (_entry, { owner, person }) => `${owner} ${words}${person === '' ? '' : `: ${person}`}.`,
    toDo: 'See the members here',
    path: (_entry, { path }) => `${path}/members`,
  }
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
    subject: (_entry, { owner }) => `${owner} asks for an organization`,
    text: ({ slug = '' }, { owner }) => `${owner} asks for the organization ${slug}.`,
    toDo: 'Approve or decline the request here',
    path: () => '/admin/organizations',
  },
  organization_approved: {
    group: 'organizations',
    to: ['owner'],
    subject: ({ slug = '' }) => `Your organization ${slug} is approved`,
    text: ({ slug = '' }) => `An administrator approved ${slug}. You are its owner.`,
    toDo: 'Register works and invite members here',
    path: ({ slug = '' }) => `/organizations/${slug}`,
  },
  organization_declined: {
    group: 'organizations',
    to: ['owner'],
    subject: ({ slug = '' }) => `Your request for ${slug} is declined`,
    text: (entry) => `An administrator declined ${entry.slug ?? ''}.${because(entry)}`,
    toDo: 'You can ask again here',
    path: () => '/organizations',
  },
  work_taken_down: {
    group: 'works',
    to: ['owner'],
    subject: ({ ark = '' }) => `The work ark:/${ark} is taken down`,
    text: (entry, { owner }) =>
      `The operator of this registry withdrew the work ark:/${entry.ark ?? ''} of ${owner}.` +
      because(entry),
    toDo: 'If you object, write to the operator of the registry. The history is here',
    path: (_entry, { path }) => (path === '/account' ? '/account/audit' : `${path}/history`),
  },
  work_reported: {
    group: 'works',
    to: ['owner', 'operator'],
    subject: ({ ark = '' }) => `A reader reports a problem of ark:/${ark}`,
    text: ({ ark = '', because: message = '' }, { owner }) =>
      `A reader reports a problem of the work ark:/${ark} of ${owner}. ${message}`,
    toDo: 'Answer the report here',
    path: (_entry, { path }) => (path === '/admin' ? '/admin/reports' : '/account/reports'),
  },
  works_undone: {
    group: 'works',
    to: ['owner'],
    subject: ({ works_count: works = 0 }, { owner }) =>
      `Changes to ${works} ${works === 1 ? 'work' : 'works'} of ${owner} are undone`,
    text: (entry, { owner, doer }) =>
      `${doer === '' ? 'The operator of this registry' : doer} undid ${entry.changed ?? ''} ` +
      `to works of ${owner}.${because(entry)}`,
    toDo: 'See what became of each work here',
    path: ({ bulk_change_id: id = '' }, { path }) => `${path}/changes/${id}`,
  },
  claim_waiting: {
    group: 'claims',
    to: ['owner'],
    isGathered: true,
    subject: (_entry, { owner }, count) =>
      count === 1 ? `A claim waits for ${owner}` : `${count} claims wait for ${owner}`,
    text: ({ ark = '' }, { person, owner }, count) =>
      `${person} says they wrote the work ark:/${ark}.${further(count, 'claim')} ${owner} decides.`,
    toDo: 'Confirm or decline here',
    path: (_entry, { path }) => (path === '/account' ? '/account/works' : `${path}/claims`),
  },
  claim_confirmed: ofClaim('confirmed'),
  claim_rejected: ofClaim('declined'),
  claim_contested: {
    group: 'claims',
    to: ['owner', 'administrators'],
    isGathered: true,
    subject: () => 'A claim is contested',
    text: ({ ark = '' }, { person }, count) =>
      `The claim of ${person} on the work ark:/${ark} is contested.` +
      `${further(count, 'claim')} An administrator decides.`,
    toDo: 'Administrators decide here',
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
    subject: (_entry, { owner }, count) =>
      count === 1 ? `An API key of ${owner} ends soon` : `${count} API keys of ${owner} end soon`,
    text: ({ key_id: id = '', because: day = '' }, { owner }, count) =>
      `The API key ${id} of ${owner} ends on ${day}.${further(count, 'key')} ` +
      'After you rotate a key, the old one works for another seven days.',
    toDo: 'Rotate it in time here',
    path: (_entry, { path }) => `${path}/keys`,
  },
  content_failing: {
    group: 'content',
    to: ['owner'],
    subject: ({ works_count: works = 0 }, { owner }) =>
      `Content of ${works} ${works === 1 ? 'work' : 'works'} of ${owner} fails`,
    text: ({ works_count: works = 0, because: hosts = '' }, { owner }) =>
      `The content of ${works} ${works === 1 ? 'work' : 'works'} of ${owner} changed ` +
      `or is not confirmed. By host: ${hosts}.`,
    toDo: 'See causes and what to do here',
    path: (_entry, { path }) => `${path}/content`,
  },
  week_ended: {
    group: 'digest',
    to: ['owner'],
    subject: ({ because: week = '' }, { owner }) => `${owner}: the week of ${week}`,
    text: ({ because: week = '' }, { owner }) =>
      `This happened at ${owner} in the week that began on ${week}:`,
    toDo: 'See more here',
    path: (_entry, { path }) => path,
  },
  created: ofKey('created'),
  rotated: ofKey('rotated'),
  revoked: ofKey('revoked'),
  invitation_accepted: ofMembers('has a new member'),
  member_added: ofMembers('has a new member'),
  member_removed: ofMembers('lost a member'),
  made_admin: {
    group: 'administration',
    to: ['owner', 'administrators'],
    subject: (_entry, { owner }) => `${owner} is an administrator now`,
    text: (_entry, { owner, doer }) =>
      `${doer === '' ? 'The operator' : doer} made ${owner} an administrator of this registry. ` +
      'Administrators can change every account, organization and work.',
    toDo: 'If you do not expect this, look at the audit log at once',
    path: () => '/admin/audit',
  },
  admin_ended: {
    group: 'administration',
    to: ['owner', 'administrators'],
    subject: (_entry, { owner }) => `${owner} is no longer an administrator`,
    text: (_entry, { owner, doer }) =>
      `${doer === '' ? 'The operator' : doer} ended the administrator rights of ${owner}.`,
    toDo: 'Administrators find more in the audit log',
    path: () => '/admin/audit',
  },
}
