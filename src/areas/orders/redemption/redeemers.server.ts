import { redeemersOf } from '#areas/products/code-batch/codes.server.ts'
import { answer } from '#kit/server/change/question.ts'
import { requireReference } from '#kit/server/declared.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { labelColumns, readLabel } from '#kit/server/list/select.ts'

export const redeemers = answer(redeemersOf, async ({ db, catalogue }, { codeIds, scope }) => {
  const member = requireReference(catalogue, 'member')
  const { bind, values } = binder()
  const parts = [
    `r.code_id = any(${bind(codeIds)}::bigint[])`,
    "r.status = 'DONE'",
    scopeSql({ scope: 'owned' }, scope, bind, 'r'),
  ]
  const rows = await db.read.planned(
    `select r.code_id as code, r.member_id as member, r.created_at as "redeemedAt",
       ${labelColumns(member, 'm').map(([part, column]) => `${column} as "member:${part}"`)}
     from redemption r join ${member.table} m on m.id = r.member_id
     where ${parts.filter(part => part !== '').join(' and ')}`,
    values,
  )
  return new Map(
    rows.map(row => [
      String(row.code),
      { member: readLabel(member, row, 'member'), redeemedAt: String(row.redeemedAt) },
    ]),
  )
})
