import { answer } from '#actors/kernel/answer.ts'
import { ask, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { RequestCounts, RequestDurations } from '#src/edge/request_durations.ts'

/** What a thread is asked that counts requests. */
type DurationsMessage = {
  readonly type: 'describe_requests'
  readonly reply: Reply<readonly RequestCounts[]>
}

const name = 'request durations'

/** How long whoever reads the metrics waits for a thread, which is busy then or hangs. */
const askTimeoutMs = 2_000

/** Lets the other side of a connection add what is counted here (`includeDurations`). */
export function offerDurations(remote: Remote, durations: RequestDurations): void {
  const ref = referTo(name, ({ reply }: DurationsMessage) => {
    return answer(reply, Promise.resolve(durations.counts()), 'the requests could not be counted')
  })
  remote.offer(name, () => ref)
}

/** Adds what the other side of a connection counts, and keeps what it told last when it ends. */
export function includeDurations(remote: Remote, durations: RequestDurations): void {
  const counting = remote.at<DurationsMessage>(name, '')
  const end = durations.include(() => ask(counting, { type: 'describe_requests' }, askTimeoutMs))
  void remote.ended.then(end)
}
