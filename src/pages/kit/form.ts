import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { FieldFault } from '#actors/values/fault_list.ts'
import { HttpError } from '#src/edge/errors.ts'
import { html, type Html, type HtmlContent, joinHtml, nothing } from '#src/pages/kit/html.ts'
import { frame } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import type { KeptForm } from '#src/pages/sessions/kept_form.ts'
import type { Text } from '#src/words/wording.ts'

/** The fields of a form by name, a file as its text; lines end with a line feed. */
export type FormBody = ReadonlyMap<string, string>

// The form of a work with 300 rows of everything that is known of one.
const fieldsMax = 8_000

/** Makes HTML forms in UTF-8 the one kind of body that a server reads; others are 415. */
export function registerFormBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const type = 'application/x-www-form-urlencoded'
  server.addContentTypeParser(
    type,
    { parseAs: 'string' },
    async (_request: unknown, body: string) => parseForm(body),
  )
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    ({ headers }: FastifyRequest, body: Buffer) => parseMultipart(headers['content-type'], body),
  )
}

/**
 * Reads the fields of a form. HttpError `bad_request` for a field that is there twice, because two
 * readers could each take a different one, and for what is not text in UTF-8.
 */
export function parseForm(text: string): FormBody {
  const fields = new FieldList()
  for (const [name, value] of new URLSearchParams(text)) fields.add(name, value)
  return fields.values
}

/**
 * Reads the fields and files of a form that sends files (RFC 7578). A file that was not chosen is
 * an empty text. HttpError as above, and for a body without its boundaries.
 */
export async function parseMultipart(
  type: string | undefined,
  body: Uint8Array,
): Promise<FormBody> {
  const headers = { 'content-type': type ?? '' }
  const parts = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw wrong('The form is cut off, or its parts have no boundaries')
  })
  const fields = new FieldList()
  for (const [name, value] of parts) {
    fields.add(name, typeof value === 'string' ? value : await value.text())
  }
  return fields.values
}

/** The text of a field; empty if it is missing. */
export function textOf(body: FormBody, name: string): string {
  return body.get(name) ?? ''
}

class FieldList {
  readonly values = new Map<string, string>()

  add(name: string, value: string): void {
    if (this.values.has(name)) throw wrong('A field of the form was sent twice')
    if (this.values.size >= fieldsMax) throw wrong(`A form has ${fieldsMax} fields at most`)
    if (/[\0\ufffd]/.test(name + value)) throw wrong('The form is not text in UTF-8')
    this.values.set(name, value.replaceAll(/\r\n?/g, '\n'))
  }
}

function wrong(message: string): HttpError {
  return new HttpError('bad_request', message)
}

/** What is wrong with a field; `text` is what a page says in place of the message for programs. */
export type PageFault = FieldFault & { readonly text?: Text }

/**
 * What a form shows: the values that were typed, or that are to be changed, and what is wrong with
 * them. A password is never shown again.
 */
export type FormState = {
  readonly values: FormBody
  readonly faults: readonly PageFault[]
  /** Whether it was stopped to ask who it is, and is as it was typed. */
  readonly isGivenBack?: boolean
}

/** A form that nobody has filled in. */
export const emptyForm: FormState = { values: new Map(), faults: [] }

/** A field with its label; `name` names it in the form's body and in faults. */
export type Field = {
  readonly name: string
  readonly label: Text
  /** What belongs in it, said before anything is wrong. */
  readonly hint?: Text | Html
  /** `text` by default. */
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'date' | 'number' | 'textarea'
  readonly required?: boolean
  /** A token of HTML's autofill, such as `email` or `new-password`. */
  readonly autocomplete?: string
  readonly maxLength?: number
  /** One of a group whose heading says what may be left out. */
  readonly isPlain?: boolean
  /** The field that a page begins at. */
  readonly isFirst?: boolean
}

type FileField = Pick<Field, 'name' | 'label' | 'hint'> & { readonly accept: string }

type SelectField = Pick<Field, 'name' | 'label' | 'hint'> & {
  /** `language` is that of a label which is not written in the language of the page. */
  readonly options: readonly {
    readonly value: string
    readonly label: Text
    readonly language?: string
  }[]
}

/** A box to tick; its value in the form's body is `on`. */
type Checkbox = Pick<Field, 'name' | 'label' | 'hint'> & {
  /** How it stands when the form has no values yet. */
  readonly checked?: boolean
}

type Form = {
  /** Full path, prefix included. */
  readonly action: string
  /** The token of the visit. */
  readonly csrf: string
  /** What stands above the button; nothing for a form that is one button. */
  readonly fields?: HtmlContent
  readonly submit: Text
  /** Further buttons or links beside it. */
  readonly beside?: Html
  /** Destroys something: its button says so by its colour too. */
  readonly danger?: boolean
  /** A single button that stands in a line, such as of a table. */
  readonly inline?: boolean
  /** Sends files along. */
  readonly sendsFiles?: boolean
}

/** A form that is posted, with the token that shows where it came from. */
export function form(each: Form): Html {
  const { action, csrf, fields, submit, beside, danger, inline, sendsFiles } = each
  const enctype = sendsFiles === true ? html` enctype="multipart/form-data"` : ''
  const look = danger === true ? 'button button-danger' : 'button'
  const buttons = html`<button class="${look}" type="submit">${submit}</button>${beside}`
  return html`<form class="${inline === true ? 'form-inline' : 'form'}" method="post"
action="${action}"${enctype} novalidate>
<input type="hidden" name="csrf" value="${csrf}">
${fields}
${inline === true ? buttons : html`<div class="buttons">${buttons}</div>`}
</form>`
}

/** A form in a box of its own, as the main thing of a page. */
export function formCard(each: Form): Html {
  return html`<div class="card">${form(each)}</div>`
}

/** A value that a form carries and nobody sees. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** A labelled field, with what was typed and what is wrong with it. */
export function field(each: Field, state: FormState = emptyForm): Html {
  const { name, label, type = 'text', required = false } = each
  const value = type === 'password' ? '' : (state.values.get(name) ?? '')
  const fault = faultOf(name, state)
  const attributes = [
    html`id="${fieldId(name)}" name="${name}"`,
    ...(required ? [html`required`] : []),
    ...(each.isFirst === true ? [html`autofocus`] : []),
    ...(each.autocomplete === undefined ? [] : [html`autocomplete="${each.autocomplete}"`]),
    ...(each.maxLength === undefined ? [] : [html`maxlength="${each.maxLength}"`]),
    // Names and addresses are not words that a spelling checker knows.
    ...(type === 'text' || type === 'email' || type === 'url' ? [html`spellcheck="false"`] : []),
    ...describedBy(each, fault),
  ]
  const control =
    type === 'textarea'
      ? // A line feed that follows the tag is not part of the text.
        html`<textarea ${joinHtml(attributes, ' ')} rows="4">${'\n'}${value}</textarea>`
      : html`<input type="${type}" ${joinHtml(attributes, ' ')} value="${value}">`
  const optional =
    required || each.isPlain === true ? '' : html` <span class="optional">${frame.optional}</span>`
  return html`<div class="${fault === undefined ? 'field' : 'field field-wrong'}">
<label for="${fieldId(name)}">${label}${optional}</label>
${notes(each, fault)}
${control}
</div>`
}

/** Labelled fields, one below the other. */
export function fieldList(state: FormState, list: readonly Field[]): Html {
  return html`${list.map((each) => field(each, state))}`
}

/** A labelled file to choose. What was chosen is never shown again: browsers do not allow it. */
export function fileField(each: FileField, state: FormState = emptyForm): Html {
  const { name, label, accept } = each
  const fault = faultOf(name, state)
  return html`<div class="${fault === undefined ? 'field' : 'field field-wrong'}">
<label for="${fieldId(name)}">${label}</label>
${notes(each, fault)}
<input type="file" id="${fieldId(name)}" name="${name}" accept="${accept}"
${joinHtml(describedBy(each, fault), ' ')}>
</div>`
}

/** A labelled choice of one of some values. */
export function selectField(each: SelectField, state: FormState = emptyForm): Html {
  const { name, label } = each
  const fault = faultOf(name, state)
  const chosen = state.values.get(name)
  const described = joinHtml(describedBy(each, fault), ' ')
  const options = each.options.map(({ value, label: shown, language }) => {
    const selected = value === chosen ? ' selected' : ''
    const own = language === undefined ? '' : html` lang="${language}"`
    return html`<option value="${value}"${own}${selected}>${shown}</option>`
  })
  return html`<div class="${fault === undefined ? 'field' : 'field field-wrong'}">
<label for="${fieldId(name)}">${label}</label>
${notes(each, fault)}
<select id="${fieldId(name)}" name="${name}" ${described}>${options}</select>
</div>`
}

/** A labelled box to tick. */
export function checkbox(each: Checkbox, state: FormState = emptyForm): Html {
  const { name, label, checked = false } = each
  const fault = faultOf(name, state)
  const isTicked = state.values.size === 0 ? checked : state.values.has(name)
  return html`<div class="${fault === undefined ? 'box' : 'box field-wrong'}">
<input type="checkbox" id="${fieldId(name)}" name="${name}" value="on" ${isTicked ? 'checked' : ''}
${joinHtml(describedBy(each, fault), ' ')}>
<div><label for="${fieldId(name)}">${label}</label>${notes(each, fault)}</div>
</div>`
}

/** All faults of a form in one message above it, each linked to its field; nothing without any. */
export function faultSummary({ faults }: FormState): Html {
  if (faults.length === 0) return nothing
  const items = faults.map(
    (fault) => html`<li><a href="#${fieldId(fault.field)}">${faultText(fault)}</a></li>`,
  )
  return html`<div class="flash flash-error" role="alert">
<p>${frame.faults({ count: faults.length })}</p><ul>${items}</ul></div>`
}

function notes({ name, hint }: Pick<Field, 'name' | 'hint'>, fault: Text | undefined): Html {
  const id = fieldId(name)
  return html`${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}${
    fault === undefined ? '' : html`<p class="fault" id="${id}-fault">${fault}</p>`
  }`
}

/** The attributes by which a control names its hint and its fault. */
function describedBy(
  { name, hint }: Pick<Field, 'name' | 'hint'>,
  fault: Text | undefined,
): readonly Html[] {
  const id = fieldId(name)
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(fault === undefined ? [] : [`${id}-fault`]),
  ]
  return [
    ...(ids.length === 0 ? [] : [html`aria-describedby="${ids.join(' ')}"`]),
    ...(fault === undefined ? [] : [html`aria-invalid="true"`]),
  ]
}

function faultOf(name: string, { faults }: FormState): Text | undefined {
  const fault = faults.find(({ field: faulty }) => faulty === name)
  return fault && faultText(fault)
}

/** A fault as a page says it; programs read it as it is. */
function faultText({ text, message }: PageFault): Text {
  if (text !== undefined) return text
  const words = message.charAt(0).toUpperCase() + message.slice(1)
  return inEnglish(/[.!?]$/.test(words) ? words : `${words}.`)
}

function fieldId(name: string): string {
  return `field-${name.replaceAll(/[^0-9A-Za-z]+/g, '-')}`
}

/** The state of a form as it was typed, if it was kept; else as it would be. */
export function givenBack(kept: KeptForm | undefined, otherwise: FormState): FormState {
  return kept === undefined ? otherwise : { values: kept.values, faults: [], isGivenBack: true }
}
