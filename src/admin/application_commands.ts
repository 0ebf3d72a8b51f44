import type { Owner } from '#actors/values/agent.ts'
import type { Environments } from '#actors/registry/environment.ts'
import { realmOf, type Realms } from '#src/use_cases/registry_edge.ts'
import { HttpError } from '#src/errors.ts'
import type { AdminBody, AdminReplies } from '#src/admin/command_table.ts'
import { type Application, checkNewApplication } from '#src/identity/oauth/application_record.ts'
import type { ApplicationAnswer, Applications } from '#src/identity/oauth/applications.ts'
import { operator } from '#src/identity/store/owner_text.ts'

/** The commands of the admin socket on applications and on the keys that sign ID tokens. */
export class ApplicationCommands {
  readonly #realms: Realms
  readonly #environments: Environments

  constructor(realms: Realms, environments: Environments) {
    this.#realms = realms
    this.#environments = environments
  }

  async create(
    body: AdminBody<'/applications/create'>,
  ): Promise<AdminReplies['/applications/create']> {
    const { owner: ppid, environment = 'live', ...requested } = body
    const owner: Owner = ppid === undefined ? operator : { type: 'person', id: ppid, name: ppid }
    const { organization: slug } = requested
    const { organizations } = this.#environments[environment]
    if (slug !== undefined && organizations.read(slug) === undefined) {
      const message = `There is no organization ${slug}`
      const details = [{ field: 'organization', code: 'bad_value', message }]
      throw new HttpError('validation_failed', message, { details })
    }
    const checked = checkNewApplication(requested, owner)
    if (checked.type === 'invalid') {
      const message = 'The application cannot be registered'
      throw new HttpError('validation_failed', message, { details: checked.faults })
    }
    const { applications } = realmOf(this.#realms, environment).oauth
    return applications.register(checked.application, operator)
  }

  async list({
    organization,
  }: AdminBody<'/applications/list'>): Promise<AdminReplies['/applications/list']> {
    const filter = organization === undefined ? {} : { organization }
    const { oauth, sandbox } = this.#realms
    const lists = [oauth, sandbox.oauth].map(({ applications }) => applications.list(filter))
    return { applications: (await Promise.all(lists)).flat() }
  }

  async approve({
    client_id,
  }: AdminBody<'/applications/approve'>): Promise<AdminReplies['/applications/approve']> {
    const answer = await this.#having(client_id).approve(client_id, operator)
    return { application: changed(answer, client_id) }
  }

  async revoke({
    client_id,
  }: AdminBody<'/applications/revoke'>): Promise<AdminReplies['/applications/revoke']> {
    const answer = await this.#having(client_id).revoke(client_id, operator)
    return { application: changed(answer, client_id) }
  }

  async rotateSecret({
    client_id,
  }: AdminBody<'/applications/rotate-secret'>): Promise<
    AdminReplies['/applications/rotate-secret']
  > {
    const answer = await this.#having(client_id).rotateSecret(client_id, operator)
    if (answer.type === 'public') {
      throw new HttpError('conflict', `The application ${client_id} is public and has no secret`)
    }
    const application = changed(answer, client_id)
    return { application, secret: 'secret' in answer ? answer.secret : null }
  }

  rotateTokenKeys({
    environment = 'live',
  }: AdminBody<'/token-keys/rotate'>): Promise<AdminReplies['/token-keys/rotate']> {
    return realmOf(this.#realms, environment).oauth.provider.rotateKeys()
  }

  /** The applications among which one is; those of the live realm if there is no such one. */
  #having(clientId: string): Applications {
    const { oauth, sandbox } = this.#realms
    const isTest = sandbox.oauth.applications.find(clientId) !== undefined
    return isTest ? sandbox.oauth.applications : oauth.applications
  }
}

function changed(
  answer: Exclude<ApplicationAnswer, { type: 'done' }> | { type: 'done'; application: Application },
  clientId: string,
): Application {
  switch (answer.type) {
    case 'done':
      return answer.application
    case 'not_found':
      throw new HttpError('not_found', `There is no application ${clientId}`)
    case 'revoked':
      throw new HttpError('conflict', `The application ${clientId} was revoked, for good`)
  }
}
