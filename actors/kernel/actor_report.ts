/**
 * What becomes of an actor whose behaviour threw. `restart` drops the behaviour and makes a new
 * one for the next message, which reads the truth again; `resume` keeps it; `stop` stops the actor
 * and refuses what is queued.
 */
export type Directive = 'restart' | 'resume' | 'stop'

/** What the kernel tells its operator; `actor` is the actor's name, `message` a message's type. */
export type ActorReport =
  | {
      readonly type: 'fault'
      readonly actor: string
      readonly message: string
      readonly error: unknown
      readonly directive: Directive
    }
  /** Nobody waits for an answer to this message, and it will not be handled. */
  | {
      readonly type: 'dead_letter'
      readonly actor: string
      readonly message: string
      readonly reason: 'overloaded' | 'stopped'
    }
