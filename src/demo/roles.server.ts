/** Page key → actions. A page without actions is only opened, which pushes and the menu ask. */
type Holds = Readonly<Record<string, readonly string[]>>
type Role = {
  readonly code: string
  readonly name: string
  readonly scope: 'SELF' | 'DEPARTMENT_AND_BELOW' | 'ALL'
  readonly holds: Holds
}

const READ = ['list', 'detail']
const LIST = ['list']

// Personal data leaves in an export only with those who lead: a consultant reveals one number at a time.
const SALES: Holds = {
  'order-list': [...READ, 'update', 'reveal'],
  'order-refundApply': [...READ, 'create', 'withdraw'],
  'order-browse': LIST,
  'member-list': LIST,
  'dy-code': LIST,
}
const TEACHER: Holds = { 'member-list': LIST }

/** The roles of the business, each with those of its keys whose screens stand today. */
export const ROLES = [
  // Holds everything without a row saying so.
  { code: 'SUPER_ADMIN', name: '超级管理员', scope: 'ALL', holds: {} },
  { code: 'SALES', name: '销售顾问', scope: 'SELF', holds: SALES },
  {
    code: 'SALES_MANAGER_COPY',
    name: '销售经理',
    scope: 'DEPARTMENT_AND_BELOW',
    holds: more(SALES, { 'order-list': ['export', 'close'], 'order-refundApply': ['export', 'approve', 'reject'] }),
  },
  { code: 'TEACHER', name: '点评老师', scope: 'SELF', holds: TEACHER },
  {
    code: 'AFTERSALES_MANAGER',
    name: '售后主管',
    scope: 'DEPARTMENT_AND_BELOW',
    holds: more(TEACHER, { 'order-refundApply': [...READ, 'approve', 'reject'], 'opus-opusFail': LIST }),
  },
  {
    code: 'FINANCE',
    name: '财务',
    scope: 'ALL',
    holds: { 'order-list': READ, 'order-refundApply': [...READ, 'export'] },
  },
  { code: 'FINANCE_CASHIER', name: '出纳', scope: 'ALL', holds: { 'order-refundApply': READ } },
  { code: 'OPERATIONS', name: '运营专员', scope: 'ALL', holds: {} },
  { code: 'OPERATIONS_MANAGER', name: '运营经理', scope: 'ALL', holds: { 'member-share': LIST } },
  { code: 'LOGISTICS', name: '物流专员', scope: 'ALL', holds: {} },
  { code: 'WAREHOUSE_MANAGER', name: '仓储主管', scope: 'ALL', holds: {} },
  {
    code: 'AUDITOR',
    name: '审计',
    scope: 'ALL',
    holds: { 'order-list': READ, 'order-refundApply': READ, dictionary: READ },
  },
] as const satisfies readonly Role[]
export type RoleCode = (typeof ROLES)[number]['code']

function more(base: Holds, added: Holds): Holds {
  const pages = new Set([...Object.keys(base), ...Object.keys(added)])
  return Object.fromEntries([...pages].map(page => [page, [...(base[page] ?? []), ...(added[page] ?? [])]]))
}
