import { Type } from 'typebox'

import type { Owner } from '#actors/values/agent.ts'
import {
  type AdminRegistry,
  clientId,
  command,
  environment,
  invalid,
  strings,
  wrongMember,
} from '#src/admin/command.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type Application, checkNewApplication } from '#src/identity/oauth/application_record.ts'
import type { ApplicationAnswer, Applications } from '#src/identity/oauth/applications.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'

const text = Type.Optional(Type.String())

/** The commands on the applications that people can permit to act for them. */
export const applicationCommands = {
  /** The secret is shown this once; it is null if there is none. */
  '/applications/create': command(
    {
      environment,
      name: Type.String(),
      redirect_uris: strings(20),
      post_logout_redirect_uris: Type.Optional(strings(20)),
      kind: Type.Optional(Type.Union([Type.Literal('confidential'), Type.Literal('public')])),
      scopes: Type.Optional(strings(20)),
      organization: text,
      owner: text,
      homepage: text,
      logo_uri: text,
      contact: text,
    },
    (registry, { owner: ppid, environment: name = 'live', ...requested }) => {
      const owner: Owner = ppid === undefined ? operator : { type: 'person', id: ppid, name: ppid }
      const { organization: slug } = requested
      const { organizations } = registry.environments[name]
      if (slug !== undefined && organizations.read(slug) === undefined) {
        throw wrongMember('organization', `There is no organization ${slug}`)
      }
      const checked = checkNewApplication(requested, owner)
      if (checked.type === 'invalid') {
        throw invalid('The application cannot be registered', checked.faults)
      }
      const { applications } = realmOf(registry, name).oauth
      return applications.register(checked.application, operator)
    },
  ),
  '/applications/list': command({ organization: text }, async (registry, { organization }) => {
    const filter = organization === undefined ? {} : { organization }
    const { oauth, sandbox } = registry
    const lists = [oauth, sandbox.oauth].map(({ applications }) => applications.list(filter))
    return { applications: (await Promise.all(lists)).flat() }
  }),
  '/applications/approve': command({ client_id: clientId }, async (registry, { client_id }) => {
    const answer = await applicationsWith(registry, client_id).approve(client_id, operator)
    return { application: changed(answer, client_id) }
  }),
  '/applications/revoke': command({ client_id: clientId }, async (registry, { client_id }) => {
    const answer = await applicationsWith(registry, client_id).revoke(client_id, operator)
    return { application: changed(answer, client_id) }
  }),
  '/applications/rotate-secret': command(
    { client_id: clientId },
    async (registry, { client_id }) => {
      const answer = await applicationsWith(registry, client_id).rotateSecret(client_id, operator)
      if (answer.type === 'public') {
        const message = `The application ${client_id} is public and has no secret`
        throw new HttpError('conflict', message)
      }
      const application = changed(answer, client_id)
      return { application, secret: 'secret' in answer ? answer.secret : null }
    },
  ),
}

/** The applications among which one is; those of the live realm if there is no such one. */
function applicationsWith({ oauth, sandbox }: AdminRegistry, id: string): Applications {
  const isTest = sandbox.oauth.applications.find(id) !== undefined
  return isTest ? sandbox.oauth.applications : oauth.applications
}

function changed(
  answer: Exclude<ApplicationAnswer, { type: 'done' }> | { type: 'done'; application: Application },
  id: string,
): Application {
  switch (answer.type) {
    case 'done':
      return answer.application
    case 'not_found':
      throw new HttpError('not_found', `There is no application ${id}`)
    case 'revoked':
      throw new HttpError('conflict', `The application ${id} was revoked, for good`)
  }
}
