import test from 'ava'

import { spellingChoices } from '#src/discovery/search/embedded/spelling_corrector.ts'

test('the nearest choices come first, and of those the likeliest', (t) => {
  const words = [
    [
      { meant: 'diffusion', distance: 1 },
      { meant: 'infusion', distance: 2 },
    ],
    [
      { meant: undefined, distance: 0 },
      { meant: 'model', distance: 2 },
      { meant: 'modes', distance: 2 },
    ],
  ]
  const choices = spellingChoices(words, 10)
  t.deepEqual(
    choices.map(({ options }) => options.map(({ meant }) => meant ?? '').join(' ')),
    [
      'diffusion ',
      'infusion ',
      'diffusion model',
      'diffusion modes',
      'infusion model',
      'infusion modes',
    ],
  )
  t.deepEqual(
    choices.map(({ distance }) => distance),
    [1, 2, 3, 3, 4, 4],
  )
})

test('no more are made than are wanted, however many there are', (t) => {
  const options = Array.from({ length: 4 }, (_, n) => ({ meant: `word${n}`, distance: 1 }))
  const words = Array.from({ length: 8 }, () => options)
  t.is(spellingChoices(words, 32).length, 32)
  t.deepEqual(spellingChoices([], 32), [{ options: [], distance: 0 }])
})
