import type { Environment } from '#actors/registry/environment.ts'

/** What of a registry is asked; each is an object of functions. */
const ports = [
  'works',
  'organizations',
  'people',
  'claims',
  'holdings',
  'harvest',
  'catalogue',
  'fixity',
  'records',
] as const

/** What of it is known without asking. */
type Parts = 'receiptKeys' | 'log' | 'origin' | 'vkey'

/** The commands and queries of a registry. */
export type Ports = Pick<Environment, (typeof ports)[number] | Parts>

/** The commands and queries of a registry, each of whose answers is noted as a line of text. */
export function noteAnswers(environment: Environment, answers: string[]): Ports {
  const noted = ports.map((name) => [name, notePort(name, environment[name], answers)])
  const { receiptKeys, log, origin, vkey } = environment
  return { receiptKeys, log, origin, vkey, ...Object.fromEntries(noted) } as Ports
}

function notePort<Port extends object>(name: string, port: Port, answers: string[]): Port {
  const note = (line: string, answer: unknown) => answers.push(`${line} ${textOf(answer)}`)
  return new Proxy(port, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      const path = `${name}.${String(member)}`
      if (typeof value === 'object' && value !== null) return notePort(path, value, answers)
      if (typeof value !== 'function') return value
      return (...asked: readonly unknown[]): unknown => {
        const line = `${path} ${textOf(asked)}`
        const answer: unknown = Reflect.apply(value, target, asked)
        if (answer instanceof Promise) return notePromise(answer, (told) => note(line, told))
        note(line, answer)
        return answer
      }
    },
  })
}

async function notePromise(
  answer: Promise<unknown>,
  note: (told: unknown) => void,
): Promise<unknown> {
  try {
    const told = await answer
    note(told)
    return told
  } catch (error) {
    note(String(error))
    throw error
  }
}

/** JSON, in which bytes are the text that they spell. */
function textOf(value: unknown): string {
  // Buffers turn themselves into lists of numbers before they are a member that is given.
  return JSON.stringify(value, function spell(this: Record<string, unknown>, name, member) {
    const whole = this[name]
    return whole instanceof Uint8Array ? Buffer.from(whole).toString('utf8') : (member as unknown)
  })
}
