/** Why a job was given up: it took too long, or more memory than it may; or its thread died. */
export type RenderingErrorCode = 'too_slow' | 'too_large' | 'thread_failed'

const messages: Readonly<Record<RenderingErrorCode, string>> = {
  too_slow: 'the rendering took too long and was ended',
  too_large: 'the rendering took too much memory and was ended',
  thread_failed: 'the thread that renders has failed',
}

/** A rendering that was not brought to its end. */
export class RenderingError extends Error {
  readonly code: RenderingErrorCode

  constructor(code: RenderingErrorCode, options?: ErrorOptions) {
    super(messages[code], options)
    this.name = 'RenderingError'
    this.code = code
  }
}
