import type { FastifyReply, FastifyRequest } from 'fastify'

import type { ServedEnvironments } from '#actors/registry/environment.ts'
import {
  type VersionLookup,
  type WorkLookup,
  lookUpVersion,
  lookUpWork,
  locateArk,
} from '#src/use_cases/work_lookup.ts'
import { markSandbox } from '#src/edge/admission.ts'

/** A route whose path names a work, and a request to one. */
export type WorkRoute = { Params: { ark: string } }
export type WorkRequest = FastifyRequest<WorkRoute>

/** A request whose path names a version of a work. */
export type VersionRequest = FastifyRequest<{ Params: { ark: string; version: string } }>

/** The work that a request's path names; marks the reply if it is of the sandbox. */
export function workOfPath(
  environments: ServedEnvironments,
  { caller, params }: WorkRequest,
  reply: FastifyReply,
): WorkLookup {
  const located = locateArk(environments, caller, params.ark)
  if (located.environment.name === 'sandbox') markSandbox(reply)
  return lookUpWork(located)
}

/** The version that a request's path names; marks the reply if it is of the sandbox. */
export function versionOfPath(
  environments: ServedEnvironments,
  request: VersionRequest,
  reply: FastifyReply,
): VersionLookup {
  return lookUpVersion(workOfPath(environments, request, reply), request.params.version)
}
