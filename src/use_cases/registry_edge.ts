import type {
  ServedEnvironment,
  EnvironmentName,
  ServedEnvironments,
} from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import type { ReadWorks } from '#src/use_cases/work_preparation.ts'
import type { WorkTask, WrittenWork } from '#src/use_cases/work_task.ts'
import type { RecordsTask, WrittenRecords } from '#src/discovery/oai/record_formats.ts'
import type { Edge } from '#src/edge/edge.ts'
import type { Readiness } from '#src/edge/readiness.ts'
import type { ContentReader } from '#src/delivery/fetch/content_fetcher.ts'
import type { Operations } from '#src/operations/operations.ts'
import type { Usage } from '#src/usage/usage.ts'
import type { RecordSearch } from '#src/discovery/search/search_service.ts'
import type { Realms } from '#src/use_cases/realm.ts'

/** The settings that routes of a registry go by. */
type RegistryConfig = Pick<
  Config,
  | 'REPOSITORY_NAME'
  | 'N2T_REDIRECT'
  | 'RESUMPTION_TOKEN_TTL'
  | 'MAX_RECORDS_PER_REQUEST'
  | 'ENABLE_SETS'
  | 'ADMIN_EMAIL'
  | 'OPERATOR_NAME'
  | 'PRIVACY_URL'
  | 'MAIL_FROM'
>

/** Where works are registered and records are read, and the base of the links in replies. */
export type Registry = { readonly environment: ServedEnvironment; readonly baseUrl: string }

/** What a registry's own server has to give to its routes, beside what every server of ours has. */
export type RegistryParts = Realms & {
  readonly config: RegistryConfig
  readonly environments: ServedEnvironments
  /** 32 bytes that sign the tokens with which harvests go on. */
  readonly harvestKey: Uint8Array
  /** Reads content that a caller wants to have verified now. */
  readonly contentReader: Pick<ContentReader, 'read'>
  /** Reads bodies of many works; with the threads of the process unless told. */
  readonly readWorks?: ReadWorks
  /** Whether the registry can do its work. */
  readonly readiness: () => Promise<Readiness>
  /** How the registry has done of late; without it, no history is kept. */
  readonly operations?: Operations
  /** How often works are used; in memory unless told. */
  readonly usage?: Usage
  /** Without it, nothing is searched. */
  readonly search?: Readonly<Record<EnvironmentName, RecordSearch>>
}

/** What the routes of a registry may be given; each takes by `Pick` what it uses. */
export type RegistryEdge = RegistryParts &
  Pick<
    Edge,
    | 'admit'
    | 'count'
    | 'takeTurn'
    | 'turnQueues'
    | 'describeInterface'
    | 'baseUrl'
    | 'nowMs'
    | 'elapsedMs'
  > & {
    /** Both write in another thread what is long. They reject with RenderingError. */
    readonly writeWork: (task: WorkTask) => Promise<WrittenWork>
    readonly writeRecords: (task: RecordsTask) => Promise<WrittenRecords>
  }
