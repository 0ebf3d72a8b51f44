import type { FastifyReply, FastifyRequest } from 'fastify'

import { type Ark, checkZoneMax, hasValidCheck, repairCandidates } from '#actors/values/ark.ts'
import type { Environment, EnvironmentName } from '#actors/registry/environment.ts'
import { HttpError } from '#src/errors.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { readArk } from '#src/edge/ark_path.ts'

type Environments = Readonly<Record<EnvironmentName, Environment>>

/** The work that a path names: whether it exists is for the catalogue to say. */
export type NamedWork = {
  readonly environment: Environment
  readonly ark: Ark
  /** The ARK as the client spelled it, decoded. */
  readonly requested: string
}

/**
 * Reads which work a request is about. `segment` is the path's ARK as the client sent it. The
 * environment is that of the credential; without one, the ARK's NAAN tells it. Throws HttpError
 * `malformed_ark`, and `not_found` for an ARK that cannot be a work's, such as one with a qualifier
 * or with another day than that of the work's creation.
 */
export function nameWork(
  environments: Environments,
  request: FastifyRequest<{ Params: { ark: string } }>,
  reply: FastifyReply,
): NamedWork {
  const { caller } = request
  const own = environments[caller.kind !== 'anonymous' ? caller.environment : 'live']
  const { requested, parsed } = readArk(request.params.ark, own.naan)
  const isSandbox = caller.kind === 'anonymous' && parsed.naan === environments.sandbox.naan
  const environment = isSandbox ? environments.sandbox : own
  if (environment.name === 'sandbox') markSandbox(reply)
  const { ark, components, variants, date } = parsed
  if (components !== '' || variants !== '') throw workNotFound(environment, ark)
  if (date !== undefined && !environment.catalogue.state(ark)?.created_at.startsWith(date)) {
    throw workNotFound(environment, ark)
  }
  return { environment, ark, requested }
}

/**
 * The refusal for an ARK that names no work. If its check character is wrong and exactly one
 * registered ARK is one typing error away, the message names it.
 */
export function workNotFound(environment: Environment, ark: Ark): HttpError {
  const isTypo = ark.length <= checkZoneMax + 1 && !hasValidCheck(ark)
  const meant = isTypo ? onlyRepair(environment, ark) : undefined
  const message = `There is no work ark:/${ark}`
  if (meant === undefined) return new HttpError('not_found', message)
  const extra = { did_you_mean: `ark:/${meant}` }
  return new HttpError('not_found', `${message}; did you mean ark:/${meant}?`, { extra })
}

function onlyRepair(environment: Environment, ark: Ark): Ark | undefined {
  const existing = repairCandidates(ark).filter((candidate) =>
    environment.catalogue.state(candidate),
  )
  return existing.length === 1 ? existing[0] : undefined
}
