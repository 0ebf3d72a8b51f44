import type { Operation } from '#log/base/store.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** A secret that an app was shown, and that waits for the first code made with it. */
export type PendingTotp = { readonly secret: string; readonly expires_at: string }

/** An authenticator app (TOTP). */
export type Totp = {
  /** Base32. */
  readonly secret: string
  readonly confirmed_at: string
  /** The step of the newest code that was used: neither it nor an older one is taken again. */
  readonly used_step: number
  /** Wrong codes in a row, and until when none is taken, in milliseconds. */
  readonly failures: number
  readonly paused_until_ms: number
}

/** A passkey, of which we have what verifies it, and nothing secret. */
export type Passkey = {
  /** By which its person names it to us: `pk_` and ten digits of base 62. */
  readonly id: string
  /** What its person calls it. */
  readonly name: string
  /** The credential id and the COSE key (RFC 9052 §7), in base64url. */
  readonly credential_id: string
  readonly public_key: string
  /** Signatures that it has made, as it has told last; 0 of one that does not count. */
  readonly counter: number
  /** How a browser reaches it, such as `internal` or `usb`. */
  readonly transports: readonly string[]
  /** Whether its person has it on several devices. */
  readonly is_synced: boolean
  readonly created_at: string
  readonly last_used_at?: string
}

/** All that an account asks for beside its password. */
export type SecondFactorRow = {
  readonly pending?: PendingTotp
  readonly totp?: Totp
  readonly passkeys?: readonly Passkey[]
  /** Digests of the recovery codes that are left. */
  readonly recovery?: readonly string[]
}

/** Whether more than a password is asked for. */
export function isOn({ totp, passkeys = [] }: SecondFactorRow): boolean {
  return totp !== undefined || passkeys.length > 0
}

/** The rows of second factors by ppid, and of the accounts that credentials of passkeys are for. */
export class SecondFactorRows {
  readonly #rows: SealedRows<SecondFactorRow>
  readonly #ppids: SealedRows<string>

  constructor(store: IdentityStore) {
    this.#rows = new SealedRows(store, 'second_factor')
    this.#ppids = new SealedRows(store, 'passkey_person')
  }

  /** What an account asks for; empty if a password alone signs it in. */
  read(ppid: string): SecondFactorRow {
    return this.#rows.read(ppid) ?? {}
  }

  /** The ppid of the account that a credential is a passkey of. */
  ppidOf(credentialId: string): string | undefined {
    return this.#ppids.read(credentialId)
  }

  /** Writes what an account asks for from now on; with the last factor, recovery codes end. */
  replace(ppid: string, before: SecondFactorRow, after: SecondFactorRow): Operation[] {
    const { pending, totp, passkeys = [], recovery = [] } = after
    const row: SecondFactorRow = {
      ...(pending && { pending }),
      ...(totp && { totp }),
      ...(passkeys.length > 0 && { passkeys }),
      ...(isOn(after) && { recovery }),
    }
    const isEmpty = pending === undefined && !isOn(after)
    return [
      ...(before.passkeys ?? []).map(({ credential_id: id }) => this.#ppids.delete(id)),
      ...passkeys.map(({ credential_id: id }) => this.#ppids.put(id, ppid)),
      isEmpty ? this.#rows.delete(ppid) : this.#rows.put(ppid, row),
    ]
  }

  /** The keys of all rows of an account, to be purged. */
  keysOf(ppid: string): string[] {
    return this.replace(ppid, this.read(ppid), {}).map(({ key }) => key)
  }
}
