import type { FastifyInstance } from 'fastify'

import type { Metadata } from '#actors/works/metadata.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { HttpError } from '#src/edge/errors.ts'
import { integerParameter, readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { card, type Fact, facts, time } from '#src/pages/kit/parts.ts'
import { type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { WordDifferences } from '#src/pages/kit/word_difference.ts'
import { noIndex } from '#src/pages/public/landing/head_tags.ts'
import { versionsPath } from '#src/pages/public/landing/history.ts'
import { comparison, landing } from '#src/words/english.ts'
import { fieldName } from '#src/discovery/feeds/field_names.ts'
import { capitalized, joined } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'
import type { TombstoneReply, WorkReply } from '#src/use_cases/landing_record.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { lookUpShownWork, type WorkLookup } from '#src/use_cases/work_lookup.ts'

type ComparedVersions = { readonly from: WorkReply; readonly to: WorkReply }

function versionComparisonPage({ from, to }: ComparedVersions): PublicPage {
  const fields = fieldsOf(from.metadata, to.metadata)
  const changed = fields.filter((field) => differs(from.metadata, to.metadata, field))
  const same = fields.length - changed.length
  const title = comparison.title({ from: from.version, to: to.version })
  const differences = new WordDifferences()
  const rows = changed.map((field): Fact => {
    const shown = differences.between(
      textOfField(from.metadata[field]),
      textOfField(to.metadata[field]),
    )
    return [capitalized(fieldName(field)), html`<div class="difference" dir="auto">${shown}</div>`]
  })
  return {
    title: joined([title, to.metadata.work_title], ' · '),
    head: noIndex,
    wide: true,
    body: html`<h1>${title}</h1>
<p class="lead">${comparison.of({
      title: html`<a href="/${to.ark}" dir="auto">${to.metadata.work_title}</a>`,
    })}</p>
${facts([versionFact(from), versionFact(to)])}
${
  changed.length === 0
    ? html`<p>${comparison.same}</p>`
    : html`<p>${comparison.marks} ${same === 0 ? '' : comparison.unchanged({ count: same })}</p>
${card(comparison.changed, facts(rows))}`
}
${chooser({ from, to })}`,
  }
}

function versionFact({ ark, version, registered_at: at }: WorkReply): Fact {
  const registered = landing.registeredOn({ time: time(at) })
  return [
    landing.version({ number: version }),
    html`<a href="/${ark}/v${version}">${registered}</a>`,
  ]
}

function fieldsOf(one: Metadata, other: Metadata): readonly (keyof Metadata)[] {
  return Object.keys({ ...one, ...other }) as (keyof Metadata)[]
}

function differs(one: Metadata, other: Metadata, field: keyof Metadata): boolean {
  return JSON.stringify(one[field]) !== JSON.stringify(other[field])
}

function chooser({ from, to }: ComparedVersions): Html {
  const newest = to.latest_version
  if (newest <= 2) return html``
  const number = (name: string, label: Text, value: number) =>
    html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="number" min="1" max="${newest}"
value="${value}" required></div>`
  return card(
    comparison.others,
    html`<form method="get" action="${versionsPath}">
<input type="hidden" name="ark" value="${to.ark}">
${number('from', comparison.older, from.version)}
${number('to', comparison.newer({ newest }), to.version)}
<button class="button button-quiet" type="submit">${landing.compare}</button></form>`,
  )
}

const versionBounds = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

const parameters = {
  ark: textParameter('The ARK of the work.', /^ark:.{1,200}$/i, 'the ARK of a work'),
  from: integerParameter('The older version.', versionBounds),
  to: integerParameter('The newer version.', versionBounds),
}

type ComparisonEdge = Pick<
  RegistryEdge,
  'admit' | 'takeTurn' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'suspensions'
>

/** `GET /versions?ark=…&from=…&to=…`: what two versions of a work say, side by side. */
export function registerVersionComparisonRoute(
  server: FastifyInstance,
  edge: ComparisonEdge,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, parameters),
    schema: { hide: true },
  }
  server.get(versionsPath, options, async (request, reply) => {
    const { ark, from, to } = readPageQuery(request, parameters)
    if (ark === undefined || from === undefined || to === undefined) {
      throw new HttpError('bad_request', 'Say which work (ark) and which versions (from, to)')
    }
    const work = lookUpShownWork(edge, request.caller, ark)
    if (work.environment.name === 'sandbox') markSandbox(reply)
    const page = await edge.takeTurn(reply, async () =>
      versionComparisonPage({
        from: await readVersion(work, Math.min(from, to)),
        to: await readVersion(work, Math.max(from, to)),
      }),
    )
    return sendPublicPage(page, reply, edge)
  })
}

async function readVersion(
  { environment, ark, requested }: WorkLookup,
  version: number,
): Promise<WorkReply> {
  const found = await environment.catalogue.resolve(ark, requested, version)
  if (found.type === 'not_found') {
    throw new HttpError('not_found', `The work ark:/${ark} has no version ${version}`)
  }
  const reply = JSON.parse(Buffer.from(found.body).toString('utf8')) as WorkReply | TombstoneReply
  if (reply.metadata !== undefined) return reply
  throw new HttpError('gone', 'Nothing is left of what this work said: its metadata was erased')
}

// What people read first of an item; the other members follow in their own order.
const leading = [
  'kind',
  'role',
  'relation',
  'type',
  'title',
  'name',
  'given',
  'family',
  'suffix',
  'funder',
  'subject',
  'description',
  'date',
  'identifier',
  'value',
]

/** The value of a field of a work as people read it: of a list, an item a line. */
function textOfField(value: unknown): string {
  if (!Array.isArray(value)) return textOfValue(value)
  return value.map(textOfValue).join('\n')
}

function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOfValue).join('; ')
  if (typeof value === 'object') return textOfItem(value as Readonly<Record<string, unknown>>)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function textOfItem(item: Readonly<Record<string, unknown>>): string {
  const known = leading.filter((name) => item[name] !== undefined)
  const others = Object.keys(item).filter((name) => !leading.includes(name))
  return [...known, ...others].map((name) => textOfMember(name, item)).join(', ')
}

// A number or a yes says nothing without the name of what it is of; nor does a text with members.
function textOfMember(name: string, item: Readonly<Record<string, unknown>>): string {
  const value = item[name]
  if (name === 'name' && item['given'] !== undefined) return textOfValue(value)
  const text = textOfValue(value)
  if (typeof value === 'string') return isWord(name) ? text.replaceAll('_', ' ') : text
  return `${name.replaceAll('_', ' ')} ${text}`
}

function isWord(name: string): boolean {
  return ['kind', 'role', 'type', 'applies_to', 'name_type', 'right', 'direction'].includes(name)
}
