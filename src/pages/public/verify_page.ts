import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { parseJson } from '#actors/values/serialization.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { landingStyle, publicStyle, verifyScript } from '#src/pages/kit/assets.ts'
import { type FormBody, registerFormBody, textOf } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { asLink, type Fact, facts, time } from '#src/pages/kit/parts.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { replyLanguage } from '#src/edge/reader_language.ts'
import { checks, frame, landing, verify } from '#src/words/english.ts'
import { inEnglish, jsonOf } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'
import { publishedKeys, trustedKeys } from '#src/use_cases/published_keys.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { isEvidenceFile, verifyEvidence } from '#src/client/verify/evidence.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { readReceipt } from '#src/client/verify/receipt_form.js'
import type { EvidenceReport, EvidenceStep, SignedStatement } from '#src/client/verify/types.ts'

/** Where receipts are checked by people. */
const verifyPath = '/verify'

/** The program by which evidence is checked elsewhere, in one file of Python. */
const readerPath = '/verify.py'
const reader = readFileSync(new URL('../../verify/python/verify.py', import.meta.url))

/** The texts of checks that browsers make, in the language of the reader. */
const scriptWordsPath = '/verify.json'

/** Where the form is sent without scripts; a page of accounts may be at the other path. */
const verifyFormPath = '/verify-receipt'

/** What a receipt or, with whose witnesses it has, evidence proves. */
type VerificationOutcome = Pick<
  EvidenceReport,
  'valid' | 'registered_on' | 'statement' | 'proven_time' | 'steps'
> &
  Partial<Pick<EvidenceReport, 'policy_source' | 'environment'>>

/** What was checked here for somebody without scripts, or why it was not. */
type VerifyOutcome =
  | { readonly type: 'asked' }
  | { readonly type: 'refused'; readonly message: Text }
  | {
      readonly type: 'checked'
      readonly report: VerificationOutcome
      readonly leafIndex: number
      readonly treeSize: number
    }

/** The page where a receipt or a file is dropped: in a browser with scripts nothing leaves it. */
function verifyPage(outcome: VerifyOutcome): PublicPage {
  return {
    title: verify.title,
    current: verifyPath,
    status: outcome.type === 'refused' ? 422 : 200,
    styles: [publicStyle, landingStyle],
    scripts: [verifyScript],
    body: html`<h1>${verify.title}</h1>
<p class="lead">${verify.lead} <span data-scripted>${verify.leadFile}</span></p>
${outcomePart(outcome)}
<form class="verify card" method="post" action="${verifyFormPath}" enctype="multipart/form-data">
<p class="field"><label for="verify-file">${verify.receipt({
      scripted: (words) => html`<span data-scripted>${words}</span>`,
    })}</label>
<span class="hint" data-scripted>${verify.receiptHint}</span>
<span class="hint" data-unscripted>${verify.unscriptedHint}</span>
<input type="file" id="verify-file" name="file"></p>
<p class="field"><label for="verify-text">${verify.paste}</label>
<textarea id="verify-text" name="receipt" rows="5" dir="ltr" spellcheck="false"></textarea></p>
<p class="field" data-unscripted><label for="verify-hash">${verify.contentHash}
<span class="optional">${frame.optional}</span></label>
<input id="verify-hash" name="content_hash" dir="ltr" autocomplete="off" spellcheck="false"></p>
<p><button class="button" type="submit">${verify.submit}</button></p></form>
<section class="verify-outcome" aria-label="${verify.result}" hidden>
<p class="verdict" role="status" hidden></p><p class="verify-about"></p>
<ol class="check-steps"></ol><div class="path"></div></section>
<p class="aside">${verify.aside({
      offline: asLink('/how-it-works'),
      reader: asLink(readerPath),
    })}</p>`,
  }
}

function outcomePart(outcome: VerifyOutcome): Html {
  switch (outcome.type) {
    case 'asked':
      return nothing
    case 'refused':
      return html`<div class="flash flash-error" role="alert"><p>${outcome.message}</p></div>`
    case 'checked':
      return checkedPart(outcome)
  }
}

/** What happened to the version: of what came before the statement it says the day alone. */
function timesOf(
  { statement, timestamp }: SignedStatement,
  registeredOn: string | undefined,
): readonly Fact[] {
  const at = time(timestamp, 'second')
  if (statement === 'registered') return [[verify.registered, at]]
  const later = statement === 'content' ? verify.contentConfirmed : verify.withdrawn
  return [
    [verify.registered, html`<time dir="ltr">${registeredOn}</time> (UTC), ${landing.asTold}`],
    [later, at],
  ]
}

/** What a step has found, by its code, and the reason for programs, which is English. */
function stepLine({ step, status, reason, code }: EvidenceStep): Html {
  const keys = [`why_${code}`, `${step}_${status}`, `other_${status}`]
  const [found] = keys.flatMap((key) => termOf(checks, key) ?? [])
  const title = checks.statusAndName({ status: checks[status], name: checks[`name_${step}`] })
  return html`<li class="check-step check-step-${status}">
<strong>${title}</strong> ${found}<details class="fold"><summary>${checks.details}</summary>
<p lang="en" dir="ltr">${reason}.</p></details></li>`
}

function checkedPart({
  report,
  leafIndex,
  treeSize,
}: Extract<VerifyOutcome, { type: 'checked' }>): Html {
  const { statement, steps, valid, policy_source: source, environment } = report
  const name = `${String(statement?.['ark'])}/v${String(statement?.['version'])}`
  const said =
    statement === undefined || !valid
      ? nothing
      : facts([
          [verify.work, html`<a href="/${name}">${name}</a>`],
          ...timesOf(statement, report.registered_on),
          [verify.inLog, verify.entryOf({ index: leafIndex, size: treeSize })],
        ])
  const verdict = valid ? verify.proven : checks.notProven
  const trial = environment === 'sandbox' ? checks.sandboxFile : nothing
  const whose =
    valid && source !== undefined ? html`<p>${checks[`source_${source}`]} ${trial}</p>` : nothing
  return html`<p class="verdict verdict-${valid ? 'done' : 'failed'}" role="status">${verdict}</p>
${whose}${said}<ol class="check-steps">${steps.map(stepLine)}</ol>`
}

const { statusAndName, provenRegistered, provenContent, provenWithdrawn, ...others } = checks
const { arkVersion, tooLarge, noWork, oneWork, moreWorks, logProven, ...further } = others
const { foundVersion, foundOn, foundNewer, foundWithdrawn, about, ...more } = further
const { drawing, drawnEntry, drawnRoot, ...constants } = more

const place = (name: string) => `{${name}}`
const inLog = { at: place('at'), entry: place('entry'), size: place('size') }
const day = { day: place('day') }
const named = { name: place('name') }

/** The texts of checks for scripts, in which values have places such as `{name}`. */
const scriptWords = jsonOf({
  ...constants,
  statusAndName: statusAndName({ status: place('status'), ...named }),
  provenRegistered: provenRegistered(inLog),
  provenContent: provenContent({ ...inLog, ...day }),
  provenWithdrawn: provenWithdrawn({ ...inLog, ...day }),
  about: about({ version: place('version') }),
  arkVersion: arkVersion({ ark: place('ark'), version: place('version') }),
  tooLarge: tooLarge(named),
  noWork: noWork({ ...named, hash: place('hash') }),
  oneWork: oneWork(named),
  moreWorks: moreWorks({ ...named, count: place('count') }),
  logProven: logProven({ proven: place('proven') }),
  drawing: drawing({ entry: place('entry'), size: place('size'), count: place('count') }),
  foundVersion: foundVersion({ version: place('version') }),
  foundOn: foundOn(day),
  foundNewer: foundNewer({ newest: place('newest') }),
  foundWithdrawn: foundWithdrawn(day),
  drawnEntry: drawnEntry({ entry: place('entry') }),
  drawnRoot: drawnRoot({ size: place('size') }),
})

/** Bytes of a form with a receipt: those of a log with many witnesses have some ten thousand. */
const formBytesMax = 262_144

type VerifyEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'nowMs'
>

/**
 * `GET /verify`, where a browser checks receipts by itself, `GET /verify.json`, the texts for that,
 * and `POST /verify-receipt`, where this registry does for those without scripts. Nothing that is
 * sent is kept.
 */
export function registerVerifyPageRoutes(server: FastifyInstance, edge: VerifyEdge): void {
  const options = pageOptions(edge, 'verify')
  server.get(readerPath, options, (_request, reply) => {
    reply.header('cache-control', 'public, max-age=3600')
    return reply.type('text/x-python; charset=utf-8').send(reader)
  })
  server.get(scriptWordsPath, options, (request, reply) => {
    reply.header('cache-control', 'no-cache')
    reply.type('application/json; charset=utf-8')
    return reply.send(scriptWords.text(replyLanguage(request, reply)))
  })
  const asked = { ...verifyPage({ type: 'asked' }), head: addressLinks(edge.baseUrl + verifyPath) }
  server.get(verifyPath, options, (_request, reply) => sendPublicPage(asked, reply, edge))
  server.register((scope, _options, done) => {
    registerFormBody(scope)
    scope.post(
      verifyFormPath,
      { ...options, bodyLimit: formBytesMax },
      async (request: FastifyRequest, reply) => {
        reply.header('cache-control', 'no-store')
        const form = (request.body ?? new Map()) as FormBody
        return sendPublicPage(verifyPage(await outcomeOf(form, edge)), reply, edge)
      },
    )
    done()
  })
}

/** What evidence proves by the keys that this registry publishes. */
async function evidenceOutcome(value: unknown, keys: unknown): Promise<VerifyOutcome> {
  const { receipt, ...report } = await verifyEvidence(value, { keys })
  const { leaf_index: leafIndex = 0, tree_size: treeSize = 0 } = receipt?.chainProof ?? {}
  return { type: 'checked', report, leafIndex, treeSize }
}

const contentHashForm = /^(?:sha256:)?([0-9a-f]{64})$/i

async function outcomeOf(form: FormBody, edge: VerifyEdge): Promise<VerifyOutcome> {
  const refused = (message: Text) => ({ type: 'refused', message }) as const
  const text = textOf(form, 'receipt').trim() || textOf(form, 'file').trim()
  if (text === '') return refused(verify.chooseFile)
  const value = parseJson(text)
  const now = formatTimestamp(edge.nowMs())
  if (isEvidenceFile(value)) {
    return evidenceOutcome(value, publishedKeys(edge.environments, edge.baseUrl, now))
  }
  const read = readReceipt(value)
  if (read.type === 'malformed') {
    return refused(verify.notReceipt({ reason: inEnglish(read.reasons[0] ?? '') }))
  }
  const typed = textOf(form, 'content_hash').trim()
  const [, digits] = contentHashForm.exec(typed) ?? []
  if (typed !== '' && digits === undefined) {
    return refused(verify.hashForm)
  }
  const { receipt } = read
  const keysOf = (name: 'live' | 'sandbox') =>
    trustedKeys(edge.environments, name, edge.baseUrl, now)
  const isTest = (await keysOf('sandbox')).receiptKeys.some(
    ({ publicKey }) => publicKey === receipt.signature.public_key,
  )
  const contentHash = digits && `sha256:${digits.toLowerCase()}`
  const evidence = contentHash === undefined ? {} : { contentHash }
  const keys = await keysOf(isTest ? 'sandbox' : 'live')
  const report = await verifyReceipt(value, keys, evidence)
  const { leaf_index: leafIndex, tree_size: treeSize } = receipt.chainProof
  return { type: 'checked', report, leafIndex, treeSize }
}
