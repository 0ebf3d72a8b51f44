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

/** Counts the uses of one reply, by the address and the `User-Agent` of the client. */
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
