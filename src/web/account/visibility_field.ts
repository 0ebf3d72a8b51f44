import { type FormState, selectField } from '#src/web/kit/form_field.ts'
import type { Html } from '#src/web/kit/page.ts'

/** The visibilities in plain words. */
export const visibilityWords = {
  public: 'Everybody',
  trusted: 'Applications I permit, and me',
  private: 'Only me',
} as const

const options = Object.entries(visibilityWords).map(([value, label]) => ({ value, label }))

/** A choice of who sees something. */
export function visibilityField(
  { name, label }: { readonly name: string; readonly label: string },
  state: FormState,
): Html {
  return selectField({ name, label, options }, state)
}
