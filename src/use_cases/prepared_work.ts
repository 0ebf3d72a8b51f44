import { bodyHashOf } from '#actors/journal/idempotency.ts'
import { type MetadataDigest, digestOf, rememberDigest } from '#actors/receipts/metadata_digest.ts'
import { checkNewWork, type NewWorkCheck } from '#actors/works/metadata_checks.ts'

/** What is made of a body without a look at the registry, as plain data. */
export type WorkDraft = {
  readonly check: NewWorkCheck
  /** The SHA-256 of the body, in hex. */
  readonly bodyHash: string
  /** Of metadata that is as it should be. */
  readonly digest?: MetadataDigest
}

/** Checks the body of a work and digests what is to be stored of it. */
export function draftWork(body: unknown): WorkDraft {
  const check = checkNewWork(body)
  const bodyHash = bodyHashOf(body)
  return check.type === 'ok'
    ? { check, bodyHash, digest: digestOf(check.metadata) }
    : { check, bodyHash }
}

/** A work that a thread has drafted. It is a class so that no body can be taken for one. */
export class PreparedWork {
  readonly check: NewWorkCheck
  readonly bodyHash: string

  constructor({ check, bodyHash, digest }: WorkDraft) {
    if (check.type === 'ok' && digest !== undefined) rememberDigest(check.metadata, digest)
    this.check = check
    this.bodyHash = bodyHash
  }

  /** Stands for the body where the whole request is digested. */
  toJSON(): string {
    return this.bodyHash
  }
}
