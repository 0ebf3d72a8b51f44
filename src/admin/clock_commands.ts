import type { ClockGuard, ClockStatus } from '#actors/journal/clock_guard.ts'
import { formatClockFault } from '#actors/journal/clock_judgement.ts'
import type { Environments } from '#actors/registry/environment.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { AdminReplies, LogClockReply } from '#src/admin/command_table.ts'
import { HttpError } from '#src/errors.ts'

type ClockRegistry = { readonly environments: Environments; readonly clockGuard: ClockGuard }

/** The commands of the admin socket about the clock. Every refusal is an HttpError. */
export class ClockCommands {
  readonly #registry: ClockRegistry

  constructor(registry: ClockRegistry) {
    this.#registry = registry
  }

  status(): AdminReplies['/clock/status'] {
    const { live, sandbox } = this.#registry.environments
    const nowMs = Date.now()
    return {
      now: formatTimestamp(nowMs),
      live: clockReply(live.clock.status(), nowMs),
      sandbox: clockReply(sandbox.clock.status(), nowMs),
    }
  }

  /** Goes on with the clock as it is, although something speaks against it. */
  accept(): AdminReplies['/clock/accept'] {
    const { clockGuard, environments } = this.#registry
    const fault = clockGuard.accept()
    if (fault?.by === 'release') throw new HttpError('conflict', formatClockFault(fault))
    if (fault !== undefined) {
      for (const { clock } of Object.values(environments)) clock.restart()
    }
    return { ...this.status(), accepted: fault ? formatClockFault(fault) : null }
  }
}

function clockReply({ problem, logAheadMs }: ClockStatus, nowMs: number): LogClockReply {
  return {
    problem: problem ?? null,
    dated_until: logAheadMs === 0 ? null : formatTimestamp(nowMs + logAheadMs),
  }
}
