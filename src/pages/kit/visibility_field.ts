import { visibilityOfAll } from '#actors/people/checks.ts'
import type { Profile, Visibility } from '#actors/people/port.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { type Field, type FormState, selectField } from '#src/pages/kit/form_field.ts'
import type { Html } from '#src/pages/kit/html.ts'

/** The visibilities in plain words. */
export const visibilityWords = {
  public: 'Everybody',
  trusted: 'Applications I permit, and me',
  private: 'Only me',
} as const

const options = Object.entries(visibilityWords).map(([value, label]) => ({ value, label }))

/** A choice of who sees something. */
export function visibilityField(
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
  state: FormState,
): Html {
  return selectField({ name, label, ...(hint !== undefined && { hint }), options }, state)
}

const ofAll = 'seen_by'

/** A choice of who sees a profile as a whole: nobody else, until somebody says otherwise. */
export function profileVisibilityField(state: FormState): Html {
  const chosen = state.values.get(ofAll) ?? 'private'
  const values = new Map([...state.values, [ofAll, chosen]])
  const field = {
    name: ofAll,
    label: 'Who sees your profile',
    hint:
      'Your name, your works that you claim, where you work. You can change it at any time, for ' +
      'each of them. Nobody is shown your e-mail address by this.',
  }
  return visibilityField(field, { ...state, values })
}

/** What was chosen of a profile as a whole; what is no choice is the narrowest. */
export function chosenVisibility(body: FormBody): Profile['visibility'] {
  const text = textOf(body, ofAll)
  const isChoice = (value: string): value is Visibility => Object.hasOwn(visibilityWords, value)
  return visibilityOfAll(isChoice(text) ? text : 'private')
}
