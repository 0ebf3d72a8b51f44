import type {
  EnvironmentName,
  ServedEnvironment,
  ServedEnvironments,
} from '#actors/registry/environment.ts'
import type { ContentReader } from '#src/delivery/fetch/content_fetcher.ts'
import type { AccountMail } from '#src/delivery/mail/account_mail.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import type { RecordsTask, WrittenRecords } from '#src/discovery/oai/record_formats.ts'
import type { RecordSearch } from '#src/discovery/search/search_service.ts'
import type { Edge } from '#src/edge/edge.ts'
import type { MailLog } from '#src/delivery/mail/mail_log.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { MemberInvitations } from '#src/identity/accounts/member_invitations.ts'
import type { SavedSearches } from '#src/identity/accounts/saved_searches.ts'
import type { NewsSwitches } from '#src/identity/accounts/news_switches.ts'
import type { WorkReports } from '#src/identity/accounts/work_reports.ts'
import type { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import type { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import type { Passkeys } from '#src/identity/accounts/passkeys.ts'
import type { ReadNotices } from '#src/identity/accounts/read_notices.ts'
import type { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { SetupToken } from '#src/identity/accounts/setup_token.ts'
import type { KnownBrowsers, WebSessions } from '#src/identity/accounts/web_session.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import type { Suspensions } from '#src/identity/store/suspensions.ts'
import type { Operations, RegistryReadiness } from '#src/operations/operations.ts'
import type { Usage } from '#src/operations/usage/usage.ts'
import type { BulkChanges } from '#src/use_cases/bulk_change_jobs.ts'
import type { Branding, WorkTask, WrittenWork } from '#src/use_cases/landing_record.ts'
import type { WorkExporter } from '#src/use_cases/work_export.ts'
import type { ReadWorks } from '#src/use_cases/work_preparation.ts'

/** Everything about accounts that the pages and the commands use. */
export type AccountService = {
  readonly accounts: Accounts
  readonly sessions: WebSessions
  readonly browsers: KnownBrowsers
  readonly links: OneTimeLinks
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly readNotices: ReadNotices
  readonly switches: NewsSwitches
  readonly savedSearches: SavedSearches
  /** What readers report of works, and how it was answered. */
  readonly reports: WorkReports
  /** What was sent to whom, and what bounced. */
  readonly mailLog: MailLog
  readonly mail: AccountMail
  readonly setup: SetupToken
  readonly requests: OrganizationRequests
  readonly invitations: MemberInvitations
  readonly signUp: 'open' | 'invite' | 'off'
  /** Whether nobody administers the registry without a second step of the sign-in. */
  readonly adminsNeedSecondStep: boolean
  /** The public address of the pages and of the provider, without a slash at its end. */
  readonly authUrl: string
  /** 32 secret bytes from which the tokens of forms are made. */
  readonly csrfKey: Uint8Array
}

/** The address of the set-up, as long as nobody administers the registry. */
export function setupUrl({ setup, authUrl }: AccountService): string | undefined {
  return setup.token === undefined ? undefined : `${authUrl}/setup/${setup.token}`
}

/**
 * The people of one environment, and all that acts for them. Each has its own part of the identity
 * store, so that nothing of one is found in the other. `keys` of the live realm are also those of
 * organizations and of the operator, for whichever environment each of them is; those of the
 * sandbox are of its people only.
 */
export type Realm = {
  readonly accounts: AccountService
  readonly oauth: OAuthService
  readonly keys: KeyStore
  /** Where organizations hear of what happens to their works. */
  readonly webhooks: EndpointStore
  /** Changes of many works at once; those of both environments are in the live realm. */
  readonly bulkChanges: BulkChanges
  /** What is suspended: the same in both realms. */
  readonly suspensions: Suspensions
}

/** Both realms: what is given as it is belongs to the live one. */
export type Realms = Realm & { readonly sandbox: Realm }

/** The realm of an environment. */
export function realmOf(realms: Realms, name: EnvironmentName): Realm {
  return name === 'sandbox' ? realms.sandbox : realms
}

/** The settings that routes and pages need. */
type RegistryConfig = {
  readonly DATA_DIR: string
  readonly REPOSITORY_NAME: string
  readonly N2T_REDIRECT: boolean
  readonly RESUMPTION_TOKEN_TTL: number
  readonly MAX_RECORDS_PER_REQUEST: number
  readonly ENABLE_SETS: boolean
  readonly ADMIN_EMAIL?: string
  readonly OPERATOR_NAME?: string
  readonly PRIVACY_URL?: string
  readonly MAIL_FROM?: string
}

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
  /** Reads bodies of many works; by default with the threads of the process. */
  readonly readWorks?: ReadWorks
  /** Whether the registry can do its work. */
  readonly readiness: () => Promise<RegistryReadiness>
  /** How the registry has done of late; without it, no history is kept. */
  readonly operations?: Operations
  /** How often works are used; by default in memory. */
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
    readonly exporter: WorkExporter
    readonly branding: Branding
  }
