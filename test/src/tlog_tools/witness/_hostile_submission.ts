import fc from 'fast-check'

import { type Signer, signNote } from '#log/tlog/note.ts'
import { submissionOf, WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

/** Leaves of the histories, and where the second one leaves the first. */
const leafCount = 40
const branchesAt = 12

const stranger = new WitnessedHistory('stranger.example/log', { seed: 4 }).signer
const hash = Buffer.alloc(32, 5).toString('base64')

/** What a submission is made of: each part right, or wrong in some way. */
export type Recipe = {
  readonly isKnown: boolean
  readonly signers: keyof typeof signatures
  /** The old size beside that of the witness. */
  readonly oldBy: number
  /** The size beside that of the witness. */
  readonly sizeBy: number
  readonly history: 0 | 1
  readonly hasOtherRoot: boolean
  readonly proof: keyof typeof proofs
  readonly form: keyof typeof forms
}

const signatures = {
  right: (signer: Signer) => [signer],
  'beside a stranger’s': (signer: Signer) => [stranger, signer],
  'a stranger’s': () => [stranger],
  wrong: (signer: Signer) => [wrong(signer)],
  'right and wrong': (signer: Signer) => [signer, wrong(signer)],
} satisfies Record<string, (signer: Signer) => readonly Signer[]>

const wrong = (signer: Signer): Signer => ({ ...signer, sign: () => new Uint8Array(64) })

const proofs = {
  right: (lines: readonly string[]) => lines,
  'one line more': (lines: readonly string[]) => [...lines, hash],
  'one line less': (lines: readonly string[]) => lines.slice(1),
  'another first line': (lines: readonly string[]) => [hash, ...lines.slice(1)],
  reversed: (lines: readonly string[]) => lines.toReversed(),
  'none at all': () => [],
  '63 lines': () => Array.from({ length: 63 }, () => hash),
} satisfies Record<string, (lines: readonly string[]) => readonly string[]>

const forms = {
  right: (body: string) => body,
  'a zero before the old size': (body: string) => body.replace('old ', 'old 0'),
  'a byte behind': (body: string) => `${body}x`,
  'a line feed behind': (body: string) => `${body}\n`,
  'no last line feed': (body: string) => body.slice(0, -1),
  'carriage returns': (body: string) => body.replaceAll('\n', '\r\n'),
  '64 lines': (body: string) => body.replace('\n', `\n${`${hash}\n`.repeat(64)}`),
  'a line that is no hash': (body: string) => body.replace('\n', '\nAAAA\n'),
  'an extension line': (body: string) => body.replace('\n\n—', '\nextension\n\n—'),
  'no empty line': (body: string) => body.replaceAll('\n\n', '\n'),
  'a space at the end of a line': (body: string) => body.replace('\n', ' \n'),
} satisfies Record<string, (body: string) => string>

/** Mostly right, in each part by itself: else every submission would have many faults. */
function mostly<T>(right: T, wrongs: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrongs) },
  )
}

function others<T extends object>(table: T): (keyof T)[] {
  return (Object.keys(table) as (keyof T)[]).slice(1)
}

export const anyRecipe: fc.Arbitrary<Recipe> = fc.record({
  isKnown: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  signers: mostly('right', others(signatures)),
  oldBy: mostly(0, [-9, -2, -1, 1, 2, 9]),
  sizeBy: fc.constantFrom(-3, -1, 0, 0, 1, 2, 3, 5, 8),
  history: mostly<0 | 1>(0, [1]),
  hasOtherRoot: mostly(false, [true]),
  proof: mostly('right', others(proofs)),
  form: mostly('right', others(forms)),
})

/** A submission, and the one status that the specification has for it. */
export type Expected = {
  readonly body: string
  readonly text: string
  readonly size: number
  readonly status: number
}

/** One log with two histories, and where a witness must be that was sent all that was expected. */
export class ModelLog {
  readonly origin: string
  readonly histories: readonly [WitnessedHistory, WitnessedHistory]
  /** The size that was cosigned last, and in which history; undefined before the first. */
  last: { readonly size: number; readonly history: WitnessedHistory } | undefined

  constructor(origin: string) {
    const first = new WitnessedHistory(origin).branch(0, leafCount, `${origin} a`)
    this.origin = origin
    this.histories = [first, first.branch(branchesAt, leafCount, `${origin} b`)]
  }

  /** What a recipe makes where the witness is now. */
  expect(recipe: Recipe): Expected {
    const at = this.last?.size ?? 0
    const size = Math.min(leafCount, Math.max(0, at + recipe.sizeBy))
    const oldSize = Math.max(0, at + recipe.oldBy)
    const history = this.histories[recipe.history]
    const root = recipe.hasOtherRoot ? Buffer.alloc(32, 7) : history.root(size)
    const known = history.text(size, root)
    const text = recipe.isKnown ? known : known.replace(this.origin, 'unknown.example/log')
    const right = oldSize <= size ? history.proof(oldSize, size) : []
    const proof = proofs[recipe.proof](right)
    const note = signNote(text, signatures[recipe.signers](history.signer))
    const whole = submissionOf(oldSize, proof, note)
    const body = forms[recipe.form](whole)
    const isRightProof = proof.join() === right.join()
    const facts = { at, oldSize, size, history, isRightProof }
    return { body, text, size, status: this.#status(recipe, facts) }
  }

  /** The statuses in the order of the checks; each is asked for only if those before it are not. */
  #status(
    recipe: Recipe,
    facts: {
      readonly at: number
      readonly oldSize: number
      readonly size: number
      readonly history: WitnessedHistory
      readonly isRightProof: boolean
    },
  ): number {
    const { at, oldSize, size, history, isRightProof } = facts
    // The line was added behind the signatures.
    if (recipe.form === 'an extension line') return recipe.isKnown ? 403 : 404
    if (recipe.form !== 'right') return 400
    if (!recipe.isKnown) return 404
    if (recipe.signers !== 'right' && recipe.signers !== 'beside a stranger’s') return 403
    if (oldSize > size) return 400
    if (oldSize !== at) return 409
    const isContinued = this.last === undefined || isPrefix(this.last, history)
    if (recipe.hasOtherRoot && (at > 0 || size === 0)) return 422
    return isContinued && isRightProof ? 200 : 422
  }
}

function isPrefix(
  { size, history: before }: { readonly size: number; readonly history: WitnessedHistory },
  after: WitnessedHistory,
): boolean {
  return before === after || size <= branchesAt
}
