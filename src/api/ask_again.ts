import { ActorError } from '#actors/kernel/actor_error.ts'

/**
 * Asks, and asks once more if the actor was stopping: its successor is there by then, and what it
 * refused was not begun.
 */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ActorError && error.code === 'stopped') return ask()
    throw error
  }
}
