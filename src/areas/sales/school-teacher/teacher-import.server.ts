import { sql } from 'kysely'
import { dictionary, flag, optional, personal, personName, text } from '#kit/model/field.ts'
import { refuse } from '#kit/model/refusal.ts'
import type { Constraints, Operation } from '#kit/server/change/operation.ts'
import { defineImport, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { resource } from './model.ts'

/** What a violated index means to people. */
export const constraints: Constraints = {
  school_teacher_phone: { code: 'phone-known', field: 'phone' },
  school_teacher_channel: { code: 'channel-taken', field: 'channel' },
  channel_of_one: { code: 'channel-of-partner', field: 'channel' },
}

const columns = {
  name: personName(50),
  school: text(100),
  grade: optional(dictionary('TEACHER_GRADE')),
  className: optional(text(50)),
  phone: optional(personal('phone', 20)),
  hasLeft: flag(),
}
type TeacherRow = ImportRow<typeof columns>

/** A school's list of teachers: they are whoever's who brings it, each with a channel of its own. */
export const teacherImport = defineImport({
  screen: resource.screen,
  columns,
  unique: ['phone'],
  async check({ app }, rows) {
    const phones = rows.flatMap(({ values: { phone } }) => phone ?? [])
    const { rows: known } = await sql<{ phone: string }>`
      select phone from school_teacher where phone = any(${phones}::text[])`.execute(app.db.query)
    const taken = new Set(known.map(({ phone }) => phone))
    return new Map(
      rows.flatMap(({ no, values: { phone } }): [number, RowError][] =>
        phone !== null && taken.has(phone) ? [[no, { ...refuse('phone-known'), field: 'phone' }]] : [],
      ),
    )
  },
  apply: take,
  constraints,
})

async function take({ tx, now, actor }: Operation, rows: readonly TeacherRow[]): Promise<readonly string[]> {
  const given = rows.map(({ no, values }) => ({ no, ...values }))
  const { rows: made } = await sql<{ id: string }>`
    insert into school_teacher (name, school, grade, class_name, phone, has_left, owner_id, org_id, created_at)
    select g.name, g.school, g.grade, g."className", g.phone, g."hasLeft", ${actor.id}, ${actor.orgId}, ${now}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g (no int, name text, school text, grade text, "className" text, phone text, "hasLeft" boolean)
    order by g.no returning id`.execute(tx)
  return made.map(({ id }) => id)
}
