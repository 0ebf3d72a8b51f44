import type { ExecutionContext } from 'ava'
import { inspect, isDeepStrictEqual } from 'node:util'

import { LogError } from '#log/tlog/errors.ts'
import {
  checkConsistency,
  checkInclusion,
  type Consistency,
  type Inclusion,
} from '#log/tlog/proof.ts'
import { type HashReader, proveConsistency, proveInclusion, rootHash } from '#log/tlog/tree.ts'
import { makeLeaves, readLeaves } from '#test/log/_trees.ts'

/** A claim made false, and the message it must be refused with. */
type Mutation<C> = readonly [claim: C, refusal: string]

/** The trees of up to `sizeMax` leaves that proofs and their mutations are about. */
type Trees = { readonly leaves: readonly Uint8Array[]; readonly roots: readonly Uint8Array[] }

const wrongLength = 'malformed_proof: the proof has too few or too many hashes'
const wrongHash = 'malformed_proof: every hash of a proof has 32 bytes'
const noInclusion = 'proof_mismatch: the inclusion proof does not lead to the root hash'
const noConsistency = 'proof_mismatch: the consistency proof does not lead to both root hashes'

// The way from the root down to a leaf, as the side on which each sibling is: one letter a hash.
function inclusionShape(leafIndex: number, treeSize: number): string {
  if (treeSize === 1) return ''
  const k = split(treeSize)
  return leafIndex < k
    ? `R${inclusionShape(leafIndex, k)}`
    : `L${inclusionShape(leafIndex - k, treeSize - k)}`
}

// The same for the way to the end of the old tree; S is its last subtree, if it is not all of it.
function consistencyShape(from: number, to: number, isWhole = true): string {
  if (from === to) return isWhole ? '' : 'S'
  const k = split(to)
  return from <= k
    ? `R${consistencyShape(from, k, isWhole)}`
    : `L${consistencyShape(from - k, to - k, false)}`
}

function split(count: number): number {
  let k = 1
  while (k * 2 < count) k *= 2
  return k
}

function* bitFlips(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = new Uint8Array(bytes)
    flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
    yield flipped
  }
}

// All changes of the list of hashes; `mismatch` is the refusal of one with the right length.
function* mutateProof(
  proof: readonly Uint8Array[],
  extra: Uint8Array,
  mismatch: string,
): Generator<Mutation<readonly Uint8Array[]>> {
  for (const [at, hash] of proof.entries()) {
    for (const flipped of bitFlips(hash)) yield [proof.with(at, flipped), mismatch]
    yield [proof.with(at, extra), mismatch]
    yield [proof.with(at, hash.subarray(1)), wrongHash]
    yield [proof.with(at, Buffer.concat([hash, Buffer.alloc(1)])), wrongHash]
    yield [proof.toSpliced(at, 1), wrongLength]
    yield [proof.slice(0, at), wrongLength]
    for (const [other, otherHash] of proof.entries()) {
      if (other > at) yield [proof.with(at, otherHash).with(other, hash), mismatch]
    }
  }
  for (let at = 0; at <= proof.length; at += 1) {
    yield [proof.toSpliced(at, 0, extra), wrongLength]
    yield [proof.toSpliced(at, 0, proof[at] ?? extra), wrongLength]
  }
}

function* mutateInclusion(
  claim: Inclusion,
  { leaves, roots }: Trees,
): Generator<Mutation<Inclusion>> {
  const { leafIndex, treeSize, proof } = claim
  for (const [changed, refusal] of mutateProof(proof, claim.rootHash, noInclusion)) {
    yield [{ ...claim, proof: changed }, refusal]
  }
  for (const flipped of bitFlips(claim.leafHash))
    yield [{ ...claim, leafHash: flipped }, noInclusion]
  for (const flipped of bitFlips(claim.rootHash))
    yield [{ ...claim, rootHash: flipped }, noInclusion]
  for (const [index, other] of leaves.entries()) {
    if (index === leafIndex) continue
    yield [{ ...claim, leafHash: other }, noInclusion]
    yield [{ ...claim, leafIndex: index }, refuseInclusion(proof, index, treeSize)]
  }
  for (const [size, root] of roots.entries()) {
    if (size === treeSize) continue
    const refusal = refuseInclusion(proof, leafIndex, size)
    yield [{ ...claim, rootHash: root }, noInclusion]
    yield [{ ...claim, treeSize: size, rootHash: root }, refusal]
    const asksForSamePath =
      leafIndex < size && inclusionShape(leafIndex, size) === inclusionShape(leafIndex, treeSize)
    if (!asksForSamePath) yield [{ ...claim, treeSize: size }, refusal]
  }
}

function refuseInclusion(proof: readonly unknown[], leafIndex: number, treeSize: number): string {
  if (leafIndex >= treeSize) {
    return `malformed_proof: leaf ${leafIndex} is not in a tree of ${treeSize}`
  }
  return inclusionShape(leafIndex, treeSize).length === proof.length ? noInclusion : wrongLength
}

function* mutateConsistency(
  claim: Consistency,
  { roots }: Trees,
): Generator<Mutation<Consistency>> {
  const { from, to, fromRoot, toRoot, proof } = claim
  for (const [changed, refusal] of mutateProof(proof, toRoot, noConsistency)) {
    yield [{ ...claim, proof: changed }, refusal]
  }
  for (const flipped of bitFlips(fromRoot)) yield [{ ...claim, fromRoot: flipped }, noConsistency]
  for (const flipped of bitFlips(toRoot)) yield [{ ...claim, toRoot: flipped }, noConsistency]
  if (from !== to) {
    yield [{ ...claim, fromRoot: toRoot, toRoot: fromRoot }, noConsistency]
    yield [{ ...claim, from: to, to: from }, refuseConsistency(proof, to, from)]
  }
  for (const [size, root] of roots.entries()) {
    if (size !== from) {
      const refusal = refuseConsistency(proof, size, to)
      yield [{ ...claim, fromRoot: root }, noConsistency]
      yield [{ ...claim, from: size, fromRoot: root }, refusal]
      yield [{ ...claim, from: size }, refusal]
    }
    if (size !== to) {
      const refusal = refuseConsistency(proof, from, size)
      yield [{ ...claim, toRoot: root }, noConsistency]
      yield [{ ...claim, to: size, toRoot: root }, refusal]
      const asksForSamePath =
        from <= size && consistencyShape(from, size) === consistencyShape(from, to)
      if (!asksForSamePath) yield [{ ...claim, to: size }, refusal]
    }
  }
}

function refuseConsistency(proof: readonly unknown[], from: number, to: number): string {
  if (from < 1 || from > to) return `malformed_proof: nothing leads from ${from} leaves to ${to}`
  return consistencyShape(from, to).length === proof.length ? noConsistency : wrongLength
}

function verdict(check: () => void): string {
  try {
    check()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return `${error.code}: ${error.message}`
  }
}

function checkMutations<C extends Inclusion | Consistency>(
  t: ExecutionContext,
  claim: C,
  mutations: Iterable<Mutation<C>>,
  check: (claim: C) => void,
): void {
  t.is(
    verdict(() => check(claim)),
    'accepted',
  )
  for (const [mutated, refusal] of mutations) {
    // A change that changes nothing would prove nothing.
    if (isDeepStrictEqual(mutated, claim)) t.fail('a mutation is none')
    const answer = verdict(() => check(mutated))
    if (answer !== refusal) t.is(answer, refusal, inspect(mutated))
  }
}

/** Checks that every mutation of every inclusion proof up to `sizeMax` leaves is refused. */
export function checkInclusionMutations(t: ExecutionContext, sizeMax: number): void {
  const { read, ...trees } = makeTrees(sizeMax)
  for (let treeSize = 1; treeSize <= sizeMax; treeSize += 1) {
    const root = rootHash(treeSize, read)
    for (const [leafIndex, leafHash] of trees.leaves.slice(0, treeSize).entries()) {
      const proof = proveInclusion(leafIndex, treeSize, read)
      const claim = { leafHash, leafIndex, treeSize, proof, rootHash: root }
      checkMutations(t, claim, mutateInclusion(claim, trees), checkInclusion)
    }
  }
}

/** Checks that every mutation of every consistency proof up to `sizeMax` leaves is refused. */
export function checkConsistencyMutations(t: ExecutionContext, sizeMax: number): void {
  const { read, ...trees } = makeTrees(sizeMax)
  for (let to = 1; to <= sizeMax; to += 1) {
    for (let from = 1; from <= to; from += 1) {
      const [fromRoot, toRoot] = [rootHash(from, read), rootHash(to, read)]
      const claim = { from, to, fromRoot, toRoot, proof: proveConsistency(from, to, read) }
      checkMutations(t, claim, mutateConsistency(claim, trees), checkConsistency)
    }
  }
}

function makeTrees(sizeMax: number): Trees & { readonly read: HashReader } {
  const leaves = makeLeaves(sizeMax)
  const read = readLeaves(leaves)
  const roots = Array.from({ length: sizeMax + 1 }, (_, treeSize) => rootHash(treeSize, read))
  return { leaves, roots, read }
}
