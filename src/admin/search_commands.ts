import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { AdminBody, AdminReplies } from '#src/admin/command_table.ts'
import { HttpError } from '#src/errors.ts'
import type { SearchService } from '#src/discovery/search/search_service.ts'

type Services = Readonly<Record<EnvironmentName, SearchService>>

/** The commands of the admin socket about search. Every refusal is an HttpError. */
export class SearchCommands {
  readonly #services: Services | undefined

  constructor(services: Services | undefined) {
    this.#services = services
  }

  status(): AdminReplies['/search/status'] {
    const { live, sandbox } = this.#opened()
    return { live: live.status(), sandbox: sandbox.status() }
  }

  /** Begins to make the indexes of an environment anew; its status tells how that goes. */
  reindex({ environment = 'live' }: AdminBody<'/search/reindex'>): AdminReplies['/search/reindex'] {
    return { environment, begun: this.#opened()[environment].beginReindex() }
  }

  #opened(): Services {
    if (this.#services !== undefined) return this.#services
    throw new HttpError('conflict', 'This registry has no search')
  }
}
