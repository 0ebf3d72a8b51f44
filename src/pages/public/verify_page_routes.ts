import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { formatTimestamp } from '#actors/values/clock.ts'
import { trustedKeys } from '#src/use_cases/published_keys.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type FormBody, registerFormBody, textOf } from '#src/pages/kit/form_body.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import {
  verifyFormPath,
  type VerifyOutcome,
  verifyPage,
  verifyPath,
} from '#src/pages/public/verify_page.ts'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { readReceipt } from '#src/client/verify/receipt_form.js'

/** Bytes of a form with a receipt: those of a log with many witnesses have some ten thousand. */
const formBytesMax = 262_144

type VerifyEdge = Pick<RegistryEdge, 'count' | 'baseUrl' | 'environments' | 'accounts' | 'nowMs'>

/**
 * `GET /verify`, where a browser checks receipts by itself, and `POST /verify-receipt`, where this
 * registry does for those without scripts. Nothing that is sent is kept.
 */
export function registerVerifyPageRoutes(server: FastifyInstance, edge: VerifyEdge): void {
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      edge.count('verify', request, reply),
    schema: { hide: true },
  }
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

const contentHashForm = /^(?:sha256:)?([0-9a-f]{64})$/i

async function outcomeOf(form: FormBody, edge: VerifyEdge): Promise<VerifyOutcome> {
  const refused = (message: string) => ({ type: 'refused', message }) as const
  const text = textOf(form, 'receipt').trim() || textOf(form, 'file').trim()
  if (text === '') return refused('Choose the file of a receipt, or paste it')
  const value = parse(text)
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
  const now = formatTimestamp(edge.nowMs())
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

/** What JSON says; undefined for what is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
