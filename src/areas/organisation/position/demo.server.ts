import { READ, type RoleCode } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, type World } from '#demo/world.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'

type Design = readonly [code: string, name: string, grade: string | null, isVirtual: boolean, note: string]

const DESIGNS: readonly Design[] = [
  ['ADMIN-HEAD', '行政负责人', 'E4', false, '兼管系统账号与权限'],
  ['SALES-HEAD', '销售经理', 'E4', false, '带团队，负责小组业绩'],
  ['SALES-ADVISOR', '销售顾问', 'E2', false, '跟进试听学员，促成报名'],
  ['SALES-TRAINEE', '销售顾问（见习）', 'E1', false, '试用期三个月'],
  ['SERVICE-HEAD', '售后主管', 'E4', false, ''],
  ['TEACHER', '点评老师', 'E3', false, '点评学员作业，答疑'],
  ['FINANCE', '财务专员', 'E3', false, '审核退款与对账'],
  ['CASHIER', '出纳', 'E2', false, ''],
  ['OPERATIONS-HEAD', '运营经理', 'E4', false, ''],
  ['OPERATIONS', '运营专员', 'E2', false, '商品、活动与优惠券'],
  ['WAREHOUSE-HEAD', '仓储主管', 'E3', false, ''],
  ['LOGISTICS', '物流专员', 'E2', false, '打单、出库、跟踪'],
  ['AUDIT', '审计专员', 'E3', false, ''],
  ['DUTY-LEAD', '值班组长', null, true, '周末与节假日轮值'],
  ['REVIEW-BOARD', '作品评审委员', null, true, '毕业作品评审'],
  ['FIRE-WARDEN', '消防安全员', null, true, ''],
  ['PHONE-SALES', '电话销售', 'E1', false, '已并入销售顾问'],
]

/** What people of a role are employed as. */
const OF_ROLE: Readonly<Record<RoleCode, string>> = {
  SUPER_ADMIN: 'ADMIN-HEAD',
  SALES: 'SALES-ADVISOR',
  SALES_MANAGER_COPY: 'SALES-HEAD',
  TEACHER: 'TEACHER',
  AFTERSALES_MANAGER: 'SERVICE-HEAD',
  FINANCE: 'FINANCE',
  FINANCE_CASHIER: 'CASHIER',
  OPERATIONS: 'OPERATIONS',
  OPERATIONS_MANAGER: 'OPERATIONS-HEAD',
  LOGISTICS: 'LOGISTICS',
  WAREHOUSE_MANAGER: 'WAREHOUSE-HEAD',
  AUDITOR: 'AUDIT',
}
const BESIDE: Readonly<Partial<Record<RoleCode, string>>> = { SALES: 'DUTY-LEAD', TEACHER: 'REVIEW-BOARD' }

const chance = chanceOf('organisation/position')

function plan(world: World): void {
  const { rows, ids, staff, since } = world
  const known = new Map(DESIGNS.map(([code]) => [code, ids.next('job_position')]))
  const idOf = (code: string) => known.get(code) as number
  rows.add(
    'job_position',
    DESIGNS.map(([code, name, grade, is_virtual, note]) => ({
      id: idOf(code),
      name,
      code,
      grade,
      is_virtual,
      note,
      status: code === 'PHONE-SALES' ? ('DISABLED' as const) : ('ENABLED' as const),
      created_at: since,
    })),
  )
  const random = chance(world)
  const began = dayOf(since)
  for (const { id, role, leftOn } of staff) {
    const held = { staff_id: id, since: began, until: leftOn && addDays(leftOn, 1) }
    rows.add('staff_position', [{ ...held, position_id: idOf(OF_ROLE[role]), is_primary: true }])
    const beside = BESIDE[role]
    if (beside && leftOn === null && random.chance(0.25))
      rows.add('staff_position', [{ ...held, position_id: idOf(beside), is_primary: false }])
  }
}

const KEEP = [...READ, 'create', 'update', 'delete', 'export', 'enable', 'disable'] as const

export const demo: Story = { holds: { AUDITOR: READ, OPERATIONS_MANAGER: KEEP }, plan }
