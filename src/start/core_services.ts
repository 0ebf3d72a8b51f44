import { ActorError } from '#actors/kernel/actor_error.ts'
import { answer } from '#actors/kernel/answer.ts'
import { ask, type Ref, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { faultOf, type SentFault, sentFault } from '#actors/kernel/sent_fault.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { RegistryParts } from '#src/use_cases/registry_edge.ts'
import { QueueError, type QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import { type ContentReading, readingLimits } from '#src/delivery/fetch/content_fetcher.ts'
import type { Readiness } from '#src/edge/readiness.ts'
import type { Span } from '#src/operations/history.ts'
import type { OperationsReport } from '#src/operations/operations.ts'
import {
  type IndexKind,
  SearchError,
  type SearchErrorCode,
} from '#src/discovery/search/search_engine.ts'
import type { FoundPage, RecordSearch, SearchQuery } from '#src/discovery/search/search_service.ts'

/** What one thread does for all that serve a registry. */
export type CoreServices = Pick<
  RegistryParts,
  'readiness' | 'operations' | 'search' | 'contentReader'
>

/** How a search ended: its own errors are answers, so that they keep their codes on the way. */
type Searched =
  | { readonly type: 'found'; readonly page: FoundPage }
  | { readonly type: 'queue_error'; readonly code: QueueErrorCode }
  | {
      readonly type: 'search_error'
      readonly code: SearchErrorCode
      readonly message: string
      readonly cause?: SentFault
    }

/** What may be given up: `call` is its name, and `isGone` says that it is given up already. */
type Call = { readonly call: number; readonly isGone: boolean }

type ServicesMessage =
  | { readonly type: 'describe_readiness'; readonly reply: Reply<Readiness> }
  | {
      readonly type: 'report_operations'
      readonly span: Span
      readonly reply: Reply<OperationsReport>
    }
  | (Call & {
      readonly type: 'find'
      readonly environment: EnvironmentName
      readonly kind: IndexKind
      readonly query: SearchQuery
      readonly caller: string
      readonly reply: Reply<Searched>
    })
  | (Call & {
      readonly type: 'read_content'
      readonly url: string
      readonly reply: Reply<ContentReading>
    })
  | { readonly type: 'give_up'; readonly call: number }

const name = 'services'

/**
 * Lets the other side of a connection use services of this one (`remoteServices`). What it waits
 * for is given up when it ends.
 */
export function offerServices(remote: Remote, services: CoreServices): void {
  const host = new CoreServicesHost(services)
  const ref = referTo(name, (message: ServicesMessage) => host.receive(message))
  remote.offer(name, () => ref)
  void remote.ended.then(() => host.close())
}

/** What one other side uses of the services: it owns the calls that this side waits for. */
class CoreServicesHost {
  readonly #services: CoreServices
  readonly #calls = new Map<number, AbortController>()

  constructor(services: CoreServices) {
    this.#services = services
  }

  receive(message: ServicesMessage): true {
    switch (message.type) {
      case 'describe_readiness': {
        const { readiness } = this.#services
        return answer(message.reply, readiness(), 'readiness could not be read')
      }
      case 'report_operations': {
        const { operations } = this.#services
        const report = operations?.report(message.span) ?? Promise.reject(notWatched())
        return answer(message.reply, report, 'operations could not be read')
      }
      case 'find':
        return answer(message.reply, this.#find(message), 'search failed')
      case 'read_content': {
        const { contentReader } = this.#services
        const reading = this.#call(message, (signal) => contentReader.read(message.url, signal))
        return answer(message.reply, reading, 'content could not be read')
      }
      case 'give_up':
        this.#calls.get(message.call)?.abort()
        return true
    }
  }

  close(): void {
    for (const call of this.#calls.values()) call.abort()
  }

  async #find(message: Extract<ServicesMessage, { type: 'find' }>): Promise<Searched> {
    const { environment, kind, query, caller } = message
    const service = this.#services.search?.[environment]
    if (service === undefined) throw new ActorError('stopped', 'nothing is searched')
    try {
      const find = (signal: AbortSignal) => service.find(kind, query, { caller, signal })
      return { type: 'found', page: await this.#call(message, find) }
    } catch (error) {
      if (error instanceof QueueError) return { type: 'queue_error', code: error.code }
      if (!(error instanceof SearchError)) throw error
      const { code, cause, message: text } = error
      const sent = cause !== undefined && { cause: sentFault(cause) }
      return { type: 'search_error', code, message: text, ...sent }
    }
  }

  async #call<T>({ call, isGone }: Call, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    if (isGone) controller.abort()
    this.#calls.set(call, controller)
    try {
      return await run(controller.signal)
    } finally {
      this.#calls.delete(call)
    }
  }
}

function notWatched(): ActorError {
  return new ActorError('stopped', 'no history of the registry is kept')
}

/** How long the other side may take, and whether it searches. */
export type ServicesOptions = { readonly askTimeoutMs: number; readonly searches: boolean }

/**
 * The services of the other side of a connection. They have the errors that they have there, and
 * ActorError when that side has ended or takes too long; then it gives up what it was at.
 */
export function remoteServices(
  remote: Remote,
  { askTimeoutMs, searches }: ServicesOptions,
): CoreServices {
  const owner = remote.at<ServicesMessage>(name, '')
  const calls = callsOf(owner)
  const searchOf = (environment: EnvironmentName): RecordSearch => ({
    async find(kind, query, { caller, signal }) {
      const question = { type: 'find', environment, kind, query, caller } as const
      return pageOf(
        await calls(signal, (call) => ask(owner, { ...question, ...call }, askTimeoutMs)),
      )
    },
  })
  // The other side gives a reading up by itself, and says so.
  const readingMs = readingLimits.readingMs + askTimeoutMs
  return {
    readiness: () => ask(owner, { type: 'describe_readiness' }, askTimeoutMs),
    operations: {
      report: (span) => ask(owner, { type: 'report_operations', span }, askTimeoutMs),
    },
    ...(searches && { search: { live: searchOf('live'), sandbox: searchOf('sandbox') } }),
    contentReader: {
      read: (url, gone) =>
        calls(gone, (call) => ask(owner, { type: 'read_content', url, ...call }, readingMs)),
    },
  }
}

/** Makes calls that the other side gives up when their signal is aborted, or their time is up. */
function callsOf(owner: Ref<ServicesMessage>) {
  let count = 0
  return async <T>(
    signal: AbortSignal | undefined,
    run: (call: Call) => Promise<T>,
  ): Promise<T> => {
    count += 1
    const call = count
    const giveUp = () => void tell(owner, { type: 'give_up', call })
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await run({ call, isGone: signal?.aborted === true })
    } catch (error) {
      if (error instanceof ActorError && error.code === 'timeout') giveUp()
      throw error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

function pageOf(searched: Searched): FoundPage {
  switch (searched.type) {
    case 'found':
      return searched.page
    case 'queue_error':
      throw new QueueError(searched.code)
    case 'search_error': {
      const { code, message, cause } = searched
      throw new SearchError(code, message, cause && { cause: faultOf(cause) })
    }
  }
}
