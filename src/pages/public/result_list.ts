import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { isGrave, noticesOn } from '#actors/works/update_notices.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'
import { highlight, type LookedFor, snippet } from '#src/pages/public/highlight.ts'
import { badge } from '#src/pages/kit/parts.ts'
import { fixityBadge, typeName } from '#src/pages/kit/words.ts'
import { search, standing } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import type { Wording } from '#src/words/wording.ts'
import type { ListedWork } from '#src/use_cases/listed_works.ts'

type Shown = Readonly<Record<string, unknown>>

type ListedPerson = {
  readonly ppid: string
  readonly name?: string
  readonly username?: string
  readonly orcid?: string
  readonly bio?: string
  readonly works_count?: number
  readonly affiliations: readonly { readonly organization: string; readonly role?: string }[]
}

type ListedOrganization = {
  readonly slug: string
  readonly name: string
  readonly country?: string
  readonly ror?: string
  readonly works_count: number
  readonly people_count: number
}

/** Authors, and affiliations, that a list names. */
const authorsMax = 5
const affiliationsMax = 3

const noWords: LookedFor = { words: new Set(), beginnings: [] }

/** Records of a kind in their order, with what was looked for marked in them. */
export function resultList(kind: IndexKind, records: readonly Shown[], looked: LookedFor): Html {
  return list(records.map((record) => card(kind, record, looked)))
}

/** Works in their order, without their abstracts; below each, what `note` says of it. */
export function workList<Work extends ListedWork>(
  works: readonly Work[],
  note: (work: Work) => Html = () => nothing,
): Html {
  return list(works.map((work) => html`${workCard(work, noWords, undefined)}${note(work)}`))
}

function list(cards: readonly Html[]): Html {
  const items = cards.map((one) => html`<li class="result">${one}</li>`)
  return html`<ol class="results">${items}</ol>`
}

function card(kind: IndexKind, record: Shown, looked: LookedFor): Html {
  switch (kind) {
    case 'works': {
      const work = record as unknown as ListedWork
      return workCard(work, looked, snippetOf(work.description, looked))
    }
    case 'people':
      return personCard(record as unknown as ListedPerson, looked)
    case 'organizations':
      return organizationCard(record as unknown as ListedOrganization, looked)
  }
}

function workCard(work: ListedWork, looked: LookedFor, abstract: Html | undefined): Html {
  const { ark_identifier: ark, existing_doi: doi, registrant } = work
  const lang = work.language === undefined ? '' : html`lang="${work.language}"`
  const { published_date: published, container_title: container } = work
  const where = [
    typeName(work.work_type),
    published?.slice(0, 4),
    container,
    registrant === undefined ? undefined : search.registeredBy({ name: registrant }),
  ].filter((part) => part !== undefined)
  const title = html`<a href="/${ark}">${highlight(work.work_title, looked)}</a>`
  return html`<h3 dir="auto" ${lang}>${title}</h3>
<p class="result-by" dir="auto">${authorNames(work.authors, looked)}</p>
<p class="result-where">${joined(where, ' · ')}</p>
${abstract === undefined ? '' : html`<p class="result-text" dir="auto" ${lang}>${abstract}</p>`}
<p class="result-names">${standingBadges(work)} <code>${ark}</code>
${doi === undefined ? '' : html`<code>doi:${doi}</code>`}</p>`
}

function standingBadges(work: ListedWork): Html {
  const { status, fixity_status } = work
  const shown =
    status === 'withdrawn' ? badge(standing.withdrawn, 'bad') : fixityBadge(fixity_status)
  const [gravest] = noticesOn(work)
  if (gravest === undefined) return shown
  const look = isGrave(gravest.kind) ? 'bad' : 'plain'
  return html`${badge(standing[gravest.kind], look)} ${shown}`
}

function snippetOf(text = '', looked: LookedFor): Html | undefined {
  return text === '' ? undefined : snippet(text, looked)
}

function authorNames(authors: string, looked: LookedFor): Wording {
  const all = splitAuthors(authors)
  const names = highlight(all.slice(0, authorsMax).join('; '), looked)
  const count = all.length - authorsMax
  return count > 0 ? search.andMore({ names, count }) : names
}

function personCard(person: ListedPerson, looked: LookedFor): Html {
  const { ppid, username, orcid, affiliations, works_count: works } = person
  const places = affiliations
    .slice(0, affiliationsMax)
    .map(({ role, organization }) =>
      role === undefined ? organization : `${role}, ${organization}`,
    )
  const placed = places.join('; ')
  const bio = snippetOf(person.bio, looked)
  const name = person.name ?? username ?? ppid
  return html`<h3 dir="auto"><a href="/people/${ppid}">${highlight(name, looked)}</a></h3>
${placed === '' ? '' : html`<p class="result-by" dir="auto">${highlight(placed, looked)}</p>`}
${bio === undefined ? '' : html`<p class="result-text" dir="auto">${bio}</p>`}
<p class="result-names">${works === undefined ? '' : search.countWorks({ count: works })}
<code>${ppid}</code> ${orcid === undefined ? '' : html`<code>orcid:${orcid}</code>`}</p>`
}

function organizationCard(organization: ListedOrganization, looked: LookedFor): Html {
  const { slug, name, ror, works_count: works, people_count: people } = organization
  return html`<h3 dir="auto"><a href="/publishers/${slug}">${highlight(name, looked)}</a></h3>
<p class="result-where">${search.countWorks({ count: works })} ·
${search.countAuthors({ count: people })}</p>
<p class="result-names"><code>${slug}</code>
${ror === undefined ? '' : html`<code>${ror}</code>`}</p>`
}
