import { setTimeout as sleep } from 'node:timers/promises'

import type { Environment, EnvironmentName, Environments } from '#actors/registry/environment.ts'
import { type Ark, parseArkReference } from '#actors/values/ark.ts'
import { nameConflicts } from '#actors/works/request_checks.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { AdminBody, AdminReplies } from '#src/admin/command_table.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import { HttpError } from '#src/errors.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import type { SearchService } from '#src/discovery/search/search_service.ts'

/** How long the answer to an erasure waits for the purge of the store's files. */
const purgeWaitMs = 60_000

/** Works that one answer has looked at, at most, and bytes of metadata after which it ends. */
const lookedAtMax = 1_000
const lookedAtBytesEnough = 4 * 1_048_576

/** Authors of one work that an answer tells of: further ones are alike. */
const conflictsMax = 20

/** The work that an ARK names in any spelling, in the environment of its NAAN. */
export function namedWork(
  { live, sandbox }: Environments,
  text: string,
): { readonly environment: Environment; readonly ark: Ark } {
  const parsed = parseArkReference(text, live.naan)
  if (parsed.type === 'malformed') {
    throw new HttpError('malformed_ark', `The ARK is malformed: ${parsed.reason}`)
  }
  const { ark, components, variants } = parsed
  const environment = parsed.naan === sandbox.naan ? sandbox : live
  if (components !== '' || variants !== '') throw workNotFound(environment, ark)
  return { environment, ark }
}

/** What is administered of works. Without search, nothing is searched. */
type WorkRegistry = {
  readonly environments: Environments
  readonly search?: Readonly<Record<EnvironmentName, SearchService>>
}

/** The commands of the admin socket about works. Every refusal is an HttpError. */
export class WorkCommands {
  readonly #registry: WorkRegistry

  constructor(registry: WorkRegistry) {
    this.#registry = registry
  }

  /** Erases the metadata of a work, and answers when the files of the store are rid of it too. */
  async erase(body: AdminBody<'/works/erase'>): Promise<AdminReplies['/works/erase']> {
    const { environment, ark } = namedWork(this.#registry.environments, body.ark)
    const command = { ark, reason: 'legal', withdraws: body.withdraw, by: operatorAgent } as const
    const answer = await environment.works.erase(command)
    if (answer.type === 'not_withdrawn') {
      const message = `The work ark:/${ark} is not withdrawn: withdraw it first, or with --withdraw`
      throw new HttpError('conflict', message)
    }
    // The operator may erase every work, so all that is left to be wrong is the ARK.
    if (!('change' in answer)) throw workNotFound(environment, ark)
    const { ark_identifier, created_at: erased_at } = answer.change
    const is_purged = await this.#isPurged(environment)
    const unchanged = answer.type === 'unchanged'
    return { environment: environment.name, ark_identifier, erased_at, unchanged, is_purged }
  }

  /** Whether nothing of what was erased is left in any file, as soon as that is so. */
  async #isPurged(environment: Environment): Promise<boolean> {
    const forgotten = this.#registry.search?.[environment.name].settled()
    const purged = Promise.all([environment.purged(), forgotten]).then(([isPurged]) => isPurged)
    return Promise.race([purged, sleep(purgeWaitMs, false, { ref: false })])
  }

  /** The works, of some in the order of their changes, whose two fields of authors disagree. */
  async conflicts({
    environment = 'live',
    after,
  }: AdminBody<'/works/conflicts'>): Promise<AdminReplies['/works/conflicts']> {
    const { harvest } = this.#registry.environments[environment]
    const { places, hasMore } = await harvest.places(
      { from: 0, until: harvest.newest() },
      {
        ...(after !== undefined && { after }),
        limit: lookedAtMax,
        bytesEnough: lookedAtBytesEnough,
      },
    )
    const works = places.flatMap(({ state, written }) => {
      if (written === undefined) return []
      const metadata = JSON.parse(Buffer.from(written.metadata).toString('utf8')) as Metadata
      const conflicts = nameConflicts(metadata).slice(0, conflictsMax)
      const { identifier: ark_identifier, version } = state
      return conflicts.length === 0 ? [] : [{ ark_identifier, version, conflicts }]
    })
    const next = hasMore ? (places.at(-1)?.changed.position ?? null) : null
    return { works, looked_at: places.length, next }
  }
}
