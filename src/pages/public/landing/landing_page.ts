import type { Metadata } from '#actors/works/metadata.ts'
import { isGrave } from '#actors/works/update_notices.ts'
import { atomType, workFeedPath } from '#src/discovery/feeds/atom.ts'
import {
  citationStyles,
  citationWriter,
  usualForm,
  usualLocale,
} from '#src/discovery/formats/citation_styles.ts'
import { type DescribedWork, isMarked } from '#src/discovery/formats/described_work.ts'
import { type Format, type FormatName, formats } from '#src/discovery/formats/format_table.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import type { TypedLink } from '#src/discovery/formats/signposting.ts'
import type { Representation } from '#src/edge/rendered_reply.ts'
import { landingScript, landingStyle } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing, joinHtml } from '#src/pages/kit/html.ts'
import { feedAddress, type Page } from '#src/pages/kit/page.ts'
import { time } from '#src/pages/kit/parts.ts'
import { placeOfWork, publicPageHeaders, renderPublicPage } from '#src/pages/kit/public_page.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { fixityBadge, typeName } from '#src/pages/kit/words.ts'
import { headTags, tombstoneTags } from '#src/pages/public/landing/head_tags.ts'
import {
  changedNotice,
  elapsedSince,
  fixityTimeline,
  historyList,
  versionList,
} from '#src/pages/public/landing/history.ts'
import { noticeBanner, recordParts } from '#src/pages/public/landing/record_parts.ts'
import {
  relatedElsewhere,
  relatedWorks,
  similarWorks,
} from '#src/pages/public/landing/related_works.ts'
import {
  arkLine,
  authorList,
  bdi,
  citationBox,
  contentFacts,
  detailList,
  heading,
  langOf,
  type LandingContext,
  machineLinks,
  notices,
  ownWorkLink,
  receiptPart,
  reportPath,
  sourceLink,
  strong,
  type CitationOffer,
  namedAuthorsMax,
  type NamedLink,
} from '#src/pages/public/landing/work_parts.ts'
import { figures, landing, standing } from '#src/words/english.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'
import { english } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'
import {
  type LandingRecord,
  type TombstoneReply,
  type WorkReply,
  landingRecord,
  type LandingTask,
} from '#src/use_cases/landing_record.ts'
import { formulaSources, markedTextHtml } from '#src/pages/public/landing/marked_text.ts'
import { plainTitle } from '#src/discovery/formats/title_marks.ts'

/** The scripts of both pages. */
const landingScripts = [landingScript]

/** The page of a work at its ARK, or that of its tombstone. */
export function landingPage(record: LandingRecord, context: LandingContext): Page {
  const { work } = record
  if (work.metadata === undefined) return tombstonePage(record, work, context)
  const versionPath = `/${work.ark}/v${work.version}`
  const isPinned = context.url.endsWith(versionPath)
  const elsewhere = relatedElsewhere(work.metadata, record.related)
  return {
    title: markedTitle(work),
    head: headTags(record, work, context),
    styles: [landingStyle],
    scripts: landingScripts,
    wide: true,
    body: html`${notices(record)}${noticeBanner(work)}${changedNotice(work, record.fixity)}
<article class="work">
<header class="work-head">
<p class="eyebrow">${eyebrow(work)}</p>
${titleHeading(work.metadata)}
${authorList(work)}
${ownWorkLink(context)}
${arkLine(context.url, isPinned ? undefined : versionPath)}
${proofLine(work, context)}
${contentButton(work)}
<p class="own-work"><a href="#cite">${landing.cite}</a></p>
${isPinned ? nothing : placeOfWork(work.ark)}
</header>
${work.status === 'withdrawn' ? withdrawalBox(work) : nothing}
<div class="work-columns">
<div class="work-main">
${abstractPart(work)}
${detailList(work, elsewhere)}
${recordParts(work.metadata, record.files)}
${relatedWorks(record)}
<div id="cite">${citationBox(context.citation)}</div>
${versionList(record)}
${historyList(record)}
${usagePart(work, context)}
${similarWorks(record)}
</div>
<div class="work-proof">
<div id="fixity">${fixityTimeline(work, record.fixity, context.nowMs)}</div>
<div id="receipt">${receiptPart(record, context)}</div>
${machineLinks(context.machineLinks)}
</div>
</div>
</article>`,
  }
}

function eyebrow({ metadata, version, status }: WorkReply): Html {
  const date = metadata.published_date
  const published = date === undefined ? '' : html` · <time dir="ltr">${date}</time>`
  const number = landing.version({ number: version })
  const mark = status === 'withdrawn' ? html` · <strong>${standing.withdrawn}</strong>` : ''
  return html`${typeName(metadata.work_type)}${published} · ${number}${mark}`
}

/** What is proven, at a glance: the parts below say it in full. */
function proofLine(work: WorkReply, { nowMs }: LandingContext): Html {
  const { fixity_status: status, reason, checked_at: at } = work.content
  const ago = at === null ? undefined : landing.checkedAgo({ ago: elapsedSince(at, nowMs) })
  // Content that is not led to is not checked any more.
  const checked = html`<a href="#fixity">${fixityBadge(status, reason)}</a>${
    ago && html` <span class="hint">${ago}</span>`
  }`
  return html`<p class="proof-line">${work.status === 'withdrawn' ? nothing : checked}
<a href="#receipt">${landing.receipt}</a>
<span class="hint">${landing.registeredOn({ time: time(work.registered_at) })}</span></p>`
}

function usagePart({ ark }: WorkReply, { usage }: LandingContext): Html {
  if (usage === undefined) return nothing
  return usageFigure(usage, { heading: figures.workUsed, href: `/v1/works/${ark}/usage` })
}

// Stored addresses are http or https already; a page checks again, because it makes links of them.
function contentButton(work: WorkReply): Html {
  const { url, reason } = work.content
  if (url === undefined || !/^https?:\/\//.test(url)) return nothing
  const isPage = reason === 'landing_page'
  const named = isPage ? landing.openPage : landing.openContent
  const found = isPage ? undefined : contentFacts(work)
  const facts = found && html`<span class="hint">${found}</span>`
  return html`<p class="open-content">
<a class="button" href="${url}" rel="noreferrer">${named}</a>${facts}
<span class="hint">${landing.elsewhere({ host: bdi(new URL(url).host) })}</span></p>`
}

function titleLanguage({ work_title_language: own, language }: Metadata): string | undefined {
  return own ?? language
}

function titleHeading(metadata: Metadata): Html {
  const { work_title, work_title_markup } = metadata
  return heading(work_title, titleLanguage(metadata), work_title_markup)
}

function abstractPart({ metadata }: WorkReply): Html {
  const { description, description_markup, language } = metadata
  const { description_language: own = language, work_title, work_title_markup } = metadata
  const sources = formulaSources([
    { text: work_title, markup: work_title_markup },
    { text: description, markup: description_markup },
  ])
  if (description === undefined) {
    return html`<p class="aside">${landing.noAbstract}</p>${sources}`
  }
  const shown = markedTextHtml(description, description_markup)
  return html`<section class="abstract"><h2>${landing.abstract}</h2>
<p class="running-text" dir="auto"${langOf(own)}>${shown}</p>
${sources}</section>`
}

/**
 * The title of the page: it says first that a work was withdrawn, or has a grave notice, unless the
 * title of the work says so itself.
 */
function markedTitle({ metadata, status, notices: [gravest] = [] }: WorkReply): Text {
  const title = plainTitle(metadata)
  if (isMarked(title)) return title
  if (status === 'withdrawn') return landing.marked({ mark: standing.withdrawn, title })
  if (gravest === undefined || !isGrave(gravest.kind)) return title
  return landing.marked({ mark: standing[gravest.kind], title })
}

/** What stands at the ARK of a work of which nothing is left but that it was registered. */
function tombstonePage(record: LandingRecord, work: TombstoneReply, context: LandingContext): Page {
  const isLost = work.lost_at !== undefined
  const title = isLost ? landing.lost : landing.erased
  const { url } = context
  return {
    title: landing.marked({ mark: standing.withdrawn, title }),
    status: 410,
    head: tombstoneTags(context),
    styles: [landingStyle],
    scripts: landingScripts,
    wide: true,
    body: html`${notices(record)}
<article class="work">
<header class="work-head">
<p class="eyebrow">${landing.withdrawnTitle}</p>
${heading(title)}
${arkLine(url, undefined)}
</header>
${withdrawalBox(work)}
<div class="work-columns">
<div class="work-main">${historyList(record)}</div>
<div class="work-proof">
${receiptPart(record, context)}
${machineLinks(context.machineLinks)}
</div>
</div>
</article>`,
  }
}

type EndedReply = TombstoneReply | Extract<WorkReply, { status: 'withdrawn' }>

function withdrawalBox({
  reason,
  note,
  replaced_by,
  withdrawn_at,
  source,
  ...rest
}: EndedReply): Html {
  const erased_at = 'erased_at' in rest ? rest.erased_at : undefined
  const why = termOf(standing, `because_${reason}`) ?? reason
  const given = { strong, time: time(withdrawn_at), why }
  const withdrawn =
    source === undefined
      ? landing.withdrawnOn(given)
      : landing.withdrawnBy({ ...given, who: sourceLink(source) })
  const words = note === undefined || note === null ? '' : html`<p dir="auto">${note}</p>`
  const other = html`<a href="/${replaced_by}">${replaced_by}</a>`
  const instead =
    replaced_by === undefined || replaced_by === null
      ? ''
      : html`<p>${landing.instead({ link: other })}</p>`
  const erased =
    erased_at === undefined ? '' : html`<p>${landing.erasedOn({ time: time(erased_at) })}</p>`
  return html`<div class="flash flash-error" role="note">
<p>${withdrawn}</p>
${words}${instead}${erased}
<p>${landing.remains}</p>
</div>`
}

type LandedWork = {
  /** Its resolution, of the version that was asked for, or its tombstone. */
  readonly work: LandingRecord['work']
  /** The address of the page: it names the version if that was asked for by its number. */
  readonly url: string
  /** The typed links of the page. */
  readonly links: readonly TypedLink[]
  /** The work as formats describe it; undefined if its metadata was erased. */
  readonly described: DescribedWork | undefined
}

/** What replies say of every page of a work and of every tombstone, whatever stands in it. */
export const landingHeaders = publicPageHeaders({ scripts: landingScripts })

/** Writes the page of a work, or that of its tombstone. */
export function writeLanding(task: LandingTask, landed: LandedWork): Representation {
  const { sources, site } = task
  const page = landingPage(landingRecord(landed.work, sources), contextOf(task, landed))
  const { pathname, search } = new URL(landed.url)
  const whole = renderPublicPage(page, site, pathname + search)
  const text = whole.html(languageOf(task.language) ?? english)
  return { bytes: Buffer.from(text), headers: landingHeaders }
}

/** Files that reference managers import, the commonest first. */
const citationFormats = [
  'bibtex',
  'biblatex',
  'ris',
  'csl',
] as const satisfies readonly FormatName[]

/** Descriptions that harvesters and search engines read. */
const descriptionFormats = [
  'jsonld',
  'turtle',
  'datacite-xml',
  'datacite-json',
  'dc',
  'crossref-xml',
  'csv',
] as const satisfies readonly FormatName[]

function claimUrl({ accounts }: LandingTask['site'], ark: string): string {
  return `${accounts.authUrl}/account/works/claim?${new URLSearchParams({ ark })}`
}

function contextOf(task: LandingTask, landed: LandedWork): LandingContext {
  const { sources, site, nowMs, usage } = task
  const { work, url, links, described } = landed
  const path = new URL(url).pathname
  // Feeds and harvesting are of the live registry.
  const isLive = sources.environment === 'live'
  const feed = isLive ? feedLinkElement(landing.changesFeed, workFeedPath(work.ark)) : ''
  return {
    registry: site.branding.name,
    baseUrl: site.baseUrl,
    url,
    nowMs,
    linkElements: html`${linkElements(links)}
${feed}`,
    // A description must name all authors: a work with too many has it on a page of its own.
    jsonLd: described && (hasMany(described) ? undefined : formatSchemaOrg(described)),
    citation: offerCitation(path, described, task.language),
    ...(usage && { usage }),
    machineLinks: [
      { name: 'JSON', href: `${path}?format=json` },
      ...(described === undefined ? [] : formatLinks(path, offeredOf(described))),
      { name: landing.linkSet, href: `${path}?format=linkset` },
      { name: 'ERC', href: `${path}?info` },
      { name: landing.badge, href: `/badge?ark=${work.ark}` },
      ...(isLive ? liveLinks(work.ark) : []),
    ],
    ...(isLive && {
      claimUrl: claimUrl(site, work.ark),
      reportUrl: `${reportPath}?${new URLSearchParams({ ark: work.ark })}`,
    }),
  }
}

/** The descriptions that there are of a work: it may lack what one of them must have. */
function offeredOf(work: DescribedWork): readonly FormatName[] {
  return descriptionFormats.filter((name) => {
    const { lacks }: Format = formats[name]
    return lacks?.(work) === undefined
  })
}

function hasMany({ authors }: DescribedWork): boolean {
  return authors.length > namedAuthorsMax
}

function liveLinks(ark: string): readonly NamedLink[] {
  const query = new URLSearchParams({
    verb: 'GetRecord',
    metadataPrefix: 'oai_dc',
    identifier: ark,
  })
  return [
    { name: landing.atomFeed, href: feedAddress(workFeedPath(ark)) },
    { name: landing.oaiRecord, href: `/api/v1/oai?${query}` },
  ]
}

function offerCitation(
  path: string,
  described: DescribedWork | undefined,
  language: string,
): CitationOffer {
  if (described === undefined) return { styles: [], downloads: [], path }
  // A reference names the first authors and the last one.
  const { authors } = described
  const few = [...authors.slice(0, namedAuthorsMax), ...authors.slice(-1)]
  const cited = hasMany(described) ? { ...described, authors: few } : described
  const write = citationWriter(cited)
  const locale = usualLocale(language)
  const localized = locale === usualForm.locale ? '' : `&locale=${locale}`
  const styles = Object.entries(citationStyles).map(([style, { label }]) => {
    const text = write({ style, locale }).trim()
    return { style, name: label, text, href: `${path}?format=citation&style=${style}${localized}` }
  })
  return {
    styles,
    downloads: formatLinks(path, citationFormats),
    path,
  }
}

function formatLinks(path: string, names: readonly FormatName[]): readonly NamedLink[] {
  return names.map((name) => ({ name: formats[name].label, href: `${path}?format=${name}` }))
}

/** The links as elements of the head of a page. */
export function linkElements(links: readonly TypedLink[]): Html {
  const elements = links.map(({ rel, href, type }) =>
    type === undefined
      ? html`<link rel="${rel}" href="${href}">`
      : html`<link rel="${rel}" type="${type}" href="${href}">`,
  )
  return joinHtml(elements, '\n')
}

/** The element of a page's head by which readers of feeds find one; `path` begins with a slash. */
export function feedLinkElement(title: Text, path: string): Html {
  const href = feedAddress(path)
  return html`<link rel="alternate" type="${atomType}" title="${title}" href="${href}">`
}
