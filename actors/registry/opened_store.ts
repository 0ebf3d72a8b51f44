import { decodeJournalRow, type JournalHead, journalKey } from '#actors/journal/pool.ts'
import { JournalError } from '#actors/journal/journal.ts'
import { readPlace } from '#actors/journal/member.ts'
import { checkRecentEvents, readerOf } from '#actors/journal/rows.ts'
import { readReceiptKeys } from '#actors/receipts/keys.ts'
import type { ReceiptSigner } from '#actors/receipts/statement.ts'
import type { EnvironmentOptions } from '#actors/registry/environment.ts'
import { openQueries, type Queries } from '#actors/registry/served_environment.ts'
import { openViews } from '#actors/registry/view_rebuild.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { DamageList, watchDamage } from '#log/store/damage.ts'
import { noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { checkWitnessed, HeadGuard } from '#log/store/guard.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'

function leftAlone({ storeDir }: EnvironmentOptions): JournalError {
  return new JournalError(
    'journal_shared',
    `${storeDir} is the store of a node of a cluster, and CLUSTER_URL is not set: alone it would ` +
      'go on with the same log as the others. Set CLUSTER_URL; if there will be no other node ' +
      'any more, run "arklog cluster dissolve --help"',
  )
}

/** What was opened and checked of a registry, and is run from now on. */
export type OpenedStore = {
  readonly store: Store
  readonly damage: DamageList
  readonly queries: Queries
  readonly guard: HeadGuard
  readonly vkey: string
  readonly signer: ReceiptSigner
  readonly head: JournalHead
}

/**
 * Opens log, journal and views of a registry on its store, with all checks of a start; nothing has
 * been written when they are done, but for views that were to be rebuilt. Errors: the coded
 * LogErrors of the store and the log, whose messages say what to do, and those of `compareHead`.
 */
export async function openChecked(found: Store, options: EnvironmentOptions): Promise<OpenedStore> {
  const { origin, logKey, limits, systemMs, onOpening } = options
  const damage = new DamageList(options.damaged)
  const store = watchDamage(found, damage)
  const vkey = formatVkey(origin, ed25519Type, logKey.publicKey)
  const verifier = noteVerifier(vkey)
  onOpening?.('log')
  const log = await openLog(store, {
    kind: 'registry',
    origin,
    signer: noteSigner(origin, logKey),
    verifier,
    vkey,
    create: options.create,
    createdAt: formatTimestamp(systemMs()),
    writeBufferBytes: limits.writeBufferBytes,
  })
  const journal = decodeJournalRow(store.get(journalKey))
  if (options.shared === undefined && readPlace(store) !== undefined) throw leftAlone(options)
  await checkRecentEvents(store, journal.position, 2 * limits.writeBufferBytes)
  await openViews(store, journal.position, (done, total) => onOpening?.('views', done, total))
  const signer = options.receiptSigner(readReceiptKeys(readerOf(store)).keys.at(-1)?.public_key)
  const head = { ...journal, log }
  const { baseUrl, personSeal: seal } = options
  const { replyCacheBytesMax } = limits
  const queries = openQueries({ store, damage, head, seal, baseUrl, replyCacheBytesMax })
  const guard = new HeadGuard(options.headFile, verifier)
  guard.check(queries.log)
  checkWitnessed(queries.log)
  if (options.compareHead !== undefined) onOpening?.('witnesses')
  await options.compareHead?.(queries.log)
  return { store, damage, queries, guard, vkey, signer, head }
}
