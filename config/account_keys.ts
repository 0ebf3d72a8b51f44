import { Type } from 'typebox'
import { flag } from '#config/key_schema.ts'

const signUps = ['open', 'invite', 'off'] as const

/** Who may make an account. */
export type SignUp = (typeof signUps)[number]

/** The keys of who has an account, and what is asked of administrators. */
export const accountKeys = {
  SIGN_UP: Type.Union(
    signUps.map((way) => Type.Literal(way)),
    {
      description:
        'Who may make an account: everybody, who has a link of `arklog account invite`, ' +
        'or nobody.',
      unit: '',
      default: 'open',
      accepts: `one of ${signUps.join(', ')}`,
    },
  ),
  ADMINS_NEED_SECOND_STEP: flag({
    description:
      'Whether administrators may do nothing as such before a second step of their sign-in is ' +
      'set up (docs/accounts.md#the-second-step).',
    default: false,
  }),
}
