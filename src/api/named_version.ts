import type { FastifyReply, FastifyRequest } from 'fastify'

import type { NotFound, Rendered } from '#actors/catalogue/port.ts'
import type { Environment, EnvironmentName } from '#actors/registry/environment.ts'
import { parseDecimal } from '#log/decimal.ts'
import { HttpError } from '#src/errors.ts'
import { type NamedWork, nameWork, workNotFound } from '#src/api/named_work.ts'

/** A request whose path names a version of a work. */
export type VersionRequest = FastifyRequest<{ Params: { ark: string; version: string } }>

/** The version that a path names: whether it exists is for the catalogue to say. */
export type NamedVersion = NamedWork & { readonly version: number }

/** Reads which version of which work a request is about. Errors as `nameWork`. */
export function nameVersion(
  environments: Readonly<Record<EnvironmentName, Environment>>,
  request: VersionRequest,
  reply: FastifyReply,
): NamedVersion {
  const named = nameWork(environments, request, reply)
  const version = parseDecimal(request.params.version)
  if (version === undefined) throw versionNotFound(named, request.params.version)
  return { ...named, version }
}

/** What the catalogue found of a version; HttpError `not_found` if nothing. */
export function existingVersion(named: NamedVersion, found: Rendered | NotFound): Rendered {
  if (found.type === 'found') return found
  throw versionNotFound(named, String(named.version))
}

function versionNotFound({ environment, ark }: NamedWork, version: string): HttpError {
  if (environment.catalogue.state(ark) === undefined) return workNotFound(environment, ark)
  return new HttpError('not_found', `The work ark:/${ark} has no version ${version}`)
}
