import { type Checkpoint, demandOrigin, parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { decodeCosignature, tellsTime } from '#log/tlog/cosignature.ts'
import { LogError } from '#log/tlog/errors.ts'
import {
  formatSignature,
  openNote,
  parseNote,
  type Signature,
  type Verifier,
} from '#log/tlog/note.ts'
import {
  describeQuorum,
  describeUnverifiable,
  isVerifiable,
  type Policy,
  reachesQuorum,
} from '#log/tlog/policy.ts'

/**
 * Verifies a log's checkpoints, and those of the witnesses of a policy, in the policy's order; one
 * whose key is of an unknown type has no verifier, and so has never signed.
 */
export type CheckpointVerifiers = {
  readonly log: Verifier
  readonly policy: Policy
  readonly witnesses: readonly (Verifier | undefined)[]
}

/** A witness, by its name in the policy, and when it signed, in seconds since 1970. */
export type SeenByWitness = { readonly name: string; readonly timestamp: number }

/** A checkpoint whose log has signed it, and which witnesses of the policy have. */
export type CosignedCheckpoint = {
  readonly checkpoint: Checkpoint
  readonly signed: readonly SeenByWitness[]
  /** The witnesses of the policy that have not. */
  readonly missing: readonly string[]
  /** Whether they are as many as the policy demands. */
  readonly isWitnessed: boolean
}

/** The verifiers of a policy; `cosignature` makes one from the vkey of a witness (type 0x04). */
export function checkpointVerifiers(
  log: Verifier,
  policy: Policy,
  cosignature: (vkey: string) => Verifier,
): CheckpointVerifiers {
  const witnesses = policy.witnesses.map((witness) => {
    return isVerifiable(witness) ? cosignature(witness.vkey) : undefined
  })
  return { log, policy, witnesses }
}

/**
 * Opens a checkpoint and judges who has cosigned it. Lines of other keys are ignored; one of a
 * witness of the policy that does not verify condemns the whole note, as in every signed note.
 * Errors: `malformed_note`, `malformed_checkpoint`, and `unverified_note`, also if the log itself
 * has not signed it.
 */
export function openCosigned(
  message: string | Uint8Array,
  { log, policy, witnesses }: CheckpointVerifiers,
): CosignedCheckpoint {
  const known = witnesses.filter((witness) => witness !== undefined)
  const { text, verified } = openNote(message, [log, ...known])
  const { origin, treeSize, rootHash } = parseForeignCheckpoint(text)
  const checkpoint = { origin, treeSize, rootHash }
  if (find(verified, log) === undefined) {
    throw new LogError('unverified_note', `the log ${log.keyName} has not signed the checkpoint`)
  }
  demandOrigin(origin, log)
  const signed: SeenByWitness[] = []
  const missing: string[] = []
  for (const [index, { name }] of policy.witnesses.entries()) {
    const signature = find(verified, witnesses[index])
    if (signature === undefined) missing.push(name)
    else signed.push({ name, timestamp: decodeCosignature(signature.bytes).timestamp })
  }
  const names = new Set(signed.map(({ name }) => name))
  return { checkpoint, signed, missing, isWitnessed: reachesQuorum(policy, names) }
}

/** Opens a checkpoint that must have its quorum: otherwise `quorum_missed`; errors as above. */
export function openWitnessed(
  message: string | Uint8Array,
  verifiers: CheckpointVerifiers,
): CosignedCheckpoint {
  const cosigned = openCosigned(message, verifiers)
  if (cosigned.isWitnessed) return cosigned
  const names = cosigned.signed.map(({ name }) => name).join(', ')
  const found = names === '' ? 'none of its witnesses has signed' : `only ${names} signed`
  const wanted = describeQuorum(verifiers.policy)
  const missed = `the policy demands ${wanted}, but ${found}`
  const reasons = [missed, ...describeUnverifiable(verifiers.policy)]
  throw new LogError('quorum_missed', reasons.join('; '))
}

/**
 * The cosignature of one witness in the lines that it has answered to a checkpoint. Lines of other
 * keys are ignored. Errors: `malformed_note` if they are no signature lines, `unverified_note` if
 * none is by this witness or it is not one of this checkpoint.
 */
export function readCosignature(checkpoint: string, lines: string, witness: Verifier): Signature {
  const { unverifiedText } = parseNote(checkpoint)
  const { verified } = openNote(`${unverifiedText}\n${lines}`, [witness])
  const signature = find(verified, witness)
  if (signature !== undefined) return signature
  throw new LogError('unverified_note', `${witness.keyName} has not signed the checkpoint`)
}

/** The latest time in the lines of a checkpoint, in seconds since 1970; 0 if none has one. */
export function latestCosignature(checkpoint: string): number {
  const times = parseNote(checkpoint)
    .signatures.filter(({ bytes }) => tellsTime(bytes))
    .map(({ bytes }) => decodeCosignature(bytes).timestamp)
  return Math.max(0, ...times)
}

/** A signed checkpoint with further signature lines at its end. */
export function addSignatures(checkpoint: string, signatures: readonly Signature[]): string {
  return checkpoint + signatures.map(formatSignature).join('')
}

function find(signatures: readonly Signature[], key: Verifier | undefined): Signature | undefined {
  return signatures.find(({ keyName, keyId }) => keyName === key?.keyName && keyId === key.keyId)
}
