import type { NewsGroup } from '#src/identity/accounts/news_switches.ts'
import type { AuditAction, AuditEntry } from '#src/identity/store/audit.ts'

/** Whom news are for: whose list it is (the owners of an organization), or administrators. */
type Audience = 'owner' | 'administrators'

/** What a mail about an entry of the audit list says. `names` are those of what it is about. */
type NewsKind = {
  readonly group: NewsGroup
  readonly to: readonly Audience[]
  readonly subject: (entry: AuditEntry, names: NewsNames) => string
  /** One sentence that says what happened, to whom. */
  readonly text: (entry: AuditEntry, names: NewsNames) => string
  /** What to do, before the one link of the mail. */
  readonly toDo: string
  /** The path of that link, below the address of the pages. */
  readonly path: (entry: AuditEntry, names: NewsNames) => string
}

/** What things are called in a mail: the organization or the account whose list has the entry. */
export type NewsNames = {
  /** Of the organization, or of the person. */
  readonly owner: string
  /** The person of the entry, if it has one. */
  readonly person: string
  /** The path of the pages of the owner: of an organization, or of an own account. */
  readonly path: string
}

const because = ({ because: why }: AuditEntry) => (why === undefined ? '' : ` The reason: ${why}`)

function ofKey(done: string): NewsKind {
  return {
    group: 'keys',
    to: ['owner'],
    subject: (_entry, { owner }) => `An API key of ${owner} was ${done}`,
    text: ({ key_id: id = '' }, { owner }) => `The API key ${id} of ${owner} was ${done}.`,
    toDo: 'If you do not expect this, revoke the key here',
    path: (_entry, { path }) => `${path}/keys`,
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
    toDo: 'Answer to this mail if you object. The audit list has more',
    path: (_entry, { path }) => (path === '/account' ? '/account/audit' : `${path}/history`),
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
    text: (_entry, { owner }) => `${owner} can change every account, organization and work.`,
    toDo: 'If you do not expect this, look at the audit log at once',
    path: () => '/admin/audit',
  },
  admin_ended: {
    group: 'administration',
    to: ['owner', 'administrators'],
    subject: (_entry, { owner }) => `${owner} is no administrator any more`,
    text: (_entry, { owner }) => `An administrator ended the rights of ${owner}.`,
    toDo: 'Administrators find who did it in the audit log',
    path: () => '/admin/audit',
  },
}
