import { CodedError } from '#log/tlog/errors.ts'

/**
 * What a monitor raises an alarm for.
 * `bad_checkpoint`: not a checkpoint of this log signed by its key.
 * `key_changed`: a checkpoint of this log that another key has signed.
 * `rollback`: a signed head smaller than one seen before.
 * `fork`: two signed heads that no append-only log can have.
 * `split_view`: the same, seen from two places.
 * `bad_tile`: tiles that do not hash to the signed head. `bad_entries`: entries that do not hash to
 * the tiles. `bad_reply`: the log denies, or answers with nonsense, what its head commits it to.
 * `bad_record`: a public record that does not hash to the statement about it.
 * `bad_rotation`: a receipt key that the one before it has not announced.
 * `bad_cosignature`: a line of a witness of the policy that is no cosignature of this checkpoint.
 * `quorum_missed`: no checkpoint has the cosignatures that the policy demands. `quorum_lapsed`:
 * those that there are have become too old.
 * `stale`: no newer head for too long.
 * `bad_map`: a map leaf that the entries before it do not lead to. `contradictory_work`: statements
 * about one work that do not follow each other. `unread_statement`: one that no map counts.
 * `map_missed`: entries wait too long for a map leaf.
 */
export type AlarmKind =
  | 'bad_checkpoint'
  | 'key_changed'
  | 'rollback'
  | 'fork'
  | 'split_view'
  | 'bad_tile'
  | 'bad_entries'
  | 'bad_reply'
  | 'bad_record'
  | 'bad_rotation'
  | 'bad_cosignature'
  | 'quorum_missed'
  | 'quorum_lapsed'
  | 'stale'
  | 'bad_map'
  | 'contradictory_work'
  | 'unread_statement'
  | 'map_missed'

/** The log misbehaved, and its replies prove it. */
export class LogAlarm extends CodedError<AlarmKind> {
  override readonly name: string = 'LogAlarm'
}

/** An alarm with its proof: relative file names (`/` between parts) and the bytes served. */
export type Alarm = {
  readonly type: 'alarm'
  readonly kind: AlarmKind
  readonly message: string
  readonly evidence: ReadonlyMap<string, Uint8Array>
}

const keepBoth =
  'Keep the evidence: whoever has both signed notes can prove that the log signed two ' +
  'histories. Show it to the operator and to the witnesses, and rely on nothing that was ' +
  'registered after the smaller of the two.'
const readAgain =
  'A broken proxy or disk is likelier than an attack: read the same address from another ' +
  'network, and tell the operator if it is wrong there too.'

const advice: Readonly<Record<AlarmKind, string>> = {
  bad_checkpoint: `Check the address, and that it serves this log. ${readAgain}`,
  key_changed:
    'A log has one key for ever. Ask the operator, by another way than the site, whether the ' +
    'log was replaced; if so, follow the new one with its key and an empty state folder.',
  rollback:
    'An old copy was restored, or a cache answers with an old checkpoint. Ask the operator; if ' +
    'the log grows on from there, this becomes a fork.',
  fork: keepBoth,
  split_view: keepBoth,
  bad_tile: readAgain,
  bad_entries: readAgain,
  bad_reply: readAgain,
  bad_record:
    'The registry shows something else than it has stated. Compare the record with its receipt, ' +
    'and show both to the operator.',
  bad_rotation:
    'Trust no receipt of the new key. Ask the operator whether they rotated it, by another way ' +
    'than the site.',
  bad_cosignature:
    'The line is of another checkpoint or log, or was forged. Show the evidence to the operator ' +
    'of the log and to the witness.',
  quorum_missed:
    'Too few witnesses vouch for what you see, which may be shown to you alone. Compare the ' +
    'checkpoint with what others see, and ask the missing witnesses for their last one.',
  quorum_lapsed:
    'Witnesses are down, or refuse what the log shows. Ask them for their last checkpoint; rely ' +
    'on nothing newer than the last witnessed one until it is clear.',
  stale:
    'The log stands still, or what you reach is frozen. Compare with another vantage point; ' +
    'where nothing is registered for days, use a longer --stale-after.',
  bad_map:
    'The log commits to a map that is wrong. If fraud.json.gz is among the evidence, anybody can ' +
    'check it with arklog verify: show it to the operator and the witnesses. Until it is clear, ' +
    'do not believe that a version is the newest, or that an ARK does not exist.',
  contradictory_work:
    'The log states of one work what cannot follow. Read the entries of this work, and ask the ' +
    'operator for an explanation.',
  unread_statement:
    'The map passes over this entry, so it may hide a newer version or a withdrawal. Read the ' +
    'entry, and ask the operator. A newer arklog may know its form.',
  map_missed:
    'The registry answers mints, and does not commit to what is newest. Ask the operator; with a ' +
    'longer MAP_INTERVAL_MS of the registry, use a longer --map-within.',
}

const proofs: ReadonlySet<AlarmKind> = new Set([
  'fork',
  'split_view',
  'bad_rotation',
  'bad_record',
  'bad_map',
  'contradictory_work',
  'unread_statement',
])

/** What to do about an alarm, in sentences for who is called by it. */
export function adviceOf(kind: AlarmKind): string {
  return advice[kind]
}

/** Whether an alarm proves what cannot be made good again: it ends by no later round. */
export function isProof(kind: AlarmKind): boolean {
  return proofs.has(kind)
}
