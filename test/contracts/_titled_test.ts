import test, { type TestFn } from 'ava'

/** The `test` of a contract that a file holds more than once: `words` begin the titles. */
export function titled(words: string): TestFn {
  const titledTest = (title: string, ...rest: [never]) => test(`${words}: ${title}`, ...rest)
  return titledTest as TestFn
}
