import type { FastifyInstance } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'

/** What a work can be used for, in the order in which it is told. */
export const useKinds = ['resolutions', 'landings', 'verifications', 'harvests'] as const

export type UseKind = (typeof useKinds)[number]

/** That a work was used, by a reply. The ARK is as the catalogue has it, without `ark:`. */
export type Use = {
  readonly environment: EnvironmentName
  readonly ark: string
  readonly kind: UseKind
  /** The slug of the organization that owns the work, if one does. */
  readonly organization: string | undefined
}

/** Counts the uses of one reply, by the address and the `User-Agent` of who asked. */
export type CountUses = (
  address: string,
  userAgent: string | undefined,
  uses: readonly Use[],
) => void

declare module 'fastify' {
  interface FastifyReply {
    /** What the reply is counted as, if it succeeds. */
    uses: readonly Use[] | undefined
  }
}

/** Counts the replies of a server that say what they are a use of, unless they tell of an error. */
export function registerUses(server: FastifyInstance, countUses: CountUses | undefined): void {
  server.decorateReply('uses')
  if (countUses === undefined) return
  server.addHook('onResponse', ({ method, ip, headers }, { uses, statusCode }, done) => {
    // COUNTER counts what was delivered, and what the asker has still (304).
    if (uses !== undefined && statusCode < 400 && method !== 'HEAD') {
      countUses(ip, headers['user-agent'], uses)
    }
    done()
  })
}
