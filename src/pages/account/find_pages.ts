import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import {
  type ClaimablePage,
  type ClaimableWork,
  findClaimable,
} from '#src/use_cases/claimable_works.ts'
import { isClaimed } from '#src/use_cases/claim_refusal.ts'
import { HttpError } from '#src/errors.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import {
  authorOf,
  claimFaults,
  messageField,
  placeField,
  readWords,
} from '#src/pages/account/claim_form_pages.ts'
import { statusBadge } from '#src/pages/account/claim_status.ts'
import { type AccountContext, pageAgent } from '#src/pages/account/context.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  checkbox,
  emptyForm,
  field,
  form,
  type FormState,
  hiddenField,
} from '#src/pages/kit/form_field.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, emptyState } from '#src/pages/kit/parts.ts'
import { plural, typeName } from '#src/pages/kit/words.ts'

const worksPath = '/account/works'
const path = `${worksPath}/find`

/** Authors of a work among whom somebody chooses here, where there are many works. */
const choicesMax = 50

/** Authors that a work is shown with. */
const namedMax = 5

/** Adds the page on which a person looks for their works, and claims several in one step. */
export function addFindPages(context: AccountContext): void {
  const { member } = context.pages
  const typedIn = ({ query }: MemberVisit): Asked => ({
    typed: query.get('q') ?? undefined,
    cursor: query.get('cursor') ?? undefined,
  })
  member.get(path, (visit) => findPage(context, visit, typedIn(visit), emptyForm), {
    limit: 'search_page',
  })
  member.post(path, (visit, body) => claimTicked(context, visit, body))
}

/** What is looked for: undefined if nobody has typed anything yet. */
type Asked = { readonly typed: string | undefined; readonly cursor: string | undefined }

/** What was found, or why nothing could be looked for. */
type Outcome = ClaimablePage | { readonly failed: string }

const ticks = 'claim:'

function placeName(ark: string): string {
  return `place:${ark}`
}

/** Claims the works that are ticked. Those that are claimed stay so if others cannot be. */
async function claimTicked(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { ppid } = visit.account
  const by = pageAgent(ppid)
  const ticked = [...body.keys()].filter((name) => name.startsWith(ticks))
  const faults: FieldFault[] = []
  for (const name of ticked) {
    const ark = name.slice(ticks.length)
    const claim = { ark_identifier: `ark:/${ark}`, ...readWords(body, placeName(ark)) }
    const answer = await context.environment.claims.make({ ppid, body: claim, by })
    if (!isClaimed(answer)) {
      faults.push(...claimFaults(answer, { ark: name, place: placeName(ark) }))
    }
  }
  if (ticked.length === 0) {
    faults.push({ field: 'works', code: 'required', message: 'Tick the works that are yours' })
  }
  if (faults.length === 0) {
    return redirectDone(worksPath, ticked.length === 1 ? 'found' : 'several')
  }
  const asked = {
    typed: body.get('q'),
    cursor: textOf(body, 'cursor') || undefined,
  }
  return findPage(context, visit, asked, { values: body, faults })
}

async function findPage(
  context: AccountContext,
  visit: MemberVisit,
  asked: Asked,
  state: FormState,
): Promise<AccountPage> {
  const author = authorOf(context, visit)
  const outcome = await find(context, visit, asked)
  const typed = asked.typed ?? author.name
  const own = author.orcid === undefined ? '' : html`, or your ORCID iD ${author.orcid}`
  return {
    title: 'Find my works',
    current: worksPath,
    state,
    lead: html`By your name as it stands on works, your ORCID iD, or a DOI. Tick those that are
yours, and claim them in one step.`,
    content: html`${searchForm(context, typed)}
${
  'failed' in outcome
    ? emptyState('Nothing could be looked for', outcome.failed)
    : html`<p role="status">${plural(outcome.total, 'work')} found by “<bdi>${typed}</bdi>”${
        asked.typed === undefined ? own : ''
      }.</p>${results(context, visit, { outcome, asked, state })}`
}
<p>You know the ARK of a work? <a href="${context.pages.prefix}${worksPath}/claim">Claim it by its
ARK</a>.</p>`,
  }
}

async function find(
  context: AccountContext,
  visit: MemberVisit,
  { typed, cursor }: Asked,
): Promise<Outcome> {
  const { environment, baseUrl, search } = context
  const signal = visit.reply.standAside()
  const source = { service: search?.[environment.name], searcher: { caller: visit.from, signal } }
  const asked = { typed, ...(cursor !== undefined && { cursor }) }
  const author = authorOf(context, visit)
  try {
    return await findClaimable(source, asked, author, { environment, baseUrl })
  } catch (error) {
    if (error instanceof SearchError) return { failed: 'Search has failed.' }
    const isAnswer = error instanceof HttpError
    if (isAnswer && failures.has(error.code)) return { failed: `${error.message}.` }
    throw error
  }
}

const failures: ReadonlySet<string> = new Set(['bad_request', 'timeout', 'unavailable'])

function searchForm({ pages }: AccountContext, typed: string): Html {
  const values = new Map([['q', typed]])
  return html`<form class="form" method="get" action="${pages.prefix}${path}" role="search"
novalidate>
${field({ name: 'q', label: 'Name, ORCID iD or DOI', required: true }, { values, faults: [] })}
<div class="buttons"><button class="button button-quiet" type="submit">Find</button></div>
</form>`
}

function results(
  context: AccountContext,
  visit: MemberVisit,
  found: { readonly outcome: ClaimablePage; readonly asked: Asked; readonly state: FormState },
): Html {
  const { outcome, asked, state } = found
  const { works, nextCursor } = outcome
  if (works.length === 0) {
    return emptyState(
      'Nothing was found',
      'Try your family name alone, another spelling, words of a title, or the DOI of the work.',
    )
  }
  const { prefix } = context.pages
  const rows = works.map((each) => row(context, each, state))
  const list = html`<ul class="claimable" id="field-works">${rows}</ul>`
  const next = nextCursor === null ? '' : nextLink(context, visit, asked, nextCursor)
  if (works.every(isSaid)) return html`${list}${next}`
  const hidden = [['q', asked.typed] as const, ['cursor', asked.cursor] as const]
  const fields = html`${list}
${hidden.map(([name, value]) => (value === undefined ? '' : hiddenField(name, value)))}
${field({ ...messageField, label: 'A word to whoever registered them' }, state)}`
  const action = prefix + path
  return html`${form({ action, csrf: visit.csrf, fields, submit: 'Claim what is ticked' })}${next}`
}

function nextLink(
  context: AccountContext,
  visit: MemberVisit,
  { typed }: Asked,
  cursor: string,
): Html {
  const q = typed ?? authorOf(context, visit).name
  const href = `${context.pages.prefix}${path}?${new URLSearchParams({ q, cursor })}`
  return html`<nav class="pagination" aria-label="Pages"><a href="${href}" rel="next">More
works</a></nav>`
}

/** Whether a claim stands, so that there is nothing to tick. */
function isSaid({ claim }: ClaimableWork): boolean {
  return claim !== undefined && claim.status !== 'withdrawn'
}

function row({ baseUrl, pages }: AccountContext, found: ClaimableWork, state: FormState): Html {
  const { ark, work, claim, namesOrcid } = found
  const { ark_identifier: shown } = work
  const look = html`<a href="${baseUrl}/${shown}"><code>${shown}</code></a>`
  if (claim !== undefined && isSaid(found)) {
    const answer = `${pages.prefix}${worksPath}/${claim.claim_id}`
    return html`<li><div role="group" aria-label="${work.work_title}">
<p><strong dir="auto">${work.work_title}</strong></p>
<p class="hint" dir="auto">${where(found)}</p>
<p>${statusBadge(claim)} <a href="${answer}">Your claim</a> ${look}</p></div></li>`
  }
  const name = ticks + ark
  const tick = { name, label: work.work_title, hint: where(found) }
  const mark = namesOrcid ? badge('names your ORCID iD: counts at once', 'good') : ''
  return html`<li><div role="group" aria-label="${work.work_title}">${checkbox(tick, state)}
<div class="under-box">${placeField(placeName(ark), found, state, choicesMax)}
<p>${mark} ${look}</p></div></div></li>`
}

/** Who wrote a work, when and where, and who registered it, in one line. */
function where({ work, authors }: ClaimableWork): string {
  const named = authors.slice(0, namedMax).join('; ')
  const { published_date: published, container_title: container, registrant } = work
  return [
    authors.length > namedMax ? `${named} and ${authors.length - namedMax} more` : named,
    typeName(work.work_type),
    published?.slice(0, 4),
    container,
    registrant === undefined ? undefined : `registered by ${registrant}`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}
