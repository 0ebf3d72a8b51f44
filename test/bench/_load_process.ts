// The load in a process of its own: gets plans as messages, answers each with what it saw.

import { readFileSync } from 'node:fs'

import { formatRequest, type LoadResult, runLoad } from '#test/bench/_load.ts'
import { createWork, seededRandom } from '#test/bench/_works.ts'

/**
 * What to ask for. `mint`: works from number `first` on, one a request. `get`: the paths of a file
 * with one a line, drawn evenly; only its first `pathsMax` lines if given.
 */
export type LoadPlan = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly headers: Readonly<Record<string, string>>
} & (
  | { readonly type: 'mint'; readonly path: string; readonly first: number }
  | { readonly type: 'get'; readonly pathsFile: string; readonly pathsMax?: number; seed: number }
)

process.on('message', (plan: LoadPlan) => {
  void runLoad({ ...plan, request: requestsOf(plan) }).then((result: LoadResult) =>
    process.send?.(result),
  )
})

process.once('disconnect', () => process.exit())

function requestsOf(plan: LoadPlan): (n: number) => Buffer {
  if (plan.type === 'mint') {
    const { path, headers, first } = plan
    return (n) => formatRequest('POST', path, headers, JSON.stringify(createWork(first + n)))
  }
  const paths = readFileSync(plan.pathsFile, 'utf8').trimEnd().split('\n').slice(0, plan.pathsMax)
  const random = seededRandom(plan.seed)
  return () => {
    const path = paths[Math.floor(random() * paths.length)] ?? ''
    return formatRequest('GET', path, plan.headers)
  }
}
