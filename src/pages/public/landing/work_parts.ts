import type { PublicClaim, UnplacedClaim } from '#actors/people/claims/match.ts'
import type { Owner } from '#actors/values/agent.ts'
import { doiUrl, encodePath, hasDotSegment, shownDoiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { keywordsOf } from '#src/discovery/formats/described_work.ts'
import { type Html, html, joinHtml, nothing } from '#src/pages/kit/html.ts'
import { card, facts, foldedList, time } from '#src/pages/kit/parts.ts'
import { formatNumber, plural, relationName, typeName } from '#src/pages/kit/words.ts'
import type {
  AuthorReply,
  LandingRecord,
  ReceiptReply,
  WorkReply,
} from '#src/use_cases/landing_record.ts'
import type { UsageReport } from '#src/use_cases/usage_report.ts'
import { markedTitleHtml } from '#src/pages/public/landing/marked_text.ts'

/** Something else about a work, and where it is. */
export type NamedLink = { readonly name: string; readonly href: string }

type CitedStyle = NamedLink & { readonly style: string; readonly text: string }

/** How a work is cited: ready to be copied in each style, and as files. */
export type CitationOffer = {
  /** None where nothing is known to cite. */
  readonly styles: readonly CitedStyle[]
  readonly downloads: readonly NamedLink[]
  /** The path of the work, which writes references in any other style as well. */
  readonly path: string
}

/** What the page of a work is told beside the work. */
export type LandingContext = {
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** The address of the page: it names the version if that was asked for by its number. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The typed links of the page, as elements of its head. */
  readonly linkElements: Html
  /** The work in the vocabulary of schema.org, as JSON. */
  readonly jsonLd: string | undefined
  readonly citation: CitationOffer
  /** How often the work was used. */
  readonly usage?: UsageReport
  /** Other descriptions for programs: link set, feed, OAI record. */
  readonly machineLinks: readonly NamedLink[]
  /** Where somebody says that they are an author; undefined where nobody does. */
  readonly claimUrl?: string
}

// Titles that are longer are shown smaller, so that what follows is on the screen, too.
const largeCharactersMax = 160

/** The title of a work, whatever its length and its direction. */
export function heading(title: string, language?: string, markup?: string): Html {
  const size = title.length > largeCharactersMax ? 'long-title' : 'title'
  const shown = markedTitleHtml(title, markup)
  return html`<h1 class="${size}" dir="auto"${langOf(language)}>${shown}</h1>`
}

/** The attribute by which readers aloud know the language of a text (WCAG 3.1.2). */
export function langOf(language: string | undefined): Html {
  return language === undefined ? nothing : html` lang="${language}"`
}

/** The ARK as a link to cite, which a button copies; the address of just this version beside it. */
export function arkLine(url: string, versionPath: string | undefined): Html {
  const alone =
    versionPath === undefined
      ? ''
      : html`<span class="hint">leads to the newest version; <a href="${versionPath}">cite this
one</a></span>`
  return html`<p class="ark-line"><span class="ark-label">Cite as</span>
<a href="${url}"><code id="ark">${url}</code></a>
<button class="button button-quiet" type="button" data-copy="ark" hidden>Copy</button>${alone}</p>`
}

/** What readers must know before they cite: that it is a trial, or not the newest version. */
export function notices({ work, environment }: LandingRecord): Html {
  return html`${environment === 'sandbox' ? sandboxNotice : ''}${
    work.metadata === undefined || work.is_latest ? '' : olderNotice(work)
  }`
}

const sandboxNotice = html`<div class="flash flash-warning" role="note"><p><strong>Sandbox, not for
citation.</strong> This record is a trial. Its ARK is nobody’s promise.</p></div>`

function olderNotice(work: { ark: string; version: number; latest_version: number }): Html {
  return html`<div class="flash flash-warning" role="note"><p><strong>A newer version
exists.</strong> This is version ${work.version}. <a href="/${work.ark}">Read version
${work.latest_version}, the newest</a>.</p></div>`
}

/** How to cite a work: in one style or another, and as files for reference managers. */
export function citationBox({ styles, downloads, path }: CitationOffer): Html {
  if (styles.length === 0) return nothing
  return card(
    'Cite this work',
    html`<div class="cite" role="group" aria-label="Style of the citation">
${styles.map(citedAs)}</div>
${styleForm(path)}
${linkLine('For reference managers', downloads)}`,
  )
}

// What readers of other fields ask for most; any other style is asked for by its name.
const suggestedStyles = [
  'american-chemical-society',
  'american-medical-association',
  'association-for-computing-machinery',
  'nature',
  'science',
  'turabian-author-date',
]

function styleForm(path: string): Html {
  const options = suggestedStyles.map((style) => html`<option value="${style}">`)
  return html`<form class="filter" method="get" action="${path}" aria-label="Another style">
<input type="hidden" name="format" value="citation"><div class="filter-fields">
<div class="field"><label for="other-style">Another style, by its name in
<a href="/api/v1/citation-styles">the list</a></label>
<input id="other-style" name="style" list="other-styles" required spellcheck="false"></div>
<datalist id="other-styles">${options}</datalist>
<button class="button button-quiet" type="submit">Show</button></div></form>`
}

// One is chosen without a script: each choice stands before what it shows.
function citedAs({ style, name, text: citation, href }: CitedStyle, index: number): Html {
  return html`<input type="radio" name="style" id="cite-${style}"${index === 0 ? ' checked' : ''}>
<label for="cite-${style}">${name}</label>
<div class="cited">
<blockquote class="citation" id="citation-${style}" dir="auto">${citation}</blockquote>
<p><button class="button button-quiet" type="button" data-copy="citation-${style}" hidden>Copy
the citation</button> <a href="${href}">As plain text</a></p></div>`
}

function linkLine(name: string, links: readonly NamedLink[]): Html {
  if (links.length === 0) return nothing
  const items = links.map((link) => html`<li><a href="${link.href}">${link.name}</a></li>`)
  return html`<h3>${name}</h3><ul class="tags">${items}</ul>`
}

/** Links to the same record for programs. */
export function machineLinks(links: readonly NamedLink[]): Html {
  const items = links.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)
  return card('For programs', html`<ul class="tags">${items}</ul>`)
}

/** Whose change it was: an organization by its name, a person by the link to their page. */
export function sourceLink({ type, id, name }: Owner): Html {
  switch (type) {
    case 'organization':
      return html`<a href="/publishers/${id}" dir="auto">${name}</a>`
    case 'person':
      return html`a researcher, <a href="/people/${id}">${id}</a>`
    case 'operator':
      return html`${id === 'fixity' ? 'this registry, by itself' : 'the operator of this registry'}`
  }
}

/** A hash, which a click selects as a whole. */
export function hashText(hash: string): Html {
  return html`<code class="hash">${hash}</code>`
}

/** Authors that are shown at once; the others are a click away. */
const openAuthorsMax = 20

/** Authors that a page names: tens of thousands fit a record, but would hold all readers up. */
export const namedAuthorsMax = 1_000

/** The authors of a work: who they are known to be, their ORCID iDs, where they work. */
export function authorList({ authors = [], unplaced_claims = [] }: Authored): Html {
  return html`${namedAuthors(authors)}${unplaced_claims.map(unplacedLine)}`
}

/** Leads authors to where they claim the work, once they have signed in. */
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

function authorItem(author: AuthorReply, index: number): Html {
  const { name, claims } = author
  const [claim] = claims
  const shown = html`<bdi>${name}</bdi>`
  // Who is behind a click is named without a link: of a thousand they would double the page.
  const found = index < openAuthorsMax ? html`<a href="${worksOf(author)}">${shown}</a>` : shown
  const named = claim === undefined ? found : html`<a href="/people/${claim.ppid}">${shown}</a>`
  const mark = claim === undefined ? '' : html` ${markBadge(claim)}`
  const places = html`${affiliationsOf(author).map(affiliationLine)}`
  return html`<li><span class="author">${named}${orcidMark(author)}</span>${mark}${places}</li>`
}

/** Where the works of an author are found: by the ORCID iD, or by the name. */
function worksOf({ name, orcid }: AuthorReply): string {
  const query = new URLSearchParams(orcid === undefined ? { author: name } : { orcid })
  return `/search?${query.toString()}`
}

type Affiliation = { readonly name: string; readonly ror?: string | undefined }

function affiliationsOf({ affiliation, ror, affiliations }: AuthorReply): readonly Affiliation[] {
  if (affiliations === undefined)
    return affiliation === undefined ? [] : [{ name: affiliation, ror }]
  return affiliations.map(({ name, identifier, department, scheme }) => ({
    name: [department, name ?? identifier].filter(Boolean).join(', '),
    ror: scheme === 'ROR' ? identifier : undefined,
  }))
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

function affiliationLine({ name, ror }: Affiliation): Html {
  const shown = html`<bdi>${name}</bdi>`
  const linked = ror === undefined ? shown : html`<a href="${ror}" rel="noreferrer">${shown}</a>`
  return html`<span class="affiliation">${linked}</span>`
}

const languages = new Intl.DisplayNames(['en'], { type: 'language' })

// Identifiers and links of a list that are shown at once.
const openItemsMax = 10

/**
 * What else the metadata of a version say, each under its name; `related` is what of its relations
 * no other list has.
 */
export function detailList(work: WorkReply, related: Metadata['related_identifiers']): Html {
  const { metadata, content } = work
  return card(
    'Details',
    facts([
      ['Type', typeLink(metadata.work_type)],
      ['Published', text(metadata.published_date)],
      ['Publisher', text(metadata.publisher_name)],
      ['Published in', containerLine(metadata)],
      ['DOI', metadata.existing_doi && doiLink(metadata.existing_doi)],
      ['Language', metadata.language && html`${languages.of(metadata.language)}`],
      ['License', metadata.license && licenseLink(metadata.license)],
      ['Keywords', keywordLinks(metadata)],
      ['Funding', fundingList(metadata)],
      ['Related', relatedList(related)],
      ['Content', contentLine(content)],
    ]),
  )
}

/** The number of bytes of a file, as people read it: `1.2 MB`. */
export function sizeName(bytes: number): string {
  const unit = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
  const power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toPrecision(3)} ${unit[power] ?? ''}`
}

function text(value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<bdi>${value}</bdi>`
}

function typeLink(workType: string): Html {
  return html`<a href="/search?type=${workType}">${typeName(workType)}</a>`
}

/** The journal or book, with the place in it: `Taylor’s Memoirs, volume 3, pages 1–9`. */
function containerLine({ container_title, volume, issue, pages }: Metadata): Html | undefined {
  const parts = [
    container_title === undefined ? undefined : html`<bdi>${container_title}</bdi>`,
    volume === undefined ? undefined : html`volume <bdi>${volume}</bdi>`,
    issue === undefined ? undefined : html`issue <bdi>${issue}</bdi>`,
    pages === undefined ? undefined : html`pages <bdi>${pages}</bdi>`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : joinHtml(parts, ', ')
}

function doiLink(doi: string): Html {
  return html`<a href="${doiUrl(doi)}" rel="noreferrer">${shownDoiUrl(doi)}</a>`
}

function licenseLink(license: string): Html {
  return html`<a href="${licenseNames(license).address}" rel="license noreferrer">${license}</a>`
}

function keywordLinks(metadata: Metadata): Html | undefined {
  const words = keywordsOf(metadata)
  if (words.length === 0) return undefined
  const items = words.map((word) => {
    const query = new URLSearchParams({ keyword: word }).toString()
    return html`<li><a href="/search?${query}" dir="auto">${word}</a></li>`
  })
  return html`<ul class="tags">${items}</ul>`
}

function fundingList({ funding = [] }: Metadata): Html | undefined {
  return listOf(
    funding.map(({ funder, award, award_title: title, award_uri: uri = '' }) => {
      const name = [award, title].filter(Boolean).join(': ')
      const named = html`<bdi>${name}</bdi>`
      const isAddress = /^https?:\/\//i.test(uri)
      const linked = isAddress ? html`<a href="${uri}" rel="noreferrer">${named}</a>` : named
      return html`<li><bdi>${funder}</bdi>${name === '' ? '' : html`, award ${linked}`}</li>`
    }),
  )
}

function relatedList(related: readonly RelatedIdentifier[] = []): Html | undefined {
  return listOf(related.map((one) => html`<li>${relationOf(one)} ${relatedLink(one)}</li>`))
}

/** A relation that the list of relations lacks is told by its note. */
function relationOf({ relation, note }: RelatedIdentifier): Html {
  const isOther = relation === 'Other' && note !== undefined
  return isOther ? html`<bdi>${relationWords(note)}</bdi>` : html`${relationName(relation)}`
}

/** A note, which may be one word of Crossref such as `isCommentOn`. */
export function relationWords(note: string): string {
  return /^[a-z]+(?:[A-Z][a-z]+)+$/.test(note) ? relationName(note) : note
}

function relatedLink(related: RelatedIdentifier): Html {
  const { scheme, identifier } = related
  const url = addressOf(related)
  const shown = html`<bdi>${scheme === 'URL' ? '' : `${scheme} `}${identifier}</bdi>`
  return url === undefined ? shown : html`<a href="${url}" rel="noreferrer">${shown}</a>`
}

const resolvers: { readonly [S in RelatedIdentifier['scheme']]?: (identifier: string) => string } =
  {
    DOI: doiUrl,
    ARK: (identifier) => `/${identifier}`,
    Handle: (identifier) => `https://hdl.handle.net/${encodePath(identifier)}`,
    arXiv: (identifier) =>
      `https://arxiv.org/abs/${encodePath(identifier.replace(/^arxiv:/i, ''))}`,
    PMID: (identifier) => `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(identifier)}/`,
  }

function addressOf({ scheme, identifier }: RelatedIdentifier): string | undefined {
  const resolver = resolvers[scheme]
  // No encoding keeps a dot segment from leading elsewhere.
  if (resolver !== undefined && !hasDotSegment(identifier)) return resolver(identifier)
  return /^https?:\/\//i.test(identifier) ? identifier : undefined
}

function listOf(items: readonly Html[]): Html | undefined {
  if (items.length === 0) return undefined
  return foldedList({ items, openMax: openItemsMax, kind: 'items' })
}

function contentLine({ media_type, size }: WorkReply['content']): Html | undefined {
  const parts = [media_type, size === null ? null : sizeName(size)].filter((part) => part !== null)
  return parts.length === 0 ? undefined : html`${parts.join(', ')}`
}

/** What the newest statement about a version says, each time under its own name. */
function statementWords(work: LandingRecord['work'], receipt: ReceiptReply): Html {
  const at = time(receipt.timestamp)
  switch (receipt.statement) {
    case 'registered':
      return html`It says that this version was registered on ${at} with exactly this metadata.`
    case 'content': {
      const isThere = work.metadata !== undefined
      const registered = isThere ? html` on ${time(work.registered_at)}` : nothing
      return html`It says that this version was registered${registered} with exactly this metadata,
and that its content was confirmed on ${at}.`
    }
    case 'tombstoned':
      return html`It says that this work was withdrawn on ${at}, and by its hashes what it had
been.`
  }
}

/** What was signed about a version and where the log has it, and how anybody can check that. */
export function receiptPart(record: LandingRecord, context: LandingContext): Html {
  const { receipt } = record
  const { leaf_index, tree_size, merkle_root } = receipt.chain_proof
  return card(
    'The receipt',
    html`<p>${statementWords(record.work, receipt)} Signed as
<a href="${logPath(record)}/entries/${leaf_index}">entry
${formatNumber(leaf_index)}</a> in the <a href="${logPath(record)}">public log</a> of
${plural(tree_size, 'entry', 'entries')}.</p>
${checkSection(record)}
<details class="fold"><summary>What was signed</summary>
${facts([
  ['Receipt', html`<code>${receipt.receipt_id}</code>`],
  ['Metadata hash', hashText(receipt.metadata_hash)],
  ['Content hash', receipt.content_hash === null ? 'none yet' : hashText(receipt.content_hash)],
  ['Root of the log', hashText(merkle_root)],
  ['Signing key', hashText(receipt.signature.public_key)],
])}</details>
${offlineSection(record, context)}`,
  )
}

function logPath({ environment }: LandingRecord): string {
  return environment === 'sandbox' ? '/sandbox/log' : '/log'
}

/** The way of an address at the host that was asked: a page may ask no other. */
function pathOf(url: string | undefined): string {
  if (url === undefined) return ''
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The check that a browser makes. It is hidden until a script has started. */
function checkSection({ work, environment }: LandingRecord): Html {
  const metadata =
    work.metadata === undefined ? '' : `${pathOf(work.links['resolve'])}/v${work.version}`
  return html`<section class="receipt-check" data-receipt="${pathOf(work.links['receipt'])}"
data-metadata="${metadata}" data-keys="/.well-known/svc-keys.json"
data-environment="${environment}" hidden>
<h3>Check it in this browser</h3>
<p>Your browser fetches receipt, metadata and keys from this site, and does the arithmetic
itself.</p>
${work.metadata === undefined ? '' : contentField}
<p><button class="button" type="button">Check the receipt</button></p>
<p class="verdict" role="status" hidden></p>
<ol class="check-steps"></ol>
<div class="path"></div>
<p class="hint">Keys that come from the same site prove only that everything here fits together. To
depend on nothing that this site says today, check offline, against keys that you saved before.</p>
</section>`
}

const contentField = html`<p class="field"><label for="content-copy">Your copy of the content
<span class="optional">(optional; it stays on your device)</span></label>
<input type="file" id="content-copy"></p>`

function offlineSection(
  { work, receipt, environment }: LandingRecord,
  context: LandingContext,
): Html {
  const { baseUrl } = context
  const { leaf_index, tree_size } = receipt.chain_proof
  const isSandbox = environment === 'sandbox'
  const log = isSandbox ? '/sandbox' : ''
  const isThere = work.metadata !== undefined
  const { receipt: receiptUrl, proofs } = work.links
  const lines = [
    `curl -o keys.json ${baseUrl}/.well-known/svc-keys.json`,
    `curl -o receipt.json ${receiptUrl}`,
    ...(isThere ? [`curl -o work.json ${work.links['resolve']}/v${work.version}`] : []),
    `arklog verify receipt.json --keys keys.json${isSandbox ? ' --sandbox' : ''}` +
      (isThere ? ' --metadata work.json' : ''),
  ]
  const inclusion = `${log}/api/v1/log/inclusion?leaf_index=${leaf_index}&tree_size=${tree_size}`
  return html`<details class="fold"><summary>Check it offline</summary>
<p>The receipt is a file of its own that proves itself, even when this registry is gone.</p>
<pre class="command" tabindex="0"><code>${lines.join('\n')}</code></pre></details>
<ul class="tags">
<li><a href="${pathOf(receiptUrl)}" download="${receipt.receipt_id}.json">Receipt file</a></li>
<li><a href="${pathOf(proofs)}">All proofs</a></li>
<li><a href="${inclusion}">Inclusion proof</a></li>
<li><a href="${log}/log?q=${work.ark}">All entries of the work</a></li>
<li><a href="${log}/log/checkpoint">Newest checkpoint</a></li>
<li><a href="/.well-known/svc-keys.json">Published keys</a></li>
</ul>`
}
