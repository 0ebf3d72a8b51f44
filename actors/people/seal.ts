import type { NewEvent } from '#actors/journal/journal.ts'

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

/** An event before it is sealed: what is personal stands beside it. */
type Draft = Omit<NewEvent, 'data'> & { readonly data: object; readonly personal?: unknown }

/** The event of a person's stream that a draft becomes. */
export function sealDraft(ppid: string, { personal, ...event }: Draft, seal: PersonSeal): NewEvent {
  if (personal === undefined) return event
  return { ...event, data: { ...event.data, sealed: seal.seal(ppid, personal) } }
}
