import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import type { JoinedEnvironment } from '#actors/registry/served_environment.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { admin, arkOf, bodyOf, demo, metadataOf } from '#test/actors/_environment.ts'

/** What is asked of a thread that serves a registry. */
export type ServedMessage =
  | { readonly type: 'register'; readonly title: string; readonly reply: Reply<string> }
  | {
      readonly type: 'retitle'
      readonly ark: string
      readonly title: string
      readonly reply: Reply<void>
    }
  | { readonly type: 'resolve'; readonly ark: string; readonly reply: Reply<string> }
  | { readonly type: 'describe'; readonly reply: Reply<Described> }
  | { readonly type: 'prove'; readonly ark: string; readonly reply: Reply<string | undefined> }
  | { readonly type: 'organize'; readonly slug: string; readonly reply: Reply<string> }

/** What a thread knows of a registry as a whole. */
export type Described = {
  readonly treeSize: number
  readonly checkpoint: string
  readonly receiptKey: string
  readonly healthy: boolean
  readonly queueDepth: number
  readonly settled: boolean
}

/** What a registry offers whatever thread it runs in. */
export type Served = Omit<JoinedEnvironment, 'catchUp' | 'close' | 'status'> & {
  status(): { readonly healthy: boolean } | Promise<{ readonly healthy: boolean }>
}

/** Does what is asked, and answers it. */
export function carryOut(environment: Served, message: ServedMessage): true {
  const { reply } = message as { readonly reply: Reply<unknown> }
  perform(environment, message).then(
    (answer) => reply.resolve(answer),
    (error: unknown) => reply.reject(new ActorError('fault', String(error), { cause: error })),
  )
  return true
}

async function perform(environment: Served, message: ServedMessage): Promise<unknown> {
  switch (message.type) {
    case 'register':
      return registerTitled(environment, message.title)
    case 'retitle':
      return retitle(environment, message)
    case 'resolve': {
      const found = await environment.catalogue.resolve(message.ark, message.ark)
      const { metadata } = bodyOf(found) as { readonly metadata: { readonly work_title: string } }
      return metadata.work_title
    }
    case 'describe':
      return describe(environment)
    case 'prove': {
      const evidence = await environment.map?.prove(`ark:/${message.ark}`)
      if (evidence === undefined) return undefined
      const { leafIndex, leaf, proof, value } = evidence
      const parts = [leaf, proof, value ?? new Uint8Array()]
      return [leafIndex, ...parts.map(encodeHex)].join(' ')
    }
    case 'organize': {
      const body = { slug: message.slug, name: message.slug }
      const { type } = await environment.organizations.create({ body, by: admin })
      return `${type} ${environment.organizations.read(message.slug)?.name}`
    }
  }
}

async function registerTitled({ works }: Served, title: string): Promise<string> {
  const answer = await works.register({
    metadata: metadataOf(title),
    warnings: [],
    by: demo,
    allowDuplicate: true,
    allowRepeat: true,
    dryRun: false,
  })
  if (answer.type !== 'registered') throw new Error(`registering was ${answer.type}`)
  return arkOf(answer.work)
}

async function retitle(
  { works }: Served,
  { ark, title }: { readonly ark: string; readonly title: string },
): Promise<void> {
  const answer = await works.update({ ark, patch: { work_title: title }, by: demo })
  if (answer.type !== 'changed') throw new Error(`the update was ${answer.type}`)
}

async function describe(environment: Served): Promise<Described> {
  const { treeSize, checkpoint } = environment.log.head()
  const { healthy } = await environment.status()
  const { queue_depth: queueDepth } = await environment.fixity.overview()
  const receiptKey = environment.receiptKeys.publicKey
  const settled = (await environment.settle(1)) === 1
  return { treeSize, checkpoint, receiptKey, healthy, queueDepth, settled }
}
