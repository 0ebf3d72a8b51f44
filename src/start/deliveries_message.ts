import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { DelivererStatus } from '#src/delivery/webhooks/deliverer.ts'

/** Under which name the thread that runs a registry takes what the one says that delivers. */
export const deliveriesName = 'deliveries'

/** What the thread that delivers says to the one that runs the registry. */
export type DeliveriesMessage =
  | {
      readonly type: 'note_status'
      readonly environment: EnvironmentName
      readonly status: DelivererStatus
    }
  /** An endpoint was given up, and its owners are not yet told: they are to be, once. */
  | {
      readonly type: 'tell_failure'
      readonly environment: EnvironmentName
      readonly endpoint: string
    }
