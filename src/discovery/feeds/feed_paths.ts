/** The feed of the works that were registered or changed last. */
export const worksFeedPath = '/feeds/works.atom'

/** The feed of the log's checkpoints. */
export const logFeedPath = '/feeds/log.atom'

/** The feed of the works that an organization has registered. */
export function organizationFeedPath(slug: string): string {
  return `/feeds/organizations/${slug}.atom`
}

/** The feed of what happens to a work; `ark` is `ark:/naan/name`. */
export function workFeedPath(ark: string): string {
  return `/feeds/works/${ark}.atom`
}
