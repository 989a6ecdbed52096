/** What stands in a form, by field. */
export type Values = Record<string, unknown>
