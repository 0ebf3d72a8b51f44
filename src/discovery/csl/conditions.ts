import type { CslElement } from '#src/discovery/csl/csl_data.ts'
import { isNumeric } from '#src/discovery/csl/numbers.ts'
import type { Rendering } from '#src/discovery/csl/rendering.ts'

/** Whether a branch of a style is the one for an item. */
export type Condition = (rendering: Rendering) => boolean

/** What is known of an item before it is read. */
export type KnownItem = {
  readonly type: string
  /** The variables that it may have, each with its place. */
  readonly variables: ReadonlyMap<string, number>
  /** Whether it is cited in a text, for the first time, and not listed at its end. */
  readonly isInText: boolean
}

type Test = (value: string, known: KnownItem) => boolean | Condition

const tests: Readonly<Record<string, Test>> = {
  // An item has one type: a test of several asks for one of them, however it is matched.
  type: (value, { type }) => value.split(/\s+/).includes(type),
  variable: (value, { variables }) => {
    const place = variables.get(value)
    return place !== undefined && ((rendering) => rendering.has(place))
  },
  'is-numeric': (value, { variables }) => {
    const place = variables.get(value)
    return place !== undefined && ((rendering) => isNumeric(rendering.textOf(place)))
  },
  // A reference alone has no place among others, and our dates are certain.
  'is-uncertain-date': () => false,
  locator: () => false,
  position: (value, { isInText }) => isInText && value === 'first',
  disambiguate: () => false,
}

/** The condition of an `if`, an `else-if` or an `else`; what is known is decided at once. */
export function conditionOf(
  { name, attributes }: CslElement,
  known: KnownItem,
): boolean | Condition {
  if (name === 'else') return true
  const { match = 'all', ...asked } = attributes
  const found = Object.entries(asked).flatMap(([test, values]) => {
    const make = tests[test]
    if (make === undefined) throw new Error(`a style asks what is not known: ${test}`)
    const asOne = test === 'type' ? [values] : values.split(/\s+/)
    return asOne.map((value) => make(value, known))
  })
  const open = found.filter((one) => typeof one !== 'boolean')
  const [only] = open
  if (match === 'all') {
    if (found.includes(false)) return false
    if (open.length === 1 && only !== undefined) return only
    return only === undefined || ((rendering) => open.every((isMet) => isMet(rendering)))
  }
  if (found.includes(true)) return match === 'any'
  if (only === undefined) return match === 'none'
  if (match === 'any' && open.length === 1) return only
  if (match === 'any') return (rendering) => open.some((isMet) => isMet(rendering))
  return (rendering) => !open.some((isMet) => isMet(rendering))
}
