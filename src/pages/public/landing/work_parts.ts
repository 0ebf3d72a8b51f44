import type { PublicClaim, UnplacedClaim } from '#actors/people/claims/match.ts'
import type { Owner } from '#actors/values/agent.ts'
import { doiUrl, encodePath, hasDotSegment, shownDoiUrl } from '#actors/values/identifier.ts'
import { isLicenseAddress, licenseNames } from '#actors/values/license.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { keywordsOf } from '#src/discovery/formats/described_work.ts'
import { type Html, html, joinHtml, nothing } from '#src/pages/kit/html.ts'
import { asLink, card, facts, foldedList, time } from '#src/pages/kit/parts.ts'
import { relationName, typeName } from '#src/pages/kit/words.ts'
import { frame, landing, record, report } from '#src/words/english.ts'
import { inLanguage, joined, languageName } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'
import type {
  AuthorReply,
  LandingRecord,
  ReceiptReply,
  WorkReply,
} from '#src/use_cases/landing_record.ts'
import type { UsageReport } from '#src/use_cases/usage_report.ts'
import { markedTitleHtml } from '#src/pages/public/landing/marked_text.ts'

/** Something else about a work, and where it is. */
export type NamedLink = { readonly name: Text; readonly href: Text }

type CitedStyle = NamedLink & { readonly style: string; readonly text: string }

/** How a work is cited: ready to be copied in each style, and as files. */
export type CitationOffer = {
  /** None where nothing is known to cite. */
  readonly styles: readonly CitedStyle[]
  readonly downloads: readonly NamedLink[]
  /** The path of the work, which writes references in any other style as well. */
  readonly path: string
}

/** Where readers tell the registrant of a work that something is wrong with it. */
export const reportPath = '/report'

/** What the page of a work is told beside the work. */
export type LandingContext = {
  /** What the registry is called. */
  readonly registry: string
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
  /** Where readers report a problem; undefined where nobody does. */
  readonly reportUrl?: string
}

// Titles that are longer are shown smaller, so that what follows is on the screen, too.
const largeCharactersMax = 160

/** The title of a work, whatever its length and its direction. */
export function heading(title: Text, language?: string, markup?: string): Html {
  const isTyped = typeof title === 'string'
  const size = isTyped && title.length > largeCharactersMax ? 'long-title' : 'title'
  const shown = isTyped ? markedTitleHtml(title, markup) : title
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
      : html`<span class="hint">${landing.toNewest({ link: asLink(versionPath) })}</span>`
  return html`<p class="ark-line"><span class="ark-label">${landing.citeAs}</span>
<a href="${url}"><code id="ark">${url}</code></a>
<button class="button button-quiet" type="button" data-copy="ark"
hidden>${frame.copy}</button>${alone}</p>`
}

/** What readers must know before they cite: that it is a trial, or not the newest version. */
export function notices({ work, environment }: LandingRecord): Html {
  return html`${environment === 'sandbox' ? sandboxNotice : ''}${
    work.metadata === undefined || work.is_latest ? '' : olderNotice(work)
  }`
}

/** Makes words stand out. */
export function strong(words: Wording): Html {
  return html`<strong>${words}</strong>`
}

const sandboxNotice = html`<div class="flash flash-warning" role="note">
<p>${landing.sandbox({ strong })}</p></div>`

function olderNotice(work: { ark: string; version: number; latest_version: number }): Html {
  return html`<div class="flash flash-warning" role="note">
<p>${landing.older({
    strong,
    number: work.version,
    newest: work.latest_version,
    link: asLink(`/${work.ark}`),
  })}</p></div>`
}

/** How to cite a work: in one style or another, and as files for reference managers. */
export function citationBox({ styles, downloads, path }: CitationOffer): Html {
  if (styles.length === 0) return nothing
  return card(
    landing.cite,
    html`<div class="cite" role="group" aria-label="${landing.citationStyle}">
${styles.map(citedAs)}</div>
${styleForm(path)}
${linkLine(landing.forManagers, downloads)}`,
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
  return html`<form class="filter" method="get" action="${path}" aria-label="${landing.otherStyle}">
<input type="hidden" name="format" value="citation"><div class="filter-fields">
<div class="field"><label for="other-style">${landing.styleByName({
    link: asLink('/api/v1/citation-styles'),
  })}</label>
<input id="other-style" name="style" list="other-styles" required spellcheck="false"></div>
<datalist id="other-styles">${options}</datalist>
<button class="button button-quiet" type="submit">${frame.show}</button></div></form>`
}

// One is chosen without a script: each choice stands before what it shows.
function citedAs({ style, name, text: citation, href }: CitedStyle, index: number): Html {
  return html`<input type="radio" name="style" id="cite-${style}"${index === 0 ? ' checked' : ''}>
<label for="cite-${style}">${name}</label>
<div class="cited">
<blockquote class="citation" id="citation-${style}" dir="auto">${citation}</blockquote>
<p><button class="button button-quiet" type="button" data-copy="citation-${style}"
hidden>${landing.copyCitation}</button> <a href="${href}">${landing.plainText}</a></p></div>`
}

function linkLine(name: Text, links: readonly NamedLink[]): Html {
  if (links.length === 0) return nothing
  const items = links.map((link) => html`<li><a href="${link.href}">${link.name}</a></li>`)
  return html`<h3>${name}</h3><ul class="tags">${items}</ul>`
}

/** Links to the same record for programs. */
export function machineLinks(links: readonly NamedLink[]): Html {
  const items = links.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)
  return card(landing.forPrograms, html`<ul class="tags">${items}</ul>`)
}

/** Whose change it was: an organization by its name, a person by the link to their page. */
export function sourceLink({ type, id, name }: Owner): Wording {
  switch (type) {
    case 'organization':
      return html`<a href="/publishers/${id}" dir="auto">${name}</a>`
    case 'person':
      return landing.researcher({ id, link: asLink(`/people/${id}`) })
    case 'operator':
      return id === 'fixity' ? landing.registryItself : landing.operator
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
export function ownWorkLink({ claimUrl, reportUrl }: LandingContext): Html {
  if (claimUrl === undefined || reportUrl === undefined) return nothing
  return html`<p class="own-work"><a href="${claimUrl}"
rel="nofollow">${landing.thisIsMine}</a> · <a href="${reportUrl}"
rel="nofollow">${report.title}</a></p>`
}

type Authored = Partial<Pick<WorkReply, 'authors' | 'unplaced_claims'>>

/** A verified author of whom nothing says which of the names is theirs. */
function unplacedLine(claim: UnplacedClaim): Html {
  const name = claim.name ?? landing.somebody
  const link = html`<a href="/people/${claim.ppid}"><bdi>${name}</bdi></a>`
  return html`<p class="hint">${landing.unplaced({ name: link, mark: markOf(claim) })}</p>`
}

function namedAuthors(authors: readonly AuthorReply[]): Html {
  if (authors.length === 0) return nothing
  const list = foldedList({
    items: authors.slice(0, namedAuthorsMax).map(authorItem),
    openMax: openAuthorsMax,
    kind: 'authors',
    more: (count) => landing.moreAuthors({ count }),
  })
  const unnamed = authors.length - namedAuthorsMax
  if (unnamed <= 0) return list
  return html`${list}<p class="hint">${landing.unnamedAuthors({ count: unnamed })}</p>`
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
function markOf({ basis, confirmed_by: words }: PublicClaim): Text {
  if (basis === 'admin') return landing.byAdmin
  if (basis === 'orcid') return landing.byOrcid
  if (!words.includes('registrant')) return landing.byThem
  return words.includes('person') ? landing.byBoth : landing.byPublisher
}

/** The iD with which the author has signed in, or else that of the metadata, marked as such. */
function orcidMark({ orcid, claims }: AuthorReply): Html {
  const authenticated = claims.find((claim) => claim.orcid !== undefined)?.orcid
  const id = authenticated ?? orcid
  if (id === undefined) return nothing
  const said = authenticated === undefined ? landing.orcidSaid({ id }) : landing.orcid({ id })
  return html` <a class="orcid" href="https://orcid.org/${id}" rel="noreferrer"
title="${said}">${authenticated === undefined ? openMark : fullMark}<span
class="unseen">${said}</span></a>`
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

// Identifiers and links of a list that are shown at once.
const openItemsMax = 10

/**
 * What else the metadata of a version say, each under its name; `related` is what of its relations
 * no other list has.
 */
export function detailList(work: WorkReply, related: Metadata['related_identifiers']): Html {
  const { metadata } = work
  return card(
    record.details,
    facts([
      [record.type, typeLink(metadata.work_type)],
      [record.published, text(metadata.published_date)],
      [record.publisher, text(metadata.publisher_name)],
      [record.publishedIn, containerLine(metadata)],
      ['DOI', metadata.existing_doi && doiLink(metadata.existing_doi)],
      [record.language, metadata.language && languageName(metadata.language)],
      [record.license, metadata.license && licenseLink(metadata.license)],
      [record.keywords, keywordLinks(metadata)],
      [record.funding, fundingList(metadata)],
      [record.related, relatedList(related)],
      [record.content, contentFacts(work)],
    ]),
  )
}

/** The number of bytes of a file, as people read it: `1.2 MB`. */
export function sizeName(bytes: number): Text {
  return inLanguage((language) => language.bytes(bytes))
}

function text(value: string | undefined): Html | undefined {
  return value === undefined ? undefined : bdi(value)
}

/** A text whose direction is its own. */
export function bdi(value: string): Html {
  return html`<bdi>${value}</bdi>`
}

function typeLink(workType: string): Html {
  return html`<a href="/search?type=${workType}">${typeName(workType)}</a>`
}

/** The journal or book, with the place in it: `Taylor’s Memoirs, volume 3, pages 1–9`. */
function containerLine({ container_title, volume, issue, pages }: Metadata): Html | undefined {
  const parts = [
    container_title === undefined ? undefined : html`<bdi>${container_title}</bdi>`,
    volume === undefined ? undefined : record.volume({ number: bdi(volume) }),
    issue === undefined ? undefined : record.issue({ number: bdi(issue) }),
    pages === undefined ? undefined : record.pages({ pages: bdi(pages) }),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : joinHtml(parts, ', ')
}

function doiLink(doi: string): Html {
  return html`<a href="${doiUrl(doi)}" rel="noreferrer">${shownDoiUrl(doi)}</a>`
}

function licenseLink(license: string): Html {
  const { address, name } = licenseNames(license)
  const shown = isLicenseAddress(license) ? name : license
  return html`<a href="${address}" rel="license noreferrer">${shown}</a>`
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
      if (name === '') return html`<li>${bdi(funder)}</li>`
      return html`<li>${record.award({ funder: bdi(funder), award: linked })}</li>`
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
export function relationWords(note: string): Text {
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

// What people call the types of most files.
const namedType = /^(?:application|text)\/(?:x-)?(csv|html|json|pdf|xml|zip)$/

/**
 * Of which type and size the content is, as the last check found it, or else as its record says:
 * `PDF, 1.2 MB`.
 */
export function contentFacts({ content, metadata }: WorkReply): Text | undefined {
  const said = metadata.files?.find(({ url }) => url === (content.url ?? metadata.work_url))
  const type = content.media_type ?? said?.media_type
  const size = content.size ?? said?.size
  const parts = [
    type && (namedType.exec(type)?.[1]?.toUpperCase() ?? type),
    size === undefined ? undefined : sizeName(size),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : joined(parts, ', ')
}

/** What the newest statement about a version says, each time under its own name. */
function statementWords(work: LandingRecord['work'], receipt: ReceiptReply): Wording {
  const at = { time: time(receipt.timestamp) }
  switch (receipt.statement) {
    case 'registered':
      return landing.says_registered(at)
    case 'content':
      return work.metadata === undefined
        ? landing.says_content(at)
        : landing.says_content_on({ registered: time(work.registered_at), ...at })
    case 'tombstoned':
      return landing.says_tombstoned(at)
  }
}

/** What was signed about a version and where the log has it, and how anybody can check that. */
export function receiptPart(shown: LandingRecord, context: LandingContext): Html {
  const { receipt, work } = shown
  const { leaf_index, tree_size, merkle_root } = receipt.chain_proof
  const { content_hash: hash } = receipt
  const signed = landing.signedAs({
    index: leaf_index,
    size: tree_size,
    entry: asLink(`${logPath(shown)}/entries/${leaf_index}`),
    log: asLink(logPath(shown)),
  })
  return card(
    landing.theReceipt,
    html`<p>${statementWords(work, receipt)} ${signed}</p>
${checkSection(shown)}
<details class="fold"><summary>${landing.whatWasSigned}</summary>
${facts([
  [landing.receipt, html`<code>${receipt.receipt_id}</code>`],
  [landing.metadataHash, hashText(receipt.metadata_hash)],
  [landing.contentHash, hash === null ? landing.noneYet : hashText(hash)],
  [landing.rootHash, hashText(merkle_root)],
  [landing.signingKey, hashText(receipt.signature.public_key)],
])}</details>
${offlineSection(shown, context)}`,
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
function checkSection({ work, environment, hasMap = false }: LandingRecord): Html {
  const metadata =
    work.metadata === undefined ? '' : `${pathOf(work.links['resolve'])}/v${work.version}`
  return html`<section class="receipt-check" data-receipt="${pathOf(work.links['receipt'])}"
data-metadata="${metadata}" data-keys="/.well-known/svc-keys.json"
data-environment="${environment}"${hasMap ? ' data-map' : ''} hidden>
<h3>${landing.checkHere}</h3>
<p>${landing.checkHereText}</p>
${work.metadata === undefined ? '' : contentField}
<p><button class="button" type="button">${landing.checkReceipt}</button></p>
<p class="verdict" role="status" hidden></p>
<ol class="check-steps"></ol>
<div class="path"></div>
<p class="hint">${landing.checkLimits}</p>${hasMap ? newestWords : ''}
</section>`
}

const fact = (name: string) => html`<span data-fact="${name}"></span>`
const when = fact('when')

/** What a browser says of the newest version: it fills in the facts that it has proven. */
const newestWords = html`<template><b data-said="title">${landing.newestVersion}</b>
<p data-said="newest">${landing.provenNewest({ when })}</p>
<p data-said="superseded">${landing.provenSuperseded({ when, number: fact('number') })}</p>
<p data-said="withdrawn">${landing.provenWithdrawn({ when })}</p>
<p data-said="absent">${landing.provenAbsent({ when })}</p>
<p data-said="not_yet">${landing.provenNotYet({ when })}</p>
<p data-said="contradictory">${landing.provenContradictory({ when })}</p>
<p data-said="told">${landing.asTold}</p>
<p data-said="seen">${landing.asSeen({
  time: fact('time'),
  signed: fact('signed'),
  of: fact('of'),
})}</p></template>`

const contentField = html`<p class="field"><label for="content-copy">${landing.yourCopy}
<span class="optional">${landing.staysHere}</span></label>
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
  return html`<details class="fold"><summary>${landing.checkOffline}</summary>
<p>${landing.checkOfflineText}</p>
<pre class="command" tabindex="0"><code>${lines.join('\n')}</code></pre></details>
<ul class="tags">
<li><a href="${pathOf(receiptUrl)}"
download="${receipt.receipt_id}.json">${landing.receiptFile}</a></li>
<li><a href="${pathOf(proofs)}">${landing.allProofs}</a></li>
<li><a href="${inclusion}">${landing.inclusionProof}</a></li>
<li><a href="${log}/log?q=${work.ark}">${landing.allEntries}</a></li>
<li><a href="${log}/log/checkpoint">${landing.newestCheckpoint}</a></li>
<li><a href="/.well-known/svc-keys.json">${landing.publishedKeys}</a></li>
</ul>`
}
