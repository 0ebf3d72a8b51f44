/** One wrong field of an input: its path, a literal code, and a message that says what is right. */
export type FieldFault = { readonly field: string; readonly code: string; readonly message: string }

export type Invalid = { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/** Faults that one answer tells: enough to mend any honest input in one round. */
export const faultsMax = 100

// Names come from the client; a longer one is cut where it is quoted.
const quotedNameMax = 100

/** The faults of one input, gathered while it is read, and what was put right in it. */
export class FaultList {
  readonly #faults: FieldFault[] = []
  readonly #warnings: FieldFault[] = []
  #count = 0

  /** The first `faultsMax` faults. */
  get faults(): readonly FieldFault[] {
    return this.#faults
  }

  /** What was put right and its sender should know, the first `faultsMax` of it. */
  get warnings(): readonly FieldFault[] {
    return this.#warnings
  }

  /** How many faults there were, with those beyond the bound. */
  get count(): number {
    return this.#count
  }

  /** Whether further faults would not be told, so that there is no need to word them. */
  get isFull(): boolean {
    return this.#count >= faultsMax
  }

  /** Adds a fault of the field at `path`; beyond `faultsMax` it is counted but not told. */
  add(path: string, code: string, message: string): void {
    this.#count += 1
    if (this.#faults.length < faultsMax) this.#faults.push({ field: path, code, message })
  }

  /** Adds a warning of the field at `path`, which is no fault. */
  warn(path: string, code: string, message: string): void {
    if (this.#warnings.length < faultsMax) this.#warnings.push({ field: path, code, message })
  }

  /** Adds a fault of the code `wrong_type`; `expected` is such as `a string`. */
  addWrongType(path: string, expected: string, value: unknown): void {
    const subject = path === '' ? 'the body' : path
    this.add(path, 'wrong_type', `${subject} must be ${expected}, not ${nameType(value)}`)
  }
}

/** The path of a member: `funding[0].award`. A long name is cut. */
export function memberPath(path: string, name: string): string {
  const isLong = name.length > quotedNameMax
  const shown = isLong ? `${name.slice(0, quotedNameMax).toWellFormed()}…` : name
  return path === '' ? shown : `${path}.${shown}`
}

function nameType(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
