/** Why a message was not handled. */
export type RefusalReason = 'overloaded' | 'stopped' | 'clock_wrong'

/** What the kernel tells its operator; `actor` is the actor's name, `message` a message's type. */
export type ActorReport =
  | {
      readonly type: 'fault'
      readonly actor: string
      readonly message: string
      readonly error: unknown
    }
  /** Nobody waits for an answer to this message, and it will not be handled. */
  | {
      readonly type: 'dead_letter'
      readonly actor: string
      readonly message: string
      readonly reason: RefusalReason
    }
