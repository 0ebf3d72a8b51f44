import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { ClaimMatch } from '#actors/claims/match.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { badge, type Fact, facts, table, time } from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'

/** What a claim is shown from. `baseUrl` has no slash at its end. */
export type EvidencePlace = {
  readonly environment: Pick<ServedEnvironment, 'claims' | 'people' | 'catalogue'>
  readonly baseUrl: string
}

/** Authors that stand open before and around the one who is claimed; the others are folded. */
const openAuthorsMax = 10

/** What a claim rests on: what of it holds, what does not, and what its person says. */
export function claimEvidence(claim: Claim, place: EvidencePlace): Html {
  const { ark_identifier: ark, message, reason, created_at } = claim
  const { environment, baseUrl } = place
  const match = environment.claims.match(claim)
  const said = (text: string | undefined) => text && html`<span dir="auto">“${text}”</span>`
  return html`<p>${match === undefined ? '' : verdict(match)} ${orcidBadge(match)}</p>
${match === undefined ? '' : mismatchList(match)}
${facts([
  ['Claimed by', claimantLink(claim, place)],
  ['They say', said(message) ?? 'nothing'],
  ['Why it is contested', said(reason)],
  ['Work', html`<a href="${baseUrl}/${ark}"><code>${ark}</code></a>`],
  ['Registered by', registrantOf(claim, place)],
  ...(match === undefined ? erased : [authorsFact(match)]),
  ['Count as authors already', knownAuthors(claim, match, place)],
  ['How it stands', reviewedStatus(claim)],
  ['Since', time(created_at)],
])}
${match === undefined ? '' : comparison(claim, match, place)}`
}

const erased: readonly Fact[] = [['Authors', 'The metadata of the work were erased.']]

/** What whoever registered the work is called. */
function registrantOf({ ark }: Claim, { environment }: EvidencePlace): Html | undefined {
  const owner = environment.catalogue.state(ark)?.owner
  if (owner === undefined) return undefined
  const name = owner.type === 'person' ? shownName(owner.id, environment) : owner.name
  return html`<bdi>${name}</bdi>`
}

/** Others who count as authors of the work: two who are at one place cannot both be right. */
function knownAuthors(
  claim: Claim,
  match: ClaimMatch | undefined,
  { environment, baseUrl }: EvidencePlace,
): Html | undefined {
  const known = environment.claims.knownBeside(claim)
  if (known.length === 0) return undefined
  const items = known.map(({ ppid, author_position: place }) => {
    const isSame = place !== undefined && place === match?.author_position
    const name = html`<bdi>${shownName(ppid, environment)}</bdi>`
    const at = place === undefined ? '' : html`, as author ${place}`
    const mark = isSame ? badge('the claimed place', 'bad') : ''
    return html`<li><a href="${baseUrl}/people/${ppid}">${name}</a>${at} ${mark}</li>`
  })
  return html`<ul>${items}</ul>`
}

/** How much speaks against a claim, in a word. */
export function verdict({ mismatches }: ClaimMatch): Html {
  if (mismatches.length === 0) return badge('nothing speaks against it', 'good')
  return badge(plural(mismatches.length, 'thing does not match', 'things do not match'), 'bad')
}

/** Who claims, by the name that they show. */
export function claimantLink({ ppid }: Claim, { environment, baseUrl }: EvidencePlace): Html {
  const profile = `${baseUrl}/people/${ppid}`
  return html`<a href="${profile}"><bdi>${shownName(ppid, environment)}</bdi></a>
<code>${ppid}</code>`
}

/** The name that a person shows to everybody, or else their identifier. */
export function shownName(ppid: string, { people }: Pick<ServedEnvironment, 'people'>): string {
  const person = people.read(ppid)
  if (person?.type !== 'person') return ppid
  const { name, visibility } = person.profile
  return visibility.name === 'public' ? name : ppid
}

/** How a claim stands, and by whose word, for those who review it. */
function reviewedStatus({ status, waits_for, basis = 'registrant' }: Claim): Html {
  switch (status) {
    case 'pending':
      return html`${badge('waits', 'waiting')} for ${
        waits_for === 'registrant' ? 'whoever registered the work' : 'the person'
      }`
    case 'verified':
      return html`${badge('confirmed', 'good')} ${decidedBy[basis]}`
    case 'rejected':
      return html`${badge('refused')} ${basis === 'admin' ? decidedBy.admin : ''}`
    case 'disputed':
      return html`${badge('contested', 'waiting')} and waits for an administrator`
    case 'withdrawn':
      return badge('taken back')
  }
}

const decidedBy = {
  registrant: 'by whoever registered the work',
  orcid: 'because the person has signed in with the ORCID iD that the work names',
  admin: 'by an administrator',
} as const

function orcidBadge(match: ClaimMatch | undefined): Html {
  return match?.claimant.orcid === undefined ? nothing : badge('ORCID iD signed in', 'good')
}

function mismatchList({ mismatches }: ClaimMatch): Html {
  if (mismatches.length === 0) return nothing
  const items = mismatches.map(({ message }) => html`<li>${message}.</li>`)
  return html`<div class="flash flash-error" role="note"><p>This does not match:</p>
<ul>${items}</ul></div>`
}

/** The authors of the work, the one who is claimed marked, however many stand before them. */
function authorsFact(match: ClaimMatch): Fact {
  const { authors, authors_count: count, author, author_position: place } = match
  const shown = authors.map((name, index) => ({ name, position: index + 1 }))
  const isOpen = ({ position }: { readonly position: number }) =>
    position < openAuthorsMax || position === place
  const beyond = place !== undefined && place > authors.length && author !== undefined
  const open = [
    ...shown.filter(isOpen),
    ...(beyond ? [{ name: author.name, position: place }] : []),
  ]
  const folded = shown.filter((each) => !isOpen(each))
  const item = ({ name, position }: { readonly name: string; readonly position: number }) =>
    position === place
      ? html`<li value="${position}"><strong><bdi>${name}</bdi></strong>
${badge(`claimed, ${position} of ${count}`, 'waiting')}</li>`
      : html`<li value="${position}"><bdi>${name}</bdi></li>`
  const unseen = count - shown.length - (beyond ? 1 : 0)
  const rest =
    folded.length === 0
      ? ''
      : html`<details class="fold"><summary>and ${plural(folded.length, 'more author')}</summary>
<ol>${folded.map(item)}</ol></details>`
  const more =
    unseen <= 0
      ? ''
      : html`<p class="hint">${plural(unseen, 'author')} beyond these
stand in the record.</p>`
  return ['Authors', html`<ol>${open.map(item)}</ol>${rest}${more}`]
}

type Compared = {
  readonly what: string
  readonly ofWork: string | undefined
  readonly ofAccount: string | undefined
  readonly found: Html
}

/** The author at the claimed place beside the account, with what was compared. */
function comparison({ ppid }: Claim, match: ClaimMatch, { environment }: EvidencePlace): Html {
  const { author, claimant, mismatches } = match
  const codes = new Set<string>(mismatches.map(({ code }) => code))
  const typed = typedOrcid(ppid, environment)
  const none = badge('not compared')
  const name = author === undefined || claimant.name === undefined ? none : badge('fits', 'good')
  const isSame = author?.orcid !== undefined && author.orcid === claimant.orcid
  const rows: readonly Compared[] = [
    {
      what: 'Name',
      ofWork: author?.name,
      ofAccount: claimant.name,
      found: codes.has('name_differs') ? badge('differs', 'bad') : name,
    },
    {
      what: 'ORCID iD',
      ofWork: author?.orcid,
      ofAccount: claimant.orcid ?? typed,
      found: codes.has('orcid_differs')
        ? badge('differs', 'bad')
        : isSame
          ? badge('the same, signed in', 'good')
          : claimant.orcid === undefined && typed !== undefined
            ? badge('typed in, never signed in with')
            : none,
    },
  ]
  const cell = (text: string | undefined, nobody: string) =>
    text === undefined ? html`<span class="hint">${nobody}</span>` : html`<bdi>${text}</bdi>`
  return table<Compared>(
    'The author of the work beside the account',
    [
      { heading: 'What', isRowHeading: true, cell: ({ what }) => what },
      { heading: 'In the work', cell: ({ ofWork }) => cell(ofWork, 'none') },
      { heading: 'Of the account', cell: ({ ofAccount }) => cell(ofAccount, 'none shown') },
      { heading: 'Compared', cell: ({ found }) => found },
    ],
    rows,
  )
}

/** The ORCID iD that a person shows and has never signed in with. */
function typedOrcid(ppid: string, { people }: EvidencePlace['environment']): string | undefined {
  const person = people.read(ppid)
  if (person?.type !== 'person') return undefined
  const { orcid, orcid_authenticated, visibility } = person.profile
  return orcid_authenticated !== true && visibility.orcid === 'public' ? orcid : undefined
}
