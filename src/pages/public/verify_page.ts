import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { parseJson } from '#actors/values/serialization.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { landingStyle, publicStyle, verifyScript } from '#src/pages/kit/assets.ts'
import { type FormBody, registerFormBody, textOf } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { type Fact, facts, time } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { formatNumber, plural } from '#src/pages/kit/words.ts'
import { publishedKeys, trustedKeys } from '#src/use_cases/published_keys.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { isEvidenceFile, sourceText, verifyEvidence } from '#src/client/verify/evidence.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { readReceipt } from '#src/client/verify/receipt_form.js'
import type { EvidenceReport, EvidenceStep, SignedStatement } from '#src/client/verify/types.ts'

/** Where receipts are checked by people. */
const verifyPath = '/verify'

/** The program by which evidence is checked elsewhere, in one file of Python. */
const readerPath = '/verify.py'
const reader = readFileSync(new URL('../../verify/python/verify.py', import.meta.url))

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
  | { readonly type: 'refused'; readonly message: string }
  | {
      readonly type: 'checked'
      readonly report: VerificationOutcome
      readonly leafIndex: number
      readonly treeSize: number
    }

/** The page where a receipt or a file is dropped: in a browser with scripts nothing leaves it. */
function verifyPage(outcome: VerifyOutcome): PublicPage {
  return {
    title: 'Verify a receipt or a file',
    current: verifyPath,
    status: outcome.type === 'refused' ? 422 : 200,
    styles: [publicStyle, landingStyle],
    scripts: [verifyScript],
    body: html`<h1>Verify a receipt or a file</h1>
<p class="lead">A receipt proves what was registered, and when; evidence is a receipt with
all that is needed to check it. Give one here, with your copy of the
content if you have one, and see what it proves. <span data-scripted hidden>Of a file alone you are
told which work it is the content of: only its hash is sent.</span></p>
${outcomePart(outcome)}
<form class="verify card" method="post" action="${verifyFormPath}" enctype="multipart/form-data">
<p class="field"><label for="verify-file">Receipt <span data-scripted hidden>and your copy of the
content</span></label>
<span class="hint" data-scripted hidden>Choose both, or drop them anywhere on this page. They stay
on your device.</span>
<span class="hint" data-unscripted>Without scripts this registry checks the receipt for you.</span>
<input type="file" id="verify-file" name="file"></p>
<p class="field"><label for="verify-text">Or paste the receipt</label>
<textarea id="verify-text" name="receipt" rows="5" spellcheck="false"></textarea></p>
<p class="field" data-unscripted><label for="verify-hash">SHA-256 of your copy of the content
<span class="optional">(optional)</span></label>
<input id="verify-hash" name="content_hash" autocomplete="off" spellcheck="false"></p>
<p><button class="button" type="submit">Verify</button></p></form>
<section class="verify-outcome" aria-label="What it proves" hidden>
<p class="verdict" role="status" hidden></p><p class="verify-about"></p>
<ol class="check-steps"></ol><div class="path"></div></section>
<p class="aside">Keys that come from this site prove only that everything here fits together. To
depend on nothing that it says today, <a href="/how-it-works">check offline</a>, against keys that
you saved before: evidence with <a href="${readerPath}">a program of one file</a> that needs Python
alone. The receipt of a work is on its page.</p>`,
  }
}

function outcomePart(outcome: VerifyOutcome): Html {
  switch (outcome.type) {
    case 'asked':
      return nothing
    case 'refused':
      return html`<div class="flash flash-error" role="alert"><p>${outcome.message}.</p></div>`
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
  if (statement === 'registered') return [['Registered', at]]
  const later = statement === 'content' ? 'Content confirmed' : 'Withdrawn'
  return [
    ['Registered', html`<time>${registeredOn}</time> (UTC)`],
    [later, at],
  ]
}

const words = { done: 'Right', failed: 'Wrong', not_checked: 'Not checked' } as const

const stepNames: Readonly<Record<EvidenceStep['step'], string>> = {
  form: 'The form of the receipt',
  receipt_key: 'The key',
  signature: 'The signature',
  entry: 'The entry',
  leaf_hash: 'The hash of the entry',
  inclusion: 'The place in the log',
  tree_head: 'The size of the log',
  checkpoint: 'The log’s own signature',
  witnesses: 'The signatures of witnesses',
  time: 'The time',
  content_hash: 'Your copy of the content',
  metadata_hash: 'The metadata',
  fixity_status: 'The state of the content',
  keys: 'The keys',
  policy: 'The policy of witnesses',
  newest: 'The newest checkpoint',
  map_proof: 'The newest version',
}

function checkedPart({
  report,
  leafIndex,
  treeSize,
}: Extract<VerifyOutcome, { type: 'checked' }>): Html {
  const { statement, steps, valid, policy_source, environment } = report
  const lines = steps.map(
    ({ step, status, reason }) => html`<li class="check-step check-step-${status}">
<strong>${words[status]}: ${stepNames[step]}</strong> – ${reason}.</li>`,
  )
  const name = `${String(statement?.['ark'])}/v${String(statement?.['version'])}`
  const entries = plural(treeSize, 'entry', 'entries')
  const said =
    statement === undefined || !valid
      ? nothing
      : facts([
          ['Work', html`<a href="/${name}">${name}</a>`],
          ...timesOf(statement, report.registered_on),
          ['In the log', `entry ${formatNumber(leafIndex)} in a log of ${entries}`],
        ])
  const verdict = valid
    ? 'Proven: this registry signed exactly this receipt, and its log has it.'
    : 'Not proven: something here is wrong. Do not rely on it.'
  const whose =
    valid && policy_source !== undefined
      ? html`<p>In it, ${sourceText({ policy_source, environment })}.</p>`
      : nothing
  return html`<p class="verdict verdict-${valid ? 'done' : 'failed'}" role="status">${verdict}</p>
${whose}${said}<ol class="check-steps">${lines}</ol>`
}

/** Bytes of a form with a receipt: those of a log with many witnesses have some ten thousand. */
const formBytesMax = 262_144

type VerifyEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'nowMs'
>

/**
 * `GET /verify`, where a browser checks receipts by itself, and `POST /verify-receipt`, where this
 * registry does for those without scripts. Nothing that is sent is kept.
 */
export function registerVerifyPageRoutes(server: FastifyInstance, edge: VerifyEdge): void {
  const options = pageOptions(edge, 'verify')
  server.get(readerPath, options, (_request, reply) => {
    reply.header('cache-control', 'public, max-age=3600')
    return reply.type('text/x-python; charset=utf-8').send(reader)
  })
  server.get(verifyPath, options, (_request, reply) =>
    sendPublicPage(verifyPage({ type: 'asked' }), reply, edge),
  )
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
  const refused = (message: string) => ({ type: 'refused', message }) as const
  const text = textOf(form, 'receipt').trim() || textOf(form, 'file').trim()
  if (text === '') return refused('Choose the file of a receipt, or paste it')
  const value = parseJson(text)
  const now = formatTimestamp(edge.nowMs())
  if (isEvidenceFile(value)) {
    return evidenceOutcome(value, publishedKeys(edge.environments, edge.baseUrl, now))
  }
  const read = readReceipt(value)
  if (read.type === 'malformed') {
    return refused(`This is not a receipt: ${read.reasons[0] ?? 'it has another form'}`)
  }
  const typed = textOf(form, 'content_hash').trim()
  const [, digits] = contentHashForm.exec(typed) ?? []
  if (typed !== '' && digits === undefined) {
    return refused('The SHA-256 of the content has 64 hexadecimal digits')
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
