/** The fields of a form as they were sent; a field that was sent twice is refused before. */
export type FormBody = ReadonlyMap<string, string>
