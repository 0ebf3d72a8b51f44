import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import { realmOf, type Realms } from '#src/use_cases/registry_edge.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'

/** Whom notices are for, and what sends them. */
export type FailureNoticesOptions = {
  readonly realms: Realms
  readonly environments: Environments
  readonly report: (fault: unknown) => void
}

/**
 * Mails to the owners of organizations whose endpoints were given up. A mail waits in memory until
 * a server has it, which may take it many minutes, so only then it is written down that they were
 * told. Until that is so, whoever delivers asks again, after a crash too.
 */
export class FailureNotices {
  readonly #options: FailureNoticesOptions
  /** Failures of which mails are on their way, each by its endpoint and its time. */
  readonly #underWay = new Set<string>()
  #isClosed = false

  constructor(options: FailureNoticesOptions) {
    this.#options = options
  }

  /** Tells owners that an endpoint was given up, once, however often this is asked meanwhile. */
  send(name: EnvironmentName, id: string): void {
    const { webhooks } = realmOf(this.#options.realms, name)
    const endpoint = webhooks.get(id)
    if (endpoint?.failure?.isTold !== false) return
    const { failure } = endpoint
    const notice = `${id} ${failure.at}`
    if (this.#underWay.has(notice)) return
    this.#underWay.add(notice)
    this.#tellOwners(endpoint)
      .then(async (isSent) => {
        if (isSent && !this.#isClosed) await webhooks.tellFailure(id, failure)
      })
      .catch(this.#options.report)
      .finally(() => this.#underWay.delete(notice))
  }

  /** Has nothing written down any more. What was not is told again after the next start. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * Writes to the owners of the endpoint's organization, who are people of the live registry, as
   * endpoints of the sandbox are theirs too. Tells whether nobody is to be written to again: some
   * of them were reached, or nobody can be.
   */
  async #tellOwners({ id, organization: slug, url, failure }: Endpoint): Promise<boolean> {
    const { environments, realms } = this.#options
    const { accounts, mail } = realms.accounts
    const { organizations } = environments.live
    const reason = failure?.reason ?? 'nothing was delivered'
    const owner = organizations.read(slug)?.name ?? slug
    const path = `/organizations/${slug}/webhooks/${id}`
    const owners = (organizations.members(slug) ?? [])
      .filter(({ role }) => role === 'owner')
      .flatMap(({ ppid }) => accounts.find(ppid) ?? [])
    const outcomes = await Promise.all(
      owners.map((account) => mail.sendWebhookFailed(account, { url, owner, reason, path })),
    )
    return outcomes.includes('taken') || !outcomes.includes('given_up')
  }
}
