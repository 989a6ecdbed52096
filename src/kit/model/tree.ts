import * as z from 'zod'
import { ID } from './field.ts'

/** A tree of so many records is read whole: a company has no more departments, and a browser draws them at once. */
export const MOST_AT_ONCE = 2_000

/** All, what stands directly below one record, or what fits a word. */
export const askedNodes = z.strictObject({
  below: z.string().regex(ID).optional(),
  query: z.string().trim().min(1).max(100).optional(),
})

export const treeOfNodes = z.strictObject({
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      parentId: z.string().nullable(),
      name: z.string(),
      /** What else is worth knowing without opening it: how many people, that it is gone. */
      beside: z.string().nullable(),
      /** It is no longer on offer: nothing new is put there. */
      isClosed: z.literal(true).optional(),
      /** How many stand directly below it, read or not. */
      children: z.int(),
    }),
  ),
  /** Whether these are all; otherwise what stands below a record is asked for when it is opened. */
  isWhole: z.boolean(),
})
export type TreeOfNodes = z.infer<typeof treeOfNodes>
export type TreeNode = TreeOfNodes['nodes'][number]
