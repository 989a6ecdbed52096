export type Place = {
  readonly code: string
  readonly name: string
  /** What it is for. */
  readonly note: string
  readonly scope: 'SELF' | 'DEPARTMENT_AND_BELOW' | 'ALL'
  /** May do all that this role may. */
  readonly leads?: string
}

/** The roles of the business. What each may do on a page is said by the page's slice, in its demo.server.ts. */
export const PLACES = [
  // Holds everything without a row saying so.
  { code: 'SUPER_ADMIN', name: '超级管理员', note: '系统的最高权限，仅限负责人', scope: 'ALL' },
  { code: 'SALES', name: '销售顾问', note: '跟进自己的学员，下单、申请退款和赠送', scope: 'SELF' },
  {
    code: 'SALES_MANAGER_COPY',
    name: '销售经理',
    note: '管理本部门的学员与订单，审批销售申请，可复制页面文字',
    scope: 'DEPARTMENT_AND_BELOW',
    leads: 'SALES',
  },
  { code: 'TEACHER', name: '点评老师', note: '点评自己学员的作品', scope: 'SELF' },
  {
    code: 'AFTERSALES_MANAGER',
    name: '售后主管',
    note: '安排点评，处理售后问题',
    scope: 'DEPARTMENT_AND_BELOW',
    leads: 'TEACHER',
  },
  { code: 'FINANCE', name: '财务', note: '核对收款，审核退款', scope: 'ALL' },
  { code: 'FINANCE_CASHIER', name: '出纳', note: '按审核结果付款', scope: 'ALL' },
  { code: 'OPERATIONS', name: '运营专员', note: '维护商品、活动与内容', scope: 'ALL' },
  { code: 'OPERATIONS_MANAGER', name: '运营经理', note: '发布商品，设定业务参数', scope: 'ALL', leads: 'OPERATIONS' },
  { code: 'LOGISTICS', name: '物流专员', note: '发货、跟踪物流', scope: 'ALL' },
  { code: 'WAREHOUSE_MANAGER', name: '仓储主管', note: '管理库存与盘点', scope: 'ALL', leads: 'LOGISTICS' },
  { code: 'AUDITOR', name: '审计', note: '只读查看，不能修改', scope: 'ALL' },
] as const satisfies readonly Place[]
export type RoleCode = (typeof PLACES)[number]['code']
export const ROLE_CODES: readonly RoleCode[] = PLACES.map(({ code }) => code)

/** Page key → actions. A page without actions is only opened, which pushes and the menu ask. */
export type Holds = Readonly<Record<string, readonly string[]>>
export type Role = Omit<Place, 'code' | 'leads'> & { readonly code: RoleCode; readonly holds: Holds }

/** What whoever only looks holds. */
export const READ = ['list', 'detail'] as const
