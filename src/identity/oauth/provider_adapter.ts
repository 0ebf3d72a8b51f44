import type { Adapter, KoaContextWithOIDC } from 'oidc-provider'
import { errors, Provider } from 'oidc-provider'

import type { Applications } from '#src/identity/oauth/applications.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import {
  AlreadyConsumedError,
  type ProviderPayload,
  type ProviderRows,
} from '#src/identity/oauth/provider_rows.ts'
import type { Redemptions } from '#src/identity/oauth/redemption.ts'
import { isPassingFault } from '#src/identity/store/identity_error.ts'

/** Where the identity provider's records lie. */
export type ProviderRecords = {
  readonly rows: ProviderRows
  readonly grants: Grants
  readonly applications: Applications
  readonly redemptions: Redemptions
}

/**
 * Makes what oidc-provider asks its records of, once for each of its kinds: clients are the
 * registered applications, grants are permissions of the identity store, and all the rest are rows
 * of the provider's own store.
 */
export function providerAdapter(records: ProviderRecords): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return clientAdapter(records.applications)
    return tellingOfFaults(
      kind === 'Grant' ? grantAdapter(records.grants) : rowAdapter(records, kind),
    )
  }
}

/** Has what may succeed a moment later answered so: 503, or as RFC 6749 §4.1.2.1 has it. */
function tellingOfFaults(adapter: Adapter): Adapter {
  const telling = Object.entries(adapter).map(([name, act]) => {
    const acted = async (...given: never[]): Promise<unknown> => {
      try {
        return await (act as (...given: never[]) => Promise<unknown>)(...given)
      } catch (error) {
        throw isPassingFault(error) ? temporarilyUnavailable(error) : error
      }
    }
    return [name, acted]
  })
  return Object.fromEntries(telling) as Adapter
}

function temporarilyUnavailable(cause: unknown): Error {
  Provider.ctx?.set('retry-after', '1')
  const error = new errors.OIDCProviderError(503, 'temporarily_unavailable', { cause })
  const error_description = 'The registry is busy; try again after a moment'
  return Object.assign(error, { expose: true, error_description })
}

function clientAdapter(applications: Applications): Adapter {
  return { ...unused, find: async (id) => applications.clientMetadata(id) }
}

function grantAdapter(grants: Grants): Adapter {
  return {
    ...unused,
    upsert: async (id, payload) => grants.save(id, payload),
    find: async (id) => grants.payload(id),
    // The application has revoked its token, or a code or a refresh token came a second time.
    destroy: async (id) => {
      const isRevocation = Provider.ctx?.oidc.route === 'revocation'
      await grants.end(id, isRevocation ? 'by_application' : 'token_reused')
    },
  }
}

function rowAdapter({ rows, grants, redemptions }: ProviderRecords, kind: string): Adapter {
  return {
    ...unused,
    upsert(id, payload, ttl = 0) {
      const row = payload as ProviderPayload
      const held = kind === 'RefreshToken' ? redemptions.heldBy(Provider.ctx) : undefined
      return held === undefined
        ? rows.put(kind, id, row, ttl)
        : rows.putSuccessor(id, row, { ttl, of: held })
    },
    async find(id) {
      const row = rows.find(kind, id)
      const isRedeemed = Provider.ctx?.oidc.route === 'token'
      return row !== undefined && isRedeemed ? redemptions.shown(kind, row) : row
    },
    findByUid: async (uid) => rows.findByUid(uid),
    destroy: (id) => rows.remove(kind, id),
    async revokeByGrantId(grantId) {
      if (endsMoreThanItself(Provider.ctx)) await rows.removeOfGrant(grantId)
    },
    async consume(id) {
      const { ctx } = Provider
      // The turn at a refresh token was taken when it was decided whether there is a new one.
      const turn =
        ctx === undefined
          ? undefined
          : (redemptions.heldBy(ctx)?.turn ?? (await redemptions.enter(ctx, kind, id)))
      if (turn !== undefined && turn.type !== 'first') return
      try {
        await rows.consume(kind, id)
      } catch (error) {
        if (!(error instanceof AlreadyConsumedError)) throw error
        const row = rows.find(kind, id)
        // Another node has superseded the turn of this one: a moment later it can be told what came
        // of that.
        const isSuperseded =
          turn !== undefined && row !== undefined && redemptions.isInGrace(kind, row)
        if (isSuperseded) throw temporarilyUnavailable(error)
        // Another request has redeemed it since the provider looked. That it came twice at once
        // tells as much as one after the other: somebody else has it, and its permission ends.
        if (row?.grantId !== undefined) await grants.end(row.grantId, 'token_reused')
        throw new errors.InvalidGrant(error.message)
      }
    },
  }
}

/**
 * Whether what a request revokes takes the rest of its permission's tokens along. An access token
 * does only if the application says so by `end_permission=true` (RFC 7009 §2.1 leaves it open).
 */
export function endsMoreThanItself(context: KoaContextWithOIDC | undefined): boolean {
  const { oidc } = context ?? {}
  if (oidc?.route !== 'revocation' || !('AccessToken' in oidc.entities)) return true
  return oidc.body?.['end_permission'] === 'true'
}

/** What a kind never asks for: the device flow, and what is made elsewhere. */
const unused: Adapter = {
  upsert: refuse,
  find: refuse,
  findByUserCode: refuse,
  findByUid: refuse,
  consume: refuse,
  destroy: refuse,
  revokeByGrantId: refuse,
}

async function refuse(): Promise<never> {
  throw new Error('the identity provider does not ask this of records of this kind')
}
