/** Another screen a row leads to, such as asking a refund on an order; absent when it makes no sense for the row. */
export type RowLink = {
  readonly text: string
  readonly path: string
  /** Why it is closed to this row. */
  readonly why?: string | undefined
}
