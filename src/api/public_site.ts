/** What public pages are told of the registry. */
export type PublicSite = {
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** `authUrl` is the public address of the pages of accounts. */
  readonly accounts: { readonly authUrl: string }
}
