import { hash } from 'node:crypto'

import type { Owner } from '#actors/values/agent.ts'
import type { MemberRole } from '#actors/values/authority.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/store/store.ts'
import { foldEmail } from '#src/identity/accounts/account.ts'
import { mintOneTimeToken } from '#src/identity/accounts/one_time_links.ts'
import { type AuditAction, AuditLog } from '#src/identity/store/audit.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import type { StoreParts } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** An address that was asked to become a member of an organization, and has not answered. */
export type MemberInvitation = {
  readonly id: string
  readonly email: string
  readonly role: MemberRole
  /** Who asked, by whose rights the person becomes a member. */
  readonly by: Owner
  readonly created_at: string
  readonly sent_at: string
  readonly expires_at: string
  /** Who has accepted it and is about to become a member: nobody else can accept it meanwhile. */
  readonly accepted_by?: string
}

/** An invitation as it is kept: of its token, the SHA-256 alone. */
type KeptInvitation = MemberInvitation & { readonly token_hash: string }

/** What is kept for an organization: who is asked, and when messages were sent of late. */
type InvitationRow = {
  readonly waiting: readonly KeptInvitation[]
  readonly sent: readonly string[]
}

/** An invitation with the token that accepts it, which nobody can read again. */
export type SentInvitation = { readonly invitation: MemberInvitation; readonly token: string }

/**
 * Why nobody was asked: `waits_already` for an address that is; `too_many` if as many wait as may;
 * `too_often` if as many messages were sent within a day, or one to this address just now.
 */
export type InvitationRefusal = 'waits_already' | 'too_many' | 'too_often' | 'not_found'

const dayMs = 86_400_000
const lifetimeMs = 7 * dayMs

/** Invitations of an organization that wait, and messages of it within a day, at most. */
const waitingMax = 100
const sentInDayMax = 100

/** How long after a message the next one goes to the same address. */
const againMs = 600_000

const idDigits = 12

const none: InvitationRow = { waiting: [], sent: [] }

/**
 * Invitations to become a member, in one sealed row for each organization. A token is good for one
 * answer, within a week; what waits, what ends and how often messages are sent is decided by the
 * row, in turn. Nothing here knows whether an address has an account.
 */
export class MemberInvitations {
  readonly #options: StoreParts
  readonly #rows: SealedRows<InvitationRow>
  readonly #audit: AuditLog

  constructor(options: StoreParts) {
    this.#options = options
    this.#rows = new SealedRows(options.store, 'member_invitation')
    this.#audit = new AuditLog(options.store)
  }

  /** Those of an organization that wait for an answer, the oldest first. */
  waiting(slug: string): readonly MemberInvitation[] {
    return this.#read(slug).waiting.map(withoutToken)
  }

  /** The invitation that a token answers, if it still waits. */
  find(slug: string, token: string): MemberInvitation | undefined {
    const kept = this.#read(slug).waiting.find(({ token_hash }) => token_hash === hashOf(token))
    return kept && withoutToken(kept)
  }

  /** Asks an address, once for as long as it has not answered. */
  invite(
    slug: string,
    { email, role, by }: Pick<MemberInvitation, 'email' | 'role' | 'by'>,
  ): Promise<SentInvitation | InvitationRefusal> {
    return this.#options.store.inTurn(async () => {
      const row = this.#read(slug)
      const isAsked = row.waiting.some((each) => foldEmail(each.email) === foldEmail(email))
      if (isAsked) return 'waits_already'
      if (row.waiting.length >= waitingMax) return 'too_many'
      if (row.sent.length >= sentInDayMax) return 'too_often'
      const at = this.#at()
      const id = randomBase62(idDigits, this.#options.random(base62RandomBytes(idDigits)))
      const invitation = { id: `inv_${id}`, email, role, by, created_at: at, ...this.#times() }
      return this.#send(slug, row, invitation, { action: 'member_invited', by })
    })
  }

  /** Sends an invitation again, with another token; the one before is no longer good. */
  again(slug: string, id: string, by: Owner): Promise<SentInvitation | InvitationRefusal> {
    return this.#options.store.inTurn(async () => {
      const row = this.#read(slug)
      const kept = row.waiting.find((each) => each.id === id)
      if (kept === undefined) return 'not_found'
      const age = this.#options.clock.nowMs() - Date.parse(kept.sent_at)
      if (age < againMs || row.sent.length >= sentInDayMax) return 'too_often'
      const { accepted_by: _, ...waiting } = withoutToken(kept)
      const anew = { ...waiting, by, ...this.#times() }
      return this.#send(slug, row, anew, { action: 'invitation_sent_again', by })
    })
  }

  /** Takes an invitation back; false if it does not wait. */
  async revoke(slug: string, id: string, by: Owner): Promise<boolean> {
    const ended = await this.#end(slug, (each) => each.id === id, 'invitation_revoked', by)
    return ended !== undefined
  }

  /**
   * Keeps an invitation for who accepts it, until they are a member and it is ended by `answer`, or
   * it is given back: so it is not spent before, and no second person becomes a member by it.
   * Undefined if it no longer waits, or for somebody else.
   */
  take(slug: string, token: string, ppid: string): Promise<MemberInvitation | undefined> {
    return this.#mark(slug, token, ({ accepted_by = ppid, ...kept }) =>
      accepted_by === ppid ? { ...kept, accepted_by } : undefined,
    )
  }

  /** Gives back an invitation that was taken: it waits as it did before. */
  async giveBack(slug: string, token: string, ppid: string): Promise<void> {
    await this.#mark(slug, token, ({ accepted_by, ...kept }) =>
      accepted_by === ppid ? kept : undefined,
    )
  }

  #mark(
    slug: string,
    token: string,
    change: (kept: KeptInvitation) => KeptInvitation | undefined,
  ): Promise<MemberInvitation | undefined> {
    const tokenHash = hashOf(token)
    return this.#options.store.inTurn(async () => {
      const row = this.#read(slug)
      const kept = row.waiting.find(({ token_hash }) => token_hash === tokenHash)
      const marked = kept && change(kept)
      if (marked === undefined) return undefined
      const waiting = row.waiting.map((each) => (each === kept ? marked : each))
      await this.#options.store.commit([this.#rows.put(slug, { ...row, waiting })])
      return withoutToken(marked)
    })
  }

  /** Forgets addresses whose time is over, in the files too; gives how many rows had some. */
  forgetExpired(): Promise<number> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const operations: Operation[] = []
      for await (const [key, row] of this.#rows.entries()) {
        const { waiting, sent } = this.#sound(row)
        if (waiting.length === row.waiting.length) continue
        const isEmpty = waiting.length === 0 && sent.length === 0
        operations.push(isEmpty ? { type: 'del', key } : this.#rows.putAt(key, { waiting, sent }))
      }
      if (operations.length === 0) return 0
      await store.commit(operations)
      await store.purge(operations.map(({ key }) => key))
      return operations.length
    })
  }

  /** Ends an invitation by the answer of who has its token: undefined if it no longer waits. */
  answer(
    slug: string,
    token: string,
    action: 'invitation_accepted' | 'invitation_declined',
    by: Owner | undefined,
  ): Promise<MemberInvitation | undefined> {
    const tokenHash = hashOf(token)
    return this.#end(slug, ({ token_hash }) => token_hash === tokenHash, action, by)
  }

  #end(
    slug: string,
    isMeant: (each: KeptInvitation) => boolean,
    action: AuditAction,
    by: Owner | undefined,
  ): Promise<MemberInvitation | undefined> {
    return this.#options.store.inTurn(async () => {
      const row = this.#read(slug)
      const ended = row.waiting.find(isMeant)
      if (ended === undefined) return undefined
      const waiting = row.waiting.filter((each) => each !== ended)
      const noted = await this.#note(slug, ended, action, by)
      await this.#options.store.commit([this.#rows.put(slug, { ...row, waiting }), ...noted])
      return withoutToken(ended)
    })
  }

  /** Keeps an invitation with a new token, in place of itself if it waited. */
  async #send(
    slug: string,
    row: InvitationRow,
    invitation: MemberInvitation,
    { action, by }: { readonly action: AuditAction; readonly by: Owner },
  ): Promise<SentInvitation> {
    const token = mintOneTimeToken(this.#options.random)
    const others = row.waiting.filter(({ id }) => id !== invitation.id)
    const kept: KeptInvitation = { ...invitation, token_hash: hashOf(token) }
    const sent = [...row.sent, this.#at()]
    const noted = await this.#note(slug, invitation, action, by)
    const put = this.#rows.put(slug, { waiting: [...others, kept], sent })
    await this.#options.store.commit([put, ...noted])
    return { invitation, token }
  }

  // The address is not in the list: it is for as long as the organization has not forgotten it.
  #note(
    slug: string,
    { id, role }: MemberInvitation,
    action: AuditAction,
    by: Owner | undefined,
  ): Promise<Operation[]> {
    const owner = { type: 'organization', id: slug } as const
    const made = by === undefined ? {} : { by }
    const entry = { owner, at: this.#at(), action, invitation_id: id, role, ...made }
    return this.#audit.rows([entry])
  }

  /** The row of an organization without what is over. */
  #read(slug: string): InvitationRow {
    return this.#sound(this.#rows.read(slug) ?? none)
  }

  #sound({ waiting, sent }: InvitationRow): InvitationRow {
    const now = this.#options.clock.nowMs()
    return {
      waiting: waiting.filter(({ expires_at }) => Date.parse(expires_at) > now),
      sent: sent.filter((at) => Date.parse(at) > now - dayMs),
    }
  }

  #times(): Pick<MemberInvitation, 'sent_at' | 'expires_at'> {
    const now = this.#options.clock.nowMs()
    return { sent_at: formatTimestamp(now), expires_at: formatTimestamp(now + lifetimeMs) }
  }

  #at(): string {
    return formatTimestamp(this.#options.clock.nowMs())
  }
}

function withoutToken(kept: KeptInvitation): MemberInvitation {
  const { token_hash: _, ...invitation } = kept
  return invitation
}

function hashOf(token: string): string {
  return hash('sha256', token)
}
