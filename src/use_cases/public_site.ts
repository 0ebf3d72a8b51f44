import type { EnvironmentName } from '#actors/registry/environment.ts'

/** What public pages are told of the registry. */
export type PublicSite = {
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** `authUrl` is the public address of the pages of accounts. */
  readonly accounts: { readonly authUrl: string }
}

/** What is told of a NAAN whose ARKs are resolved here. */
export type NaanFacts = {
  /** `ark:12345`. */
  readonly ark: string
  readonly naan: string
  readonly environment: EnvironmentName
  /** Whether the NAAN is one that anybody may use in examples: its ARKs do not persist. */
  readonly is_example: boolean
  /** The address that an ARK is put after. */
  readonly resolver: string
  readonly policy: string
}
