import type { FieldFault } from '#actors/field_fault.ts'
import type { Html } from '#src/web/page.ts'

/** What a form shows again when something was wrong with it: values, never passwords, and faults. */
export type FormState = {
  readonly values: ReadonlyMap<string, string>
  readonly faults: readonly FieldFault[]
}

/** A field with its label; `name` names it in the form's body and in faults. */
export type Field = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** `text` unless told. */
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'date' | 'number' | 'textarea'
  readonly required?: boolean
  readonly autocomplete?: string
  readonly maxLength?: number
}

/** A choice of one of some values. */
export type Choice = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export type Form = {
  /** Full path, prefix included. */
  readonly action: string
  readonly csrf: string
  /** What is between the first tag and the button. */
  readonly fields: Html
  readonly submit: string
  /** A button that destroys something is red. */
  readonly danger?: boolean
}

/** A form that is posted. */
export declare function form(form: Form): Html
/** A labelled field, with what was typed and what is wrong with it. */
export declare function field(field: Field, state?: FormState): Html
export declare function choice(choice: Choice, state?: FormState): Html
export declare function checkbox(
  box: { name: string; label: string; hint?: string; checked?: boolean },
  state?: FormState,
): Html
/** All faults of a form as one message above it, each linked to its field. */
export declare function faultSummary(state: FormState): Html
