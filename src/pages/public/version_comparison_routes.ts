import type { FastifyInstance } from 'fastify'

import type { WorkReply } from '#src/use_cases/landing_record.ts'
import { lookUpWork, type WorkLookup, locateArk } from '#src/use_cases/work_lookup.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { integerParameter, readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { HttpError } from '#src/errors.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { versionsPath } from '#src/pages/public/landing/history.ts'
import { versionComparisonPage } from '#src/pages/public/version_comparison_page.ts'

const versionBounds = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

const parameters = {
  ark: textParameter('The ARK of the work.', /^ark:.{1,200}$/i, 'the ARK of a work'),
  from: integerParameter('The older version.', versionBounds),
  to: integerParameter('The newer version.', versionBounds),
}

type ComparisonEdge = Pick<
  RegistryEdge,
  'admit' | 'takeTurn' | 'baseUrl' | 'environments' | 'accounts'
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
    const work = lookUpWork(locateArk(edge.environments, request.caller, ark))
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
  const reply = JSON.parse(Buffer.from(found.body).toString('utf8')) as
    | WorkReply
    | { status: 'withdrawn' }
  if (reply.status === 'registered') return reply
  throw new HttpError('gone', 'This work was withdrawn: what it said is not shown any more')
}
