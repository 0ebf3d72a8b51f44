import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

import type { Agent } from '#actors/values/agent.ts'
import type { Suspendable } from '#actors/values/authority.ts'
import type { Applications } from '#src/identity/oauth/applications.ts'
import {
  type Application,
  partiesOf,
  writingOrganization,
} from '#src/identity/oauth/application_record.ts'
import type { Grant, Grants } from '#src/identity/oauth/grants.ts'
import type { ProviderPayload, ProviderRows, RowStamp } from '#src/identity/oauth/provider_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

/** An access token that can be used now: whose, by which application, and for what. */
export type LiveToken = {
  readonly agent: Agent
  /** Through whom it acts. */
  readonly parties: readonly Suspendable[]
  readonly scopes: ReadonlySet<string>
  readonly grantId: string
  readonly clientId: string
  readonly ppid: string
}

/** What the tokens are checked against. `elapsedMs` is a clock that only goes forward. */
export type AccessTokensOptions = {
  readonly store: Pick<IdentityStore, 'checkContact'>
  readonly rows: ProviderRows
  readonly grants: Grants
  readonly applications: Applications
  /** The name of an organization, by its slug; undefined if there is none. */
  readonly organizationName: (slug: string) => string | undefined
  readonly nowMs: () => number
  readonly elapsedMs: () => number
}

/** What a check found: good until its time is over, or anything that it was found in is another. */
type CheckedToken = {
  readonly token: LiveToken
  /** The row of the token, and of the session that it ends with, if it does. */
  readonly stamps: readonly RowStamp[]
  readonly grant: Grant
  readonly application: Application
  readonly expiresMs: number
}

// The provider draws tokens of 43 characters out of 64.
const tokenForm = /^[\w-]{43}$/

/** How long a token is not read again, and how many tokens at most. */
const keptMs = 1_000
const tokensMax = 2_048

const secondMs = 1_000

/**
 * Checks the access tokens that the identity provider has issued, in this process. What is kept of
 * a token is kept for a second, under a digest of it; whether its row, the permission and the
 * application are still the same is looked at in every check, so that their end counts at once.
 */
export class AccessTokens {
  readonly #options: AccessTokensOptions
  readonly #kept: LRUCache<string, CheckedToken>

  constructor(options: AccessTokensOptions) {
    this.#options = options
    this.#kept = new LRUCache({
      max: tokensMax,
      ttl: keptMs,
      ttlResolution: 0,
      perf: { now: options.elapsedMs },
    })
  }

  /**
   * The token that a text is, if it can be used; notes the use of its permission. IdentityError
   * `identity_stale` where it is not known which tokens have ended.
   */
  check(text: string, ip: string): LiveToken | undefined {
    if (!tokenForm.test(text)) return undefined
    this.#options.store.checkContact()
    const digest = hash('sha256', text, 'base64')
    const checked = this.#keptCheck(digest) ?? this.#read(text, digest)
    if (checked === undefined) return undefined
    this.#options.grants.noteUse(checked.grant, ip)
    return checked.token
  }

  #keptCheck(digest: string): CheckedToken | undefined {
    const { rows, grants, applications, nowMs } = this.#options
    const checked = this.#kept.get(digest)
    if (checked === undefined) return undefined
    const { stamps, grant, application, expiresMs } = checked
    const isGood =
      nowMs() < expiresMs &&
      stamps.every((stamp) => rows.isCurrent(stamp)) &&
      grants.find(grant.id) === grant &&
      applications.findUsable(application.client_id) === application
    return isGood ? checked : undefined
  }

  #read(text: string, digest: string): CheckedToken | undefined {
    const { rows, grants, applications } = this.#options
    // What is written after its stamp was taken is another row.
    const stamp = rows.stamp('AccessToken', text)
    const row = rows.find('AccessToken', text)
    const grant = grants.find(row?.grantId ?? '')
    const application = applications.findUsable(textOf(row?.['clientId']))
    if (row === undefined || stamp === undefined) return undefined
    if (grant === undefined || application === undefined) return undefined
    // A token that is bound to a key is no bearer's.
    if (row['jkt'] !== undefined || row['x5t#S256'] !== undefined) return undefined
    // One for signing in only ends with the browser's session.
    const session = row['expiresWithSession'] === true ? this.#sessionOf(row) : 'none'
    if (session === undefined) return undefined
    if (grant.ppid !== row['accountId'] || grant.client_id !== application.client_id) {
      return undefined
    }
    const permitted = new Set(grant.scopes)
    const scopes = textOf(row['scope']).split(' ')
    const checked: CheckedToken = {
      token: {
        agent: this.#agentOf(application, grant.ppid),
        parties: [...partiesOf(application), { type: 'account', id: grant.ppid }],
        scopes: new Set(scopes.filter((scope) => permitted.has(scope))),
        grantId: grant.id,
        clientId: application.client_id,
        ppid: grant.ppid,
      },
      stamps: session === 'none' ? [stamp] : [stamp, session],
      grant,
      application,
      expiresMs: (row.exp ?? 0) * secondMs,
    }
    this.#kept.set(digest, checked)
    return checked
  }

  /** The session that a token ends with, if its person is signed in there. */
  #sessionOf({ sessionUid, accountId }: ProviderPayload): RowStamp | undefined {
    const { rows } = this.#options
    const uid = textOf(sessionUid)
    const stamp = rows.stampOfUid(uid)
    const session = rows.findByUid(uid)
    return session !== undefined && session['accountId'] === accountId ? stamp : undefined
  }

  /** As whom an application acts: as its organization for the person, or else as the person. */
  #agentOf(application: Application, ppid: string): Agent {
    const { client_id } = application
    const organization = writingOrganization(application)
    const name = organization === null ? undefined : this.#options.organizationName(organization)
    return Object.freeze(
      organization === null || name === undefined
        ? ({ type: 'person', id: ppid, name: ppid, via: 'oauth', client_id } as const)
        : ({
            type: 'organization',
            id: organization,
            name,
            via: 'oauth',
            client_id,
            on_behalf_of: ppid,
          } as const),
    )
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
