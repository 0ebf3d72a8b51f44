/** One wrong field of an input: its path, a literal code, and a message that says what is right. */
export type FieldFault = { readonly field: string; readonly code: string; readonly message: string }
