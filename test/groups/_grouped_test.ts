import { createRequire, registerHooks } from 'node:module'
import path from 'node:path'
import ava, { type ExecutionContext } from 'ava'

import { filesOf, testFolder } from '#test/groups/_groups.ts'

type Context = ExecutionContext<Record<string, unknown>>

type Implementation = (t: Context, ...args: unknown[]) => unknown

type Macro = {
  readonly exec: Implementation
  readonly title?: (given: string | undefined, ...args: unknown[]) => string
}

/** What a file of a group has declared: its hooks are carried out around its own tests only. */
class GroupedFile {
  readonly name: string
  readonly before: Implementation[] = []
  readonly after: Implementation[] = []
  readonly afterAlways: Implementation[] = []
  readonly beforeEach: Implementation[] = []
  readonly afterEach: Implementation[] = []
  #tests = 0
  #context: Promise<Record<string, unknown>> | undefined

  constructor(name: string) {
    this.name = name
  }

  /** Declares a test of this file. */
  declare(args: readonly unknown[]): void {
    const { title, exec, passed } = this.#read(args)
    this.#tests += 1
    // One test of a group runs at a time: each file has the machine as if it were alone.
    ava.serial(title, (t) => this.#run(t as Context, exec, passed))
  }

  /** Declares a test of this file that is left out. */
  skip(args: readonly unknown[]): void {
    ava.skip(this.#read(args).title, () => undefined)
  }

  /** What a test is declared with; the name of the file comes into its title. */
  #read(args: readonly unknown[]) {
    const [given, rest] =
      typeof args[0] === 'string' ? [args[0], args.slice(1)] : [undefined, args.slice(0)]
    const [carriedOut, ...passed] = rest as [Implementation | Macro, ...unknown[]]
    const { exec, title }: Macro =
      typeof carriedOut === 'function' ? { exec: carriedOut } : carriedOut
    const own = title === undefined ? given : title(given, ...passed)
    return { title: `${this.name} › ${own}`, exec, passed }
  }

  async #run(t: Context, exec: Implementation, args: readonly unknown[]): Promise<void> {
    this.#tests -= 1
    // What a test tears down comes first, for what was given last is carried out first.
    const isLast = this.#tests === 0
    if (isLast) this.#tearDown(t, this.afterAlways)
    this.#context ??= this.#open(t)
    Object.assign(t.context, await this.#context)
    this.#tearDown(t, this.afterEach)
    for (const hook of this.beforeEach) await hook(t)
    await exec(t, ...args)
    // What they assert is part of the last test: none can be failed once it has ended.
    if (isLast) for (const hook of this.after) await hook(t)
  }

  async #open(t: Context): Promise<Record<string, unknown>> {
    for (const hook of this.before) await hook(t)
    return { ...t.context }
  }

  #tearDown(t: Context, hooks: readonly Implementation[]): void {
    t.teardown(async () => {
      for (const hook of hooks) await hook(t)
    })
  }
}

let file: GroupedFile

const skip = (...args: unknown[]) => file.skip(args)
const serial = Object.assign((...args: unknown[]) => file.declare(args), { skip })

/** What is carried out by a hook, which may have a title. */
type HookArgs = readonly [Implementation] | readonly [string, Implementation]

const hookOf = (args: HookArgs) => (args.length === 1 ? args[0] : args[1])
const after = (...args: HookArgs) => void file.after.push(hookOf(args))
const always = (...args: HookArgs) => void file.afterAlways.push(hookOf(args))

/** What files of a group import for AVA. */
const groupedTest = Object.assign((...args: unknown[]) => file.declare(args), {
  skip,
  serial,
  macro: ava.macro,
  before: (...args: HookArgs) => void file.before.push(hookOf(args)),
  beforeEach: (...args: HookArgs) => void file.beforeEach.push(hookOf(args)),
  after: Object.assign(after, { always }),
  afterEach: { always: (...args: HookArgs) => void file.afterEach.push(hookOf(args)) },
})

/**
 * Declares the tests of all files of a group, by the name of its own file. The files import AVA
 * as ever; here they get what has each title begin with the name of the file.
 */
export function declareGroup(url: string): void {
  const globals = globalThis as { groupedTest?: typeof groupedTest }
  globals.groupedTest = groupedTest
  const source = 'export default globalThis.groupedTest'
  const standIn = `data:text/javascript,${encodeURIComponent(source)}`
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'ava' && context.parentURL !== import.meta.url
        ? { url: standIn, format: 'module', shortCircuit: true }
        : next(specifier, context),
  })
  const load = createRequire(url)
  for (const each of filesOf(path.basename(url, '.test.ts'))) {
    file = new GroupedFile(each)
    load(path.join(testFolder, each))
  }
}
