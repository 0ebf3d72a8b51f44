import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { ownedBy } from '#actors/registry/catalogue/representation.ts'
import type { Ark } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import type { Evidence, Step, StepName, VerificationReport } from '#src/client/verify/types.ts'
import { isFetcherUserAgent } from '#src/delivery/fetch/content_fetcher.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { whenItsTurn } from '#src/edge/turns.ts'
import type { Use } from '#src/edge/uses.ts'
import type { ResolutionBody } from '#src/discovery/formats/resolution.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import {
  arkIdentifier,
  linksSchema,
  noticesSchema,
  version as workVersion,
  versionOfPath,
  type VersionRoute,
  workStatus,
} from '#src/http/kit/works.ts'
import { trustedKeys } from '#src/use_cases/published_keys.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingVersion, type VersionLookup } from '#src/use_cases/work_lookup.ts'

type VerificationEdge = Pick<
  RegistryEdge,
  'admit' | 'takeTurn' | 'baseUrl' | 'environments' | 'contentReader' | 'nowMs' | 'writeWork'
>

/** Versions that one reply names of those whose content has a hash. */
const namedVersionsMax = 20

type ContentRequest = FastifyRequest<{ Params: { readonly sha256: string } }>

async function findContent(edge: VerificationEdge, request: ContentRequest, reply: FastifyReply) {
  const digest = request.params.sha256.toLowerCase().replace(/^sha256:/, '')
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    const message = 'must be 64 hex digits, or sha256: and those'
    throw invalidInput('The hash cannot be read', [{ field: 'sha256', code: 'bad_value', message }])
  }
  const contentHash = `sha256:${digest}`
  for (const environment of environmentsOf(edge, request)) {
    const found = await environment.catalogue.withContent(contentHash, namedVersionsMax + 1)
    if (found.length === 0) continue
    if (environment.name === 'sandbox') markSandbox(reply)
    const versions = []
    for (const { ark, version } of found.slice(0, namedVersionsMax)) {
      const resolved = await environment.catalogue.resolve(
        ark,
        ark,
        version,
        whenItsTurn(edge, reply),
      )
      if (resolved.type === 'found') versions.push(foundVersion(resolved.body, version))
    }
    return {
      content_hash: contentHash,
      environment: environment.name,
      versions,
      is_complete: found.length <= namedVersionsMax,
    }
  }
  return { content_hash: contentHash, environment: null, versions: [], is_complete: true }
}

/** The environments that are searched: that of the key, or the live one first. */
function environmentsOf({ environments }: VerificationEdge, { caller }: FastifyRequest) {
  const { live, sandbox } = environments
  return caller.kind === 'anonymous' ? [live, sandbox] : [environments[caller.environment]]
}

/** What is said of a version, from its resolution or from what is left of a withdrawn work. */
function foundVersion(body: Uint8Array, version: number) {
  const work = JSON.parse(Buffer.from(body).toString('utf8')) as ResolutionBody
  const { ark, status, latest_version: latest, registered_at, withdrawn_at, reason } = work
  return {
    ark_identifier: ark,
    version,
    latest_version: latest ?? work.version,
    is_latest: version === (latest ?? work.version),
    status,
    work_title: work.metadata?.work_title ?? null,
    registered_at: registered_at ?? null,
    ...(work.notices !== undefined && { notices: work.notices }),
    ...(status === 'withdrawn' && { withdrawn_at, withdrawal_reason: reason }),
    links: work.links,
  }
}

/** A registry that fetched a verification, which fetches in turn, could go on so for ever. */
function refuseFetchers({ headers }: FastifyRequest): void {
  if (!isFetcherUserAgent(headers['user-agent'])) return
  throw new HttpError('loop_detected', 'A registry that fetches content cannot ask for this')
}

/** Finds a receipt by its id: a key looks in its own environment, without one both are searched. */
function findReceipt(
  edge: VerificationEdge,
  request: FastifyRequest,
  receiptId: string,
): VersionLookup {
  for (const environment of environmentsOf(edge, request)) {
    const found = environment.catalogue.findReceipt(receiptId)
    if (found === undefined) continue
    const { ark, version } = found
    return { environment, ark: ark as Ark, requested: `ark:/${ark}`, version }
  }
  throw new HttpError('not_found', `There is no receipt ${receiptId}`)
}

/** A receipt as the catalogue gives it, of which the content hash is read here. */
type Receipt = { readonly content_hash: string | null }

async function readReceipt(named: VersionLookup): Promise<Receipt> {
  const { environment, ark, version } = named
  const { body } = existingVersion(named, await environment.catalogue.receipt(ark, version))
  return JSON.parse(Buffer.from(body).toString('utf8')) as Receipt
}

/** A hash of a caller, to be held against that of a receipt, if it has one yet. */
function comparedWith({ content_hash }: Receipt, contentHash?: string): Evidence {
  if (content_hash !== null && contentHash !== undefined) return { contentHash }
  return { noContent: 'the statement names no content yet, so there is nothing to compare' }
}

/** Reads what the version's own address serves now; no caller has a say in the address. */
async function readContent(
  edge: VerificationEdge,
  named: VersionLookup,
  reply: FastifyReply,
): Promise<Evidence> {
  const { environment, ark, requested, version } = named
  const whenLong = whenItsTurn(edge, reply)
  const found = await environment.catalogue.resolve(ark, requested, version, whenLong)
  const { body: resolution } = existingVersion(named, found)
  const place = { baseUrl: edge.baseUrl, isPinned: true, registrant: undefined }
  const wanted = { name: 'none' } as const
  const { contentUrl } = await edge.writeWork({ resolution, place, wanted })
  if (contentUrl === undefined) {
    return { noContent: 'the work was withdrawn: its content is not read' }
  }
  const reading = await edge.contentReader.read(contentUrl, reply.standAside())
  if (reading.type === 'not_read') return { noContent: reading.reason }
  return { contentHash: reading.contentHash }
}

function verificationOf({ environment, ark }: VersionLookup): readonly Use[] {
  const state = environment.catalogue.state(ark)
  const organization = state && ownedBy(state).organization
  return [{ environment: environment.name, ark, organization, kind: 'verifications' }]
}

// The server checks its own receipt with the code and the published keys that strangers use.
async function verify(
  edge: VerificationEdge,
  { environment }: VersionLookup,
  receipt: Receipt,
  evidence: Evidence,
): Promise<VerificationResult> {
  const now = formatTimestamp(edge.nowMs())
  const keys = await trustedKeys(edge.environments, environment.name, edge.baseUrl, now)
  return verificationResult(await verifyReceipt(receipt, keys, evidence), now)
}

/** Fields of the bodies that ask for a verification, each with its form in words. */
const fields = {
  receipt_id: {
    pattern: /^rcpt_[0-9]{4}_[0-9]{2}_[0-9]{2}_[0-9a-z]{12}$/,
    right: 'of the form rcpt_<yyyy>_<mm>_<dd>_<12 characters>',
  },
  content_hash: {
    pattern: /^sha256:[0-9a-f]{64}$/,
    right: 'sha256: and 64 lower-case hex digits',
  },
} as const

type FieldName = keyof typeof fields

const receiptId = Type.String({ pattern: fields.receipt_id.pattern.source })
const contentHash = Type.String({ pattern: fields.content_hash.pattern.source })

/** Describes the body of a verification by receipt id, and of one by version. */
const receiptVerificationSchema = component(
  'ReceiptVerification',
  { receipt_id: receiptId, content_hash: contentHash },
  { additionalProperties: false },
)
const versionVerificationSchema = component(
  'VersionVerification',
  { content_hash: Type.Optional(contentHash) },
  { additionalProperties: false },
)

/**
 * Reads a body with the required and the optional fields given. Throws HttpError
 * `validation_failed` with all faults at once; no body counts as `{}`.
 */
function readVerificationBody<R extends FieldName, O extends FieldName>(
  body: unknown,
  required: readonly R[],
  optional: readonly O[],
): Readonly<Record<R, string> & Partial<Record<O, string>>> {
  const value = body ?? {}
  const isObject = typeof value === 'object' && !Array.isArray(value)
  if (!isObject)
    throw invalidInput('The body is not as it should be', [
      { field: '', code: 'bad_type', message: 'The body must be an object' },
    ])
  const known: readonly string[] = [...required, ...optional]
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  const faults = [
    ...unknown.map((field) => ({
      field,
      code: 'unknown_field',
      message: `${field} is not a field`,
    })),
    ...known.flatMap((name) => fieldFaults(name as FieldName, value, required)),
  ]
  if (faults.length > 0) throw invalidInput('The body is not as it should be', faults)
  return value as Record<R, string> & Partial<Record<O, string>>
}

function fieldFaults(
  field: FieldName,
  value: object,
  required: readonly FieldName[],
): FieldFault[] {
  const given: unknown = (value as Record<string, unknown>)[field]
  if (given === undefined) {
    if (!required.includes(field)) return []
    return [{ field, code: 'required', message: `${field} is required` }]
  }
  const { pattern, right } = fields[field]
  if (typeof given === 'string' && pattern.test(given)) return []
  return [{ field, code: 'bad_value', message: `${field} must be ${right}` }]
}

const foundContentReply = component('FoundContent', {
  content_hash: contentHash,
  environment: nullable(
    wordOf('EnvironmentName', ['live', 'sandbox']),
    'Where it was found; null if it was not.',
  ),
  versions: Type.Array(
    component('FoundVersion', {
      ark_identifier: arkIdentifier,
      version: workVersion,
      latest_version: workVersion,
      is_latest: Type.Boolean(),
      status: workStatus,
      work_title: nullable(Type.String(), 'Null once the metadata was erased.'),
      registered_at: nullable(time, 'When this version was registered; null once it was erased.'),
      withdrawn_at: Type.Optional(time),
      withdrawal_reason: Type.Optional(Type.String()),
      notices: noticesSchema,
      links: linksSchema,
    }),
    { description: 'In no order that means anything; empty if no version has this content.' },
  ),
  is_complete: Type.Boolean({ description: 'Whether there are no more versions than these.' }),
})

const findingSchema = wordOf('Finding', ['signature_valid', 'content_match', 'chain_verified'])

/** Answer of the verification endpoints: what was found, and what was not looked at. */
export const verificationReply = component('VerificationResult', {
  valid: Type.Boolean({ description: 'Whether the three findings are all true.' }),
  verified_at: Type.String({ format: 'date-time' }),
  signature_valid: Type.Boolean({
    description: 'Whether a published receipt key signed exactly this statement.',
  }),
  content_match: Type.Boolean({
    description: 'Whether the content has the hash that the statement names.',
  }),
  chain_verified: Type.Boolean({
    description: 'Whether the statement is proven to be in the log that its checkpoint signs.',
  }),
  witnessed: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether the checkpoint of the receipt carries the cosignatures that the published policy ' +
      'demands; null if the log has no witnesses. A receipt is valid without them too.',
  }),
  not_checked: Type.Array(findingSchema, {
    description: 'Findings that are false because they could not be checked.',
  }),
  error: Type.Union(
    [
      wordOf('VerificationError', [
        'signature_invalid',
        'content_mismatch',
        'chain_invalid',
        'not_checked',
      ]),
      Type.Null(),
    ],
    {
      description:
        'What a receipt that is not valid comes down to: something was changed or is not ours, ' +
        'or nothing speaks against it but it could not be checked to the end (`not_checked`).',
    },
  ),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the receipt is not valid; null if it is.',
  }),
})

export type VerificationResult = Static<typeof verificationReply>

type Finding = Static<typeof findingSchema>

const findings = {
  signature_valid: ['form', 'receipt_key', 'signature'],
  content_match: ['content_hash'],
  chain_verified: ['entry', 'leaf_hash', 'inclusion', 'tree_head', 'checkpoint', 'time'],
} as const satisfies Record<Finding, readonly StepName[]>

const failures = {
  signature_valid: 'signature_invalid',
  content_match: 'content_mismatch',
  chain_verified: 'chain_invalid',
} as const satisfies Record<Finding, VerificationResult['error']>

const findingNames = Object.keys(findings) as readonly Finding[]

/**
 * Sums a verification report up. A finding is true if all its steps were done; `valid` if all are
 * true. `verifiedAt` is a time as receipts spell it.
 */
export function verificationResult(
  { steps }: VerificationReport,
  verifiedAt: string,
): VerificationResult {
  // Without witnesses nothing speaks for or against the time.
  const judged = steps.filter(({ step, status }) => step !== 'time' || status === 'failed')
  const stepsOf = (finding: Finding): Step[] => {
    const names: readonly StepName[] = findings[finding]
    return judged.filter(({ step }) => names.includes(step))
  }
  const isTrue = (finding: Finding) => stepsOf(finding).every(({ status }) => status === 'done')
  const isWrong = ({ status }: Step) => status === 'failed'
  const failure = findingNames.find((finding) => stepsOf(finding).some(isWrong))
  const failed = findingNames.flatMap(stepsOf).find(isWrong)
  const skipped = findingNames.flatMap(stepsOf).find(({ status }) => status === 'not_checked')
  return {
    valid: findingNames.every(isTrue),
    verified_at: verifiedAt,
    signature_valid: isTrue('signature_valid'),
    content_match: isTrue('content_match'),
    chain_verified: isTrue('chain_verified'),
    witnessed: wasWitnessed(steps),
    not_checked: findingNames.filter((finding) =>
      stepsOf(finding).some(({ status }) => status === 'not_checked'),
    ),
    error: errorOf(failure, skipped),
    reason: (failed ?? skipped)?.reason ?? null,
  }
}

function wasWitnessed(steps: readonly Step[]): boolean | null {
  const status = steps.find(({ step }) => step === 'witnesses')?.status
  return status === undefined || status === 'not_checked' ? null : status === 'done'
}

function errorOf(failure: Finding | undefined, skipped: Step | undefined) {
  if (failure !== undefined) return failures[failure]
  return skipped === undefined ? null : 'not_checked'
}

const byReceipt: Route<VerificationEdge> = {
  method: 'POST',
  path: '/receipts/verify',
  demands: { type: 'public', limit: 'verify', keyLimit: 'receipts' },
  operationId: 'verifyReceipt',
  summary: 'Verifies a receipt and the hash of its content.',
  description: 'Nothing is fetched: `content_hash` is compared with the one in the receipt.',
  body: receiptVerificationSchema,
  isCheckedByRules: true,
  response: { 200: verificationReply },
  async handle(edge, request, reply) {
    refuseFetchers(request)
    const body = readVerificationBody(request.body, ['receipt_id', 'content_hash'], [])
    const named = findReceipt(edge, request, body.receipt_id)
    if (named.environment.name === 'sandbox') markSandbox(reply)
    const receipt = await readReceipt(named)
    reply.uses = verificationOf(named)
    return verify(edge, named, receipt, comparedWith(receipt, body.content_hash))
  },
}

const byVersion: Route<VerificationEdge, VersionRoute['Params']> = {
  method: 'POST',
  path: '/receipts/:ark/v:version/verify',
  demands: { right: 'verify receipts', limit: 'receipts' },
  operationId: 'verifyVersion',
  isBodyOptional: true,
  summary: 'Verifies the receipt of a version, and that its address serves the same content.',
  description: `
Without a \`content_hash\` the content is fetched now, from the address in the metadata, and hashed:
within limits, and not at all while many are being read. What was not read is \`not_checked\`, and
\`reason\` says why. With a \`content_hash\` nothing is fetched.`,
  body: versionVerificationSchema,
  isCheckedByRules: true,
  response: { 200: verificationReply },
  async handle(edge, request, reply) {
    refuseFetchers(request)
    const { content_hash: given } = readVerificationBody(request.body, [], ['content_hash'])
    const named = versionOfPath(edge.environments, request, reply)
    const receipt = await readReceipt(named)
    reply.uses = verificationOf(named)
    const isFetched = given === undefined && receipt.content_hash !== null
    const evidence = isFetched
      ? await readContent(edge, named, reply)
      : comparedWith(receipt, given)
    return verify(edge, named, receipt, evidence)
  },
}

const byContent: Route<VerificationEdge, { readonly sha256: string }> = {
  method: 'GET',
  path: '/content/:sha256',
  demands: { type: 'public', limit: 'public_read', keyLimit: 'receipts' },
  operationId: 'findContent',
  publicOperationId: 'findPublicContent',
  summary: 'Finds the versions whose content has a hash.',
  description:
    'Which work a file is of, without the file: hash it, and ask with the hash. Versions are ' +
    'found by the hash that was declared and by the one that was read; ' +
    `${namedVersionsMax} at most.`,
  params: Type.Object({
    sha256: Type.String({ description: '64 hex digits, or `sha256:` and those.' }),
  }),
  response: { 200: foundContentReply },
  handle: findContent,
}

/** The verification of receipts, by receipt id and by version, below both prefixes. */
export function registerVerificationRoutes(server: FastifyInstance, edge: VerificationEdge): void {
  registerRoutes(server, edge, 'receipts', [byReceipt, byVersion, byContent])
}
