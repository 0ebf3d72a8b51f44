import { type FieldKind, foldedText } from '#actors/values/field_table.ts'
import { foldLanguageTag, recognizeLanguage } from '#actors/values/language.ts'

/** The kind of the language of a text: a tag of BCP 47, such as `de` or `zh-Hans`. */
export const languageTagKind: FieldKind<string> = foldedText({
  max: 100,
  fold: foldLanguageTag,
  recognize: recognizeLanguage,
  right: 'a language tag (BCP 47) such as de, pt-BR or zh-Hans',
})
