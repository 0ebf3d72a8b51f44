import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { foldedList } from '#src/pages/kit/parts.ts'
import type { PublicClaim, UnplacedClaim } from '#actors/claims/match.ts'
import type { AuthorReply, WorkReply } from '#src/use_cases/landing_record.ts'
import { plural } from '#src/pages/kit/words.ts'

/** Authors that are shown at once; the others are a click away. */
const openAuthorsMax = 20

/** Authors that a page names: tens of thousands fit a record, but would hold all readers up. */
export const namedAuthorsMax = 1_000

/** The authors of a work: who they are known to be, their ORCID iDs, where they work. */
export function authorList({ authors = [], unplaced_claims = [] }: Authored): Html {
  return html`${namedAuthors(authors)}${unplaced_claims.map(unplacedLine)}`
}

/** Leads to where whoever is an author says so, once they have signed in. */
export function ownWorkLink(claimUrl: string | undefined): Html {
  if (claimUrl === undefined) return nothing
  return html`<p class="own-work"><a href="${claimUrl}" rel="nofollow">This is my work</a></p>`
}

type Authored = Partial<Pick<WorkReply, 'authors' | 'unplaced_claims'>>

/** A verified author of whom nothing says which of the names is theirs. */
function unplacedLine(claim: UnplacedClaim): Html {
  const name = claim.name ?? 'A person with a profile here'
  const link = html`<a href="/people/${claim.ppid}"><bdi>${name}</bdi></a>`
  return html`<p class="hint">${link}: ${markOf(claim)}, without saying which of the
authors.</p>`
}

function namedAuthors(authors: readonly AuthorReply[]): Html {
  if (authors.length === 0) return nothing
  const list = foldedList({
    items: authors.slice(0, namedAuthorsMax).map(authorItem),
    openMax: openAuthorsMax,
    kind: 'authors',
    more: (count) => `and ${plural(count, 'more author')}`,
  })
  const unnamed = authors.length - namedAuthorsMax
  if (unnamed <= 0) return list
  return html`${list}<p class="hint">${plural(unnamed, 'author')} beyond these stand in the record
for programs.</p>`
}

function authorItem(author: AuthorReply): Html {
  const { name, affiliation, claims } = author
  const [claim] = claims
  const shown = html`<bdi>${name}</bdi>`
  const named = claim === undefined ? shown : html`<a href="/people/${claim.ppid}">${shown}</a>`
  const mark = claim === undefined ? '' : html` ${markBadge(claim)}`
  const place = affiliation === undefined ? '' : affiliationLine(affiliation, author.ror)
  return html`<li><span class="author">${named}${orcidMark(author)}</span>${mark}${place}</li>`
}

/** The same in a box, whose colour says whether one side alone has said it. */
function markBadge(claim: PublicClaim): Html {
  const { basis, confirmed_by: words } = claim
  const isOneSided = basis === 'registrant' && words.length === 1
  return html`<span class="known${isOneSided ? ' known-said' : ''}">${markOf(claim)}</span>`
}

/** What was checked of an author, and no more. */
function markOf({ basis, confirmed_by: words }: PublicClaim): string {
  if (basis === 'admin') return 'confirmed by an administrator'
  if (basis === 'orcid') return 'ORCID iD signed in'
  if (!words.includes('registrant')) return 'registered by this person'
  return words.includes('person')
    ? 'confirmed by the publisher and the person'
    : 'named by the publisher, with the person’s permission'
}

/** The iD with which the author has signed in, or else that of the metadata, marked as such. */
function orcidMark({ orcid, claims }: AuthorReply): Html {
  const authenticated = claims.find((claim) => claim.orcid !== undefined)?.orcid
  const id = authenticated ?? orcid
  if (id === undefined) return nothing
  const said = authenticated === undefined ? ', not confirmed by its owner' : ''
  return html` <a class="orcid" href="https://orcid.org/${id}" rel="noreferrer"
title="ORCID iD ${id}${said}">${authenticated === undefined ? openMark : fullMark}<span
class="unseen">ORCID iD ${id}${said}</span></a>`
}

// The mark of ORCID; its outline alone for an iD that nobody has signed in with.
const letters =
  'M8.2 8.7h1.9v9.4H8.2zM9.1 5.3a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4zM12 8.7h3.7c3.1 0 ' +
  '4.8 2.2 4.8 4.7s-1.8 4.7-4.7 4.7H12zm1.9 1.6v6.2h1.7c2 0 3-1.4 3-3.1s-1-3.1-3-3.1z'
const fullMark = html`<svg class="orcid-mark" viewBox="0 0 24 24" aria-hidden="true"
focusable="false"><circle cx="12" cy="12" r="12"/><path d="${letters}"/></svg>`
const openMark = html`<svg class="orcid-mark orcid-open" viewBox="0 0 24 24" aria-hidden="true"
focusable="false"><circle cx="12" cy="12" r="11"/><path d="${letters}"/></svg>`

function affiliationLine(affiliation: string, ror: string | undefined): Html {
  const name = html`<bdi>${affiliation}</bdi>`
  const text = ror === undefined ? name : html`<a href="${ror}" rel="noreferrer">${name}</a>`
  return html`<span class="affiliation">${text}</span>`
}
