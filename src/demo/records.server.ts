import type * as z from 'zod'
import { columnOf } from '#kit/model/field.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import type { World } from './world.server.ts'

type Recorded<Shape extends z.ZodObject> = { readonly table: string; readonly record: Shape }

/** Plain records nothing else comes of, by the fields of their list; each with the same fields. They have been there from the start. */
export function addRecords<Shape extends z.ZodObject>(
  { rows, since }: World,
  { table }: Recorded<Shape>,
  records: readonly Partial<z.infer<Shape>>[],
): void {
  const stored = records.map(record => ({
    created_at: since,
    ...Object.fromEntries(Object.entries(record).map(([field, value]) => [columnOf(field), value])),
  }))
  rows.add(table as keyof Schema, stored as never)
}
