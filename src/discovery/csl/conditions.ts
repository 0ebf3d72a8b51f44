import type { XmlElement } from '#src/discovery/citation_files/xml_tree.ts'
import { isNumeric } from '#src/discovery/csl/numbers.ts'
import type { Rendering } from '#src/discovery/csl/rendering.ts'

/** Whether a branch of a style is the one for an item. */
export type Condition = (rendering: Rendering) => boolean

const tests: Readonly<Record<string, (value: string) => Condition>> = {
  type:
    (value) =>
    ({ item }) =>
      item.type === value,
  variable: (value) => (rendering) => rendering.has(value),
  'is-numeric': (value) => (rendering) => isNumeric(rendering.textOf(value) ?? ''),
  // A reference alone has no place among others, and our dates are certain.
  'is-uncertain-date': () => () => false,
  locator: () => () => false,
  position: () => () => false,
  disambiguate: () => () => false,
}

/** The condition of an `if`, an `else-if` or an `else`. */
export function conditionOf({ name, attributes }: XmlElement): Condition {
  if (name === 'else') return () => true
  const { match = 'all', ...asked } = attributes
  const conditions = Object.entries(asked).flatMap(([test, values]) => {
    const make = tests[test]
    if (make === undefined) throw new Error(`a style asks what is not known: ${test}`)
    return values.split(/\s+/).map((value) => make(value))
  })
  if (match === 'any') return (rendering) => conditions.some((isMet) => isMet(rendering))
  if (match === 'none') return (rendering) => !conditions.some((isMet) => isMet(rendering))
  return (rendering) => conditions.every((isMet) => isMet(rendering))
}
