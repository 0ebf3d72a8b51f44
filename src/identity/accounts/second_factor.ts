import { Secret, TOTP } from 'otpauth'

import type { Owner } from '#actors/values/agent.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/store/store.ts'
import { type AuditAction, AuditLog } from '#src/identity/store/audit.ts'
import { base62RandomBytes, randomBase62, readTypedCode } from '#src/identity/store/base62.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** Bytes of the secret that an authenticator app shares with us (RFC 4226 §4, R6: 20). */
const secretBytes = 20

const stepSeconds = 30
const codeDigits = 6

/** Characters of an account's name in an app: the longest address has no room in a QR code. */
const labelCharactersMax = 64

/** Steps that the clock of a device may be before or behind ours (RFC 6238 §5.2). */
const driftSteps = 1

/** How long a secret waits for the first code that is made with it. */
const pendingMs = 30 * 60_000

/**
 * Wrong codes in a row after which none is taken for a while, the longer the oftener; so who knows
 * a password has less than 400 tries a year, of a million.
 */
const failuresMax = 8
const pauseMs = 15 * 60_000
const pauseMsMax = 24 * 3_600_000

const codeForm = /^\d{6}$/

/** What is shown of a second factor to its person. */
export type SecondFactorState = {
  /** Since when codes of an app are asked for; undefined if none are. */
  readonly totpSince: string | undefined
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodesLeft: number
}

/** What became of a code. */
export type CodeAnswer =
  | { readonly type: 'accepted'; readonly method: 'totp' | 'recovery_code' }
  /** Not a code, or one that was used or is over: nobody is told which. */
  | { readonly type: 'refused' }
  /** So many wrong ones came that none of an app is taken until then, in milliseconds. */
  | { readonly type: 'paused'; readonly untilMs: number }

/** A secret as an app takes it: by a QR code of `uri`, or typed. */
export type PendingSecret = { readonly secret: string; readonly uri: string }

export type SecondFactorsOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
  /** Under which name an app lists the codes. */
  readonly issuer: string
}

/**
 * Second factors of accounts: codes of an authenticator app (TOTP, RFC 6238), passkeys (which
 * `Passkeys` adds and verifies) and recovery codes, in sealed rows; of recovery codes only digests.
 * A code is used up in the one turn of all threads and nodes, so that of those who come with it at
 * once, one has it.
 */
export class SecondFactors {
  readonly #options: SecondFactorsOptions
  readonly #rows: SecondFactorRows
  readonly #audit: AuditLog

  constructor(options: SecondFactorsOptions) {
    this.#options = options
    this.#rows = new SecondFactorRows(options.store)
    this.#audit = new AuditLog(options.store)
  }

  /** The second factor of an account; undefined if a password alone signs it in. */
  find(ppid: string): SecondFactorState | undefined {
    const row = this.#rows.read(ppid)
    if (!isOn(row)) return undefined
    const { totp, passkeys = [], recovery = [] } = row
    return { totpSince: totp?.confirmed_at, passkeys, recoveryCodesLeft: recovery.length }
  }

  /** Draws a secret that counts once a code made with it has come; one that waits goes. */
  begin(ppid: string): Promise<void> {
    const { store, clock, random } = this.#options
    const secret = new Secret({ buffer: Uint8Array.from(random(secretBytes)).buffer }).base32
    const expires_at = formatTimestamp(clock.nowMs() + pendingMs)
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const changed = { ...row, pending: { secret, expires_at } }
      await store.commit(this.#rows.replace(ppid, row, changed))
    })
  }

  /** The secret that waits for its first code; `account` is what an app calls the account. */
  pending(ppid: string, account: string): PendingSecret | undefined {
    const pending = this.#pendingOf(this.#rows.read(ppid))
    if (pending === undefined) return undefined
    const uri = this.#totp(pending.secret, account).toString()
    return { secret: pending.secret, uri }
  }

  /**
   * Turns codes of an app on, or replaces their secret, if the code, in any spelling, is made with
   * the secret that waits. Gives the new recovery codes, which nobody can read again; undefined for
   * a wrong code.
   */
  confirm(ppid: string, text: string): Promise<readonly string[] | undefined> {
    const code = readTypedCode(text)
    const { store, random, clock } = this.#options
    const codes = drawRecoveryCodes(random)
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const pending = this.#pendingOf(row)
      const step = pending && this.#stepOf(pending.secret, code)
      if (pending === undefined || step === undefined) return undefined
      const totp: Totp = {
        secret: pending.secret,
        confirmed_at: formatTimestamp(clock.nowMs()),
        used_step: step,
        failures: 0,
        paused_until_ms: 0,
      }
      const { pending: _pending, ...rest } = row
      const changed = { ...rest, totp, recovery: this.#digests(ppid, codes) }
      await this.#commit(ppid, row, changed, 'second_factor_set')
      return codes
    })
  }

  /** Makes all recovery codes anew; the old ones end. Undefined without a second factor. */
  renewRecoveryCodes(ppid: string): Promise<readonly string[] | undefined> {
    const { store, random } = this.#options
    const codes = drawRecoveryCodes(random)
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      if (!isOn(row)) return undefined
      const changed = { ...row, recovery: this.#digests(ppid, codes) }
      await this.#commit(ppid, row, changed, 'recovery_codes_made')
      return codes
    })
  }

  /** Uses up a code of the app, or a recovery code, in any spelling. */
  redeem(ppid: string, text: string): Promise<CodeAnswer> {
    const { store } = this.#options
    const typed = readTypedCode(text)
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const { totp } = row
      if (!codeForm.test(typed)) return this.#redeemRecovery(ppid, row, typed)
      return totp === undefined
        ? { type: 'refused' }
        : this.#redeemTotp(ppid, { ...row, totp }, typed)
    })
  }

  /** Ends the codes of an app, and nothing else; false if there were none. */
  endTotp(ppid: string): Promise<boolean> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const { totp, pending: _pending, ...rest } = row
      if (totp === undefined) return false
      await this.#commit(ppid, row, rest, 'second_factor_ended')
      return true
    })
  }

  /** Ends all second factors of an account; `by` is who did it. False if there was none. */
  end(ppid: string, by: Owner): Promise<boolean> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      if (!isOn(row)) return false
      await this.#commit(ppid, row, {}, 'second_factor_ended', by)
      return true
    })
  }

  /** Forgets all of an account that is erased, and leaves nothing of it in any file. */
  forget(ppid: string): Promise<void> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      if (!isOn(row) && row.pending === undefined) return
      const keys = this.#rows.keysOf(ppid)
      await store.commit(this.#rows.replace(ppid, row, {}))
      await store.purge(keys)
    })
  }

  async #redeemTotp(
    ppid: string,
    row: SecondFactorRow & { readonly totp: Totp },
    code: string,
  ): Promise<CodeAnswer> {
    const { store, clock } = this.#options
    const { totp } = row
    const nowMs = clock.nowMs()
    const untilMs = totp.paused_until_ms
    if (nowMs < untilMs) return { type: 'paused', untilMs }
    const step = this.#stepOf(totp.secret, code)
    const isGood = step !== undefined && step > totp.used_step
    const failures = isGood ? 0 : totp.failures + 1
    const changed: Totp = {
      ...totp,
      used_step: isGood ? step : totp.used_step,
      failures,
      paused_until_ms: pausedUntil(failures, nowMs),
    }
    await store.commit(this.#rows.replace(ppid, row, { ...row, totp: changed }))
    return isGood ? { type: 'accepted', method: 'totp' } : { type: 'refused' }
  }

  /** These cannot be guessed, so that wrong ones do not count, and no pause keeps them out. */
  async #redeemRecovery(ppid: string, row: SecondFactorRow, text: string): Promise<CodeAnswer> {
    const code = readRecoveryCode(text)
    if (code === undefined) return { type: 'refused' }
    const [digest] = this.#digests(ppid, [code])
    const { totp, recovery: before = [] } = row
    const recovery = before.filter((each) => each !== digest)
    if (recovery.length === before.length) return { type: 'refused' }
    const unpaused = totp && { ...totp, failures: 0, paused_until_ms: 0 }
    const changed = { ...row, ...(unpaused && { totp: unpaused }), recovery }
    await this.#commit(ppid, row, changed, 'recovery_code_used')
    return { type: 'accepted', method: 'recovery_code' }
  }

  /** The step of a code, counted from 1970; undefined for a wrong one. */
  #stepOf(secret: string, code: string): number | undefined {
    if (!codeForm.test(code)) return undefined
    const timestamp = this.#options.clock.nowMs()
    const delta = this.#totp(secret, '').validate({ token: code, timestamp, window: driftSteps })
    return delta === null ? undefined : Math.floor(timestamp / 1_000 / stepSeconds) + delta
  }

  #totp(secret: string, account: string): TOTP {
    const { issuer } = this.#options
    const label = Array.from(account).slice(0, labelCharactersMax).join('')
    // What every app can do.
    const settings = { algorithm: 'SHA1', digits: codeDigits, period: stepSeconds } as const
    return new TOTP({ ...settings, issuer, label, secret })
  }

  #pendingOf({ pending }: SecondFactorRow): PendingTotp | undefined {
    const isOver =
      pending === undefined || this.#options.clock.nowMs() >= Date.parse(pending.expires_at)
    return isOver ? undefined : pending
  }

  #digests(ppid: string, codes: readonly string[]): string[] {
    return recoveryDigests(this.#options.store, ppid, codes)
  }

  async #commit(
    ppid: string,
    before: SecondFactorRow,
    after: SecondFactorRow,
    action: AuditAction,
    by: Owner = personOwner(ppid),
  ): Promise<void> {
    const at = formatTimestamp(this.#options.clock.nowMs())
    const entry = { owner: { type: 'person', id: ppid }, at, action, by } as const
    const noted = await this.#audit.rows([entry])
    await this.#options.store.commit([...this.#rows.replace(ppid, before, after), ...noted])
  }
}

/** Until when no code is taken after so many wrong ones in a row; 0 if it is taken at once. */
function pausedUntil(failures: number, nowMs: number): number {
  if (failures === 0 || failures % failuresMax !== 0) return 0
  const doubled = pauseMs * 2 ** Math.min(failures / failuresMax - 1, 10)
  return nowMs + Math.min(doubled, pauseMsMax)
}

/** Recovery codes that are made at once. */
const recoveryCodesCount = 10

const groupDigits = 6
const groups = 3
const recoveryCodeForm = new RegExp(`^[0-9A-Za-z]{${groupDigits * groups}}$`)

/** New recovery codes, of 107 random bits each, as they are shown: `4tGh7q-Zk09Xa-pM2c8R`. */
export function drawRecoveryCodes(random: (bytes: number) => Uint8Array): readonly string[] {
  const digits = groupDigits * groups
  return Array.from({ length: recoveryCodesCount }, () =>
    grouped(randomBase62(digits, random(base62RandomBytes(digits)))),
  )
}

/** A recovery code as it is kept, from what was typed; undefined for what has not its form. */
function readRecoveryCode(text: string): string | undefined {
  const digits = readTypedCode(text)
  return recoveryCodeForm.test(digits) ? grouped(digits) : undefined
}

/** Recovery codes of an account as they are kept. */
export function recoveryDigests(
  { hashKey }: Pick<IdentityStore, 'hashKey'>,
  ppid: string,
  codes: readonly string[],
): string[] {
  return codes.map((code) => hashKey(`recovery ${ppid} ${code}`).toString('hex'))
}

function grouped(digits: string): string {
  return digits.match(/.{6}/g)?.join('-') ?? digits
}

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
