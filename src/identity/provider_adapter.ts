import type { Adapter } from 'oidc-provider'
import { errors, Provider } from 'oidc-provider'

import type { Applications } from '#src/identity/applications.ts'
import type { Grants } from '#src/identity/grants.ts'
import {
  AlreadyConsumedError,
  type ProviderPayload,
  type ProviderRows,
} from '#src/identity/provider_rows.ts'

/** Where the identity provider's records lie. */
export type ProviderRecords = {
  readonly rows: ProviderRows
  readonly grants: Grants
  readonly applications: Applications
}

/**
 * Makes what oidc-provider asks its records of, once for each of its kinds: clients are the
 * registered applications, grants are permissions of the identity store, and all the rest are rows
 * of the provider's own store.
 */
export function providerAdapter(records: ProviderRecords): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return clientAdapter(records.applications)
    if (kind === 'Grant') return grantAdapter(records.grants)
    return rowAdapter(records, kind)
  }
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

function rowAdapter({ rows, grants }: ProviderRecords, kind: string): Adapter {
  return {
    ...unused,
    upsert: (id, payload, ttl) => rows.put(kind, id, payload as ProviderPayload, ttl ?? 0),
    find: async (id) => rows.find(kind, id),
    findByUid: async (uid) => rows.findByUid(uid),
    destroy: (id) => rows.remove(kind, id),
    revokeByGrantId: (grantId) => rows.removeOfGrant(grantId),
    async consume(id) {
      try {
        await rows.consume(kind, id)
      } catch (error) {
        if (!(error instanceof AlreadyConsumedError)) throw error
        // Another request has redeemed it since the provider looked. That it came twice at once
        // tells as much as one after the other: somebody else has it, and its permission ends.
        const grantId = rows.find(kind, id)?.grantId
        if (grantId !== undefined) await grants.end(grantId, 'token_reused')
        throw new errors.InvalidGrant(error.message)
      }
    },
  }
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
