/**
 * Seals what is personal with a key of the person's own, bound to their ppid. `open` gives
 * undefined once that key was destroyed; to seal without a key is an assertion, as is to open what
 * was not sealed for this ppid.
 */
export type PersonSeal = {
  /** Seals a JSON value into a printable ASCII text. */
  seal(ppid: string, value: unknown): string
  open(ppid: string, sealed: string): unknown
}
