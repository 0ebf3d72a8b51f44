import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Owner } from '#actors/values/agent.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { readEmail } from '#src/identity/accounts/account.ts'
import {
  emptyForm,
  faultSummary,
  field,
  type FormBody,
  type FormState,
  hiddenField,
  type PageFault,
  registerFormBody,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { noIndex } from '#src/pages/public/landing/head_tags.ts'
import { reportPath, strong } from '#src/pages/public/landing/work_parts.ts'
import { summarizeWork } from '#src/use_cases/listed_works.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { lookUpShownWork } from '#src/use_cases/work_lookup.ts'
import { report } from '#src/words/english.ts'
import { english } from '#src/words/language.ts'

const kinds = ['metadata', 'content', 'duplicate', 'rights', 'person', 'other'] as const

const messageCharactersMax = 2_000

/** Reports of a day that a registrant is told of, about one work and in all. */
const dayMs = 86_400_000
const ofWorkMax = 5
const ofOwnerMax = 50

type ReportEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'suspensions' | 'accounts' | 'oauth' | 'nowMs'
>

/** A work that is reported: `ark` is `naan/name`. */
type ReportedWork = { readonly ark: string; readonly title: string; readonly owner: Owner }

/**
 * `GET /report?ark=…` and `POST /report`: a reader without an account tells the registrant of a
 * work what is wrong with it. The report stands in the registrant's audit list and goes to them by
 * mail; how many there are is limited by address, by work and by registrant.
 */
export function registerReportPageRoutes(server: FastifyInstance, edge: ReportEdge): void {
  server.get(reportPath, pageOptions(edge, 'pages'), async (request, reply) => {
    const { ark = '' } = request.query as { readonly ark?: string | string[] }
    const work = await readWork(request, String(ark), edge)
    return sendPublicPage(formPage(work, emptyForm, edge), reply, edge)
  })
  server.register((scope, _options, done) => {
    registerFormBody(scope)
    scope.post(reportPath, pageOptions(edge, 'reports'), async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (request.headers['sec-fetch-site'] === 'cross-site') {
        throw new HttpError('forbidden', 'Send the form from its own page')
      }
      const form = (request.body ?? new Map()) as FormBody
      const work = await readWork(request, textOf(form, 'ark'), edge)
      const fault = await send(form, work, readerLanguage(request).tag, edge)
      const page =
        fault === undefined
          ? sentPage(work)
          : formPage(work, { values: form, faults: [fault] }, edge)
      return sendPublicPage(page, reply, edge)
    })
    done()
  })
}

/** HttpErrors `malformed_ark`, `withheld`; `not_found` for what is not here, or is erased. */
async function readWork(
  { ip }: FastifyRequest,
  asked: string,
  edge: ReportEdge,
): Promise<ReportedWork> {
  const reader = { kind: 'anonymous', ip } as const
  const { environment, ark } = lookUpShownWork(edge, reader, asked)
  const { catalogue } = environment
  const [work, state] = [await summarizeWork(catalogue, ark), catalogue.state(ark)]
  const title = work?.work_title ?? undefined
  if (environment.name !== 'live' || state === undefined || title === undefined) {
    throw new HttpError('not_found', `There is no ark:/${ark} that can be reported`)
  }
  return { ark, title, owner: state.owner }
}

/** Writes a report; gives what is wrong with it, or why it cannot be taken now. */
async function send(
  form: FormBody,
  { ark, owner }: ReportedWork,
  language: string,
  { accounts: { reports }, oauth: { audit }, nowMs }: ReportEdge,
): Promise<PageFault | undefined> {
  const message = textOf(form, 'message').trim()
  const kind = kinds.find((each) => each === textOf(form, 'kind'))
  if (kind === undefined) return faultOf('kind', report.kindNeeded)
  if (message === '' || message.length > messageCharactersMax) {
    return faultOf('message', report.messageNeeded)
  }
  const typed = textOf(form, 'email').trim()
  const email = readEmail(typed)
  if (typed !== '' && email === undefined) return faultOf('email', report.emailWrong)
  const because = `${report[`kind_${kind}`].text(english)}: ${message}`
  const now = nowMs()
  const today = await reports.newest(owner, { sinceMs: now - dayMs, limit: ofOwnerMax })
  const ofWork = today.filter((entry) => entry.ark === ark)
  // Whoever sends a form twice has sent one report.
  if (ofWork.some((entry) => entry.because === because)) return undefined
  if (ofWork.length >= ofWorkMax || today.length >= ofOwnerMax) {
    return faultOf('message', report.tooMany)
  }
  const reader = email !== undefined && { reader: { email, language } }
  await reports.add(owner, { ark, because, ...reader }, audit, now)
  return undefined
}

function faultOf(name: string, text: NonNullable<PageFault['text']>): PageFault {
  return { field: name, code: 'invalid', message: '', text }
}

function workLink({ ark, title }: ReportedWork): Html {
  return html`<a href="/ark:/${ark}" dir="auto">${title}</a>`
}

function formPage(work: ReportedWork, state: FormState, { accounts }: ReportEdge): PublicPage {
  const email = {
    name: 'email',
    label: report.email,
    hint: report.emailHint,
    type: 'email',
  } as const
  const options = kinds.map((kind) => ({ value: kind, label: report[`kind_${kind}`] }))
  const owner = html`<bdi>${work.owner.name}</bdi>`
  return {
    title: report.title,
    head: noIndex,
    ...(state.faults.length > 0 && { status: 422 }),
    body: html`<h1>${report.title}</h1>
<p class="lead">${workLink(work)}</p>
<p>${report.lead({ owner, strong })}</p>
${faultSummary(state)}
<div class="card"><form class="form" method="post" action="${reportPath}" novalidate>
${hiddenField('ark', `ark:/${work.ark}`)}
${selectField({ name: 'kind', label: report.kind, options }, state)}
${field(
  {
    name: 'message',
    label: report.message,
    hint: report.kept,
    type: 'textarea',
    required: true,
    maxLength: messageCharactersMax,
  },
  state,
)}
${accounts.mail.isOn ? field({ ...email, autocomplete: 'email' }, state) : ''}
<div class="buttons"><button class="button" type="submit">${report.send}</button></div>
</form></div>`,
  }
}

function sentPage(work: ReportedWork): PublicPage {
  const owner = html`<bdi>${work.owner.name}</bdi>`
  return {
    title: report.sent,
    head: noIndex,
    body: html`<h1>${report.sent}</h1>
<p class="lead">${workLink(work)}</p>
<p role="status">${report.sentText({ owner })}</p>`,
  }
}
