/** Who registered a record and may change it. `id`: organization slug, ppid, or `operator`. */
export type Owner = {
  readonly type: 'organization' | 'person' | 'operator'
  readonly id: string
  readonly name: string
}

/** What an owner is known by: `id` is an organization's slug, a ppid, or `operator`. */
export type OwnerRef = Pick<Owner, 'type' | 'id'>

/** An owner as it stands in keys: `organization:demo`. */
export function formatOwner({ type, id }: OwnerRef): string {
  return `${type}:${id}`
}

/** The owner that such a text names. */
export function parseOwnerText(text: string): OwnerRef {
  const [type, id = ''] = text.split(':', 2)
  return { type: type as OwnerRef['type'], id }
}

/**
 * Who made a change, kept in every event for ever: for whom (`type`, `id`, `name`), by which key or
 * client, and by which way in; `service` is the registry by itself. `admin` is true when the change
 * used administrative rights, `limited` when it was made with a researcher's key, which has `mint`
 * or `update`. `on_behalf_of` is the ppid of the person who has permitted it, `member` that of the
 * member who acted for an organization on its pages, or of the administrator who acted there for
 * the operator. A person's `name` is their ppid: what people are called is not kept here.
 */
export type Agent = Owner & {
  readonly via: 'oauth' | 'api_key' | 'ui' | 'cli' | 'service'
  readonly key_id?: string
  readonly client_id?: string
  readonly on_behalf_of?: string
  readonly member?: string
  readonly admin?: boolean
  readonly limited?: boolean
}

/** An application, and the person for whom it acts. */
export type Client = { readonly client_id: string; readonly ppid: string }

/** The ppid of the person as whom, or for whom, somebody acts; undefined if for nobody. */
export function personOf(by: Agent): string | undefined {
  return by.on_behalf_of ?? (by.type === 'person' ? by.id : undefined)
}

/** Those by whose hand something is done: a person, also as a member; a key; an application. */
export type Actor = {
  readonly type: 'person' | 'key' | 'application'
  readonly id: string
}

const actorForm = /^(?<type>person|key|application):(?<id>[\w.-]{1,100})$/

/** The actor of a text such as `key:abc`; undefined for a text that names none. */
export function parseActor(text: string): Actor | undefined {
  const { type, id } = actorForm.exec(text)?.groups ?? {}
  return type === undefined || id === undefined ? undefined : { type: type as Actor['type'], id }
}

/** Whether something was done by the hand of an actor, for whomever. */
export function isDoneBy(by: Owner | Agent, { type, id }: Actor): boolean {
  const { key_id, client_id, member }: Partial<Agent> = by
  switch (type) {
    case 'key':
      return key_id === id
    case 'application':
      return client_id === id
    case 'person':
      return member === id || (by.type === 'person' && by.id === id && client_id === undefined)
  }
}

/** The application that acts, and for whom; undefined for who acts without one. */
export function clientOf(by: Agent): Client | undefined {
  const ppid = personOf(by)
  return by.client_id === undefined || ppid === undefined
    ? undefined
    : { client_id: by.client_id, ppid }
}

/** Whether somebody is the person themselves, by whatever way in but through an application. */
export function isPerson(by: Agent, ppid: string): boolean {
  return by.type === 'person' && by.id === ppid && by.client_id === undefined
}

/** Whether the registry's operator acts, by a key or a command. */
export function isOperator(by: Agent): boolean {
  return by.type === 'operator'
}

/** Whether somebody is the owner itself, by whatever way in but through an application. */
export function isOwner(by: Agent, owner: OwnerRef): boolean {
  return by.type === owner.type && by.id === owner.id && by.client_id === undefined
}

/**
 * Whether what `source` has written is somebody's own: an application's what it has written for the
 * same person, as whomever it wrote; everybody else's what was written as them, and an
 * organization's what its applications have written as well.
 */
export function isSource(by: Agent, source: Agent): boolean {
  const client = clientOf(by)
  if (client !== undefined) return isClient(client, clientOf(source))
  if (by.type === 'person') return isPerson(source, by.id)
  return by.type === source.type && by.id === source.id
}

/** Whether two are one application that acts for one person. */
export function isClient(one: Client, other: Client | undefined): boolean {
  return one.client_id === other?.client_id && one.ppid === other.ppid
}

/**
 * The ppid of the person for whom something was done that they did not do on the pages themselves;
 * undefined if there is none. They are shown what it was.
 */
export function writtenFor(by: Agent): string | undefined {
  const ppid = personOf(by)
  const isOwn = by.via === 'ui' && ppid !== undefined && isPerson(by, ppid)
  return isOwn ? undefined : ppid
}
