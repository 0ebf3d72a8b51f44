/** Who registered a record and may change it. `id`: organization slug, ppid, or `operator`. */
export type Owner = {
  readonly type: 'organization' | 'person' | 'operator'
  readonly id: string
  readonly name: string
}

/**
 * Who made a change, kept in every event for ever: for whom (`type`, `id`, `name`), by which key or
 * client, and by which way in; `service` is the registry by itself. `admin` is true when the change
 * used administrative rights. `on_behalf_of` is the ppid of the person who has permitted it,
 * `member` that of the member who acted for an organization on its pages. A person's `name` is
 * their ppid: what people are called is not kept here.
 */
export type Agent = Owner & {
  readonly via: 'oauth' | 'api_key' | 'ui' | 'cli' | 'service'
  readonly key_id?: string
  readonly client_id?: string
  readonly on_behalf_of?: string
  readonly member?: string
  readonly admin?: boolean
}
