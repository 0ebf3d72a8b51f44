import type { RemoteOptions } from '#actors/kernel/remote.ts'

/** The bounds of a connection between the thread that runs a registry and one that serves it. */
export const connectionLimits: Pick<
  RemoteOptions,
  'askedMax' | 'messageCharactersMax' | 'answerMsMax'
> = {
  // As many as the mailbox of a kind of entity may hold.
  askedMax: 16_384,
  // The longest work that a request can bring, in JSON within JSON.
  messageCharactersMax: 8 * 1_048_576,
  answerMsMax: 600_000,
}
