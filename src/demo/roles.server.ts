export type Place = {
  readonly code: string
  readonly name: string
  readonly scope: 'SELF' | 'DEPARTMENT_AND_BELOW' | 'ALL'
  /** May do all that this role may. */
  readonly leads?: string
}

/** The roles of the business. What each may do on a page is said by the page's slice, in its demo.server.ts. */
export const PLACES = [
  // Holds everything without a row saying so.
  { code: 'SUPER_ADMIN', name: '超级管理员', scope: 'ALL' },
  { code: 'SALES', name: '销售顾问', scope: 'SELF' },
  { code: 'SALES_MANAGER_COPY', name: '销售经理', scope: 'DEPARTMENT_AND_BELOW', leads: 'SALES' },
  { code: 'TEACHER', name: '点评老师', scope: 'SELF' },
  { code: 'AFTERSALES_MANAGER', name: '售后主管', scope: 'DEPARTMENT_AND_BELOW', leads: 'TEACHER' },
  { code: 'FINANCE', name: '财务', scope: 'ALL' },
  { code: 'FINANCE_CASHIER', name: '出纳', scope: 'ALL' },
  { code: 'OPERATIONS', name: '运营专员', scope: 'ALL' },
  { code: 'OPERATIONS_MANAGER', name: '运营经理', scope: 'ALL', leads: 'OPERATIONS' },
  { code: 'LOGISTICS', name: '物流专员', scope: 'ALL' },
  { code: 'WAREHOUSE_MANAGER', name: '仓储主管', scope: 'ALL', leads: 'LOGISTICS' },
  { code: 'AUDITOR', name: '审计', scope: 'ALL' },
] as const satisfies readonly Place[]
export type RoleCode = (typeof PLACES)[number]['code']
export const ROLE_CODES: readonly RoleCode[] = PLACES.map(({ code }) => code)

/** Page key → actions. A page without actions is only opened, which pushes and the menu ask. */
export type Holds = Readonly<Record<string, readonly string[]>>
export type Role = Omit<Place, 'code' | 'leads'> & { readonly code: RoleCode; readonly holds: Holds }

/** What whoever only looks holds. */
export const READ = ['list', 'detail'] as const
