import { asActorError } from '#actors/kernel/actor_error.ts'
import type { Reply } from '#actors/kernel/kernel.ts'

/**
 * Answers a question when a promise has settled, for what takes messages without being an actor. A
 * fault reaches who has asked under `failure`, a sentence.
 */
export function answer<T>(reply: Reply<T>, answered: Promise<T>, failure: string): true {
  answered.then(
    (value) => reply.resolve(value),
    (error: unknown) => reply.reject(asActorError(error, failure)),
  )
  return true
}
