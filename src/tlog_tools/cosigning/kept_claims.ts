import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'

const text = Type.String()

/** A claim of a witness against the log without a proof, at an ISO time of our clock. */
const claim = Type.Object({ at: text, said: text })

/** A witness that has said such things: whether it is set aside for it, and the newest of them. */
const accuser = Type.Object({
  name: text,
  vkey: text,
  url: text,
  set_aside: Type.Boolean(),
  claims: Type.Array(claim),
})

export type Accuser = Static<typeof accuser>

const fileSchema = Type.Object({ accusers: Type.Array(accuser) })

/** Claims of one witness that are kept, at most: about half a kilobyte each. */
const claimsMax = 10

/** Witnesses of which some are kept, at most: as many as a policy has. */
const accusersMax = 64

/** Where the claims of the witnesses of a log are kept, and a checkpoint that contradicts it. */
export function claimFiles(dataDir: string, log: string) {
  return {
    claims: path.join(dataDir, `${log}.witness-claims.json`),
    evidence: path.join(dataDir, `${log}.witness-evidence`),
  }
}

/** The witnesses whose claims are in a file; none if it is missing or damaged. */
export function readAccusers(file: string): readonly Accuser[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Check(fileSchema, value) ? value.accusers : []
  } catch {
    // Nothing that is kept here is needed to go on.
    return []
  }
}

/** The files of the claims, and the logger. */
export type KeptClaimsOptions = {
  readonly files: ReturnType<typeof claimFiles>
  readonly logger: Logger
}

/**
 * The claims of witnesses against a log without a proof, for its operator to look into, and
 * the checkpoint that has proven it. It owns their files; neither of them is needed to go on.
 */
export class KeptClaims {
  readonly #options: KeptClaimsOptions
  readonly #accusers: Map<string, Accuser>
  #writing: Promise<void> = Promise.resolve()

  constructor(options: KeptClaimsOptions) {
    this.#options = options
    const known = readAccusers(options.files.claims)
    this.#accusers = new Map(known.map((one) => [one.vkey, one]))
  }

  /** Whether the witness of a verifier key was set aside when that was last kept. */
  isSetAside(vkey: string): boolean {
    return this.#accusers.get(vkey)?.set_aside ?? false
  }

  /** Tells and keeps what a witness has said, and that it is set aside; resolves when written. */
  add(
    { name, vkey, url }: Pick<Accuser, 'name' | 'vkey' | 'url'>,
    said: Accuser['claims'][number],
  ): Promise<void> {
    const about = { witness: name, reason: said.said }
    this.#options.logger.error(
      about,
      'a witness contradicts the log without proof: it is set aside',
    )
    const claims = [...(this.#accusers.get(vkey)?.claims ?? []), said].slice(-claimsMax)
    this.#accusers.delete(vkey)
    this.#accusers.set(vkey, { name, vkey, url, set_aside: true, claims })
    const [oldest] = this.#accusers.keys()
    if (this.#accusers.size > accusersMax && oldest !== undefined) this.#accusers.delete(oldest)
    return this.#write()
  }

  /** Keeps that a witness is set aside no more; what it has said stays. */
  async settle(vkey: string): Promise<void> {
    const known = this.#accusers.get(vkey)
    if (known?.set_aside !== true) return
    this.#accusers.set(vkey, { ...known, set_aside: false })
    await this.#write()
  }

  /** The file of the checkpoint that contradicts the log. */
  get evidenceFile(): string {
    return this.#options.files.evidence
  }

  /** The checkpoint that was kept as one that contradicts the log; undefined if there is none. */
  evidence(): string | undefined {
    try {
      return readFileSync(this.evidenceFile, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#report(error)
      return undefined
    }
  }

  /** Keeps a checkpoint that contradicts the log, in place of an earlier one. */
  keepEvidence(checkpoint: string): Promise<void> {
    return this.#replace(this.evidenceFile, checkpoint)
  }

  #write(): Promise<void> {
    const accusers = [...this.#accusers.values()]
    const content = `${JSON.stringify({ accusers }, undefined, 2)}\n`
    return this.#replace(this.#options.files.claims, content)
  }

  #report(err: unknown): void {
    const { logger } = this.#options
    logger.error({ err }, 'what witnesses say against the log could not be read or kept')
  }

  /** One after the other, so that the newest content is what stays. */
  #replace(file: string, content: string): Promise<void> {
    const report = (error: unknown) => this.#report(error)
    this.#writing = this.#writing.then(() => replaceFile(file, content).catch(report))
    return this.#writing
  }
}
