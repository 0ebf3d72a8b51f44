import test from 'ava'

import type { UsageReport } from '#src/use_cases/usage_report.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { english } from '#src/words/language.ts'

const months = ['2026-01', '2026-02', '2026-03']

function reportOf(resolutions: readonly number[]): UsageReport {
  const none = { landings: 0, verifications: 0, harvests: 0 }
  const sum = resolutions.reduce((all, one) => all + one, 0)
  return {
    granularity: 'month',
    from: '2026-01',
    to: '2026-03',
    total: { resolutions: sum, ...none },
    periods: months.map((period, index) => {
      return { period, resolutions: resolutions[index] ?? 0, ...none }
    }),
  }
}

const drawn = (resolutions: readonly number[]) =>
  usageFigure(reportOf(resolutions), { heading: 'Uses', href: '/v1/works/x/usage' }).html(english)

/** What is read of markup, on one line. */
const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

test('without any use there is a sentence, and no drawing', (t) => {
  const text = drawn([])
  t.false(text.includes('<svg'))
  t.regex(wordsOf(text), /Not resolved or read from 2026-01 to 2026-03/)
})

test('the month that is not over is said to be so, in words and in the table', (t) => {
  const text = drawn([3, 4, 1])
  t.regex(
    wordsOf(text),
    /8 times from 2026-01 to 2026-03\. The last month is not over yet\. Robots/,
  )
  const heads = [...text.matchAll(/<th[^>]*scope="row"[^>]*>([^]*?)<\/th>/g)]
  const told = heads.map(([, head = '']) => head.replaceAll(/<[^>]*>/g, ''))
  t.deepEqual(told, ['2026-03, so far', '2026-02', '2026-01'])
  t.true(
    heads.every(([head]) => head.includes('class="period"')),
    'no month is broken in two',
  )
})

test('ten uses and ten million are drawn as high, with their numbers in words', (t) => {
  for (const [most, shown] of [
    [10, '10'],
    [10_000_000, '10,000,000'],
  ] as const) {
    const text = drawn([most / 2, most, 0])
    const heights = [...text.matchAll(/height="([\d.]+)">/g)].map(([, high]) => Number(high))
    t.deepEqual(heights, [28, 56, 0])
    t.regex(text, new RegExp(`aria-label="[^"]*Highest: ${shown} in 2026-02\\."`))
    t.true(text.includes(`<td role="cell" data-label="Resolved">${shown}</td>`))
  }
})

test('the least use beside the highest bar is seen', (t) => {
  const heights = [...drawn([1, 10_000_000]).matchAll(/height="([\d.]+)">/g)]
  t.is(heights[0]?.[1], '1')
})
