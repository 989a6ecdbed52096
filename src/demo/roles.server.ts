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
  'order-list': [...READ, 'create', 'update', 'changePrice', 'changeAddress', 'sendAgain', 'reveal'],
  'order-refundApply': [...READ, 'create', 'withdraw'],
  'order-browse': [...READ, 'contacted', 'dismiss', 'reveal'],
  'product-list': READ,
  'member-list': [...READ, 'create', 'update', 'noteFollowUp', 'tag', 'gift', 'reveal'],
  'dy-code': LIST,
  'product-package': READ,
  'coupon-list': READ,
  'product-coin': READ,
  'product-exchange': READ,
  'order-exchange': [...READ, 'redeem', 'undo', 'reveal'],
}
const TEACHER: Holds = { 'member-list': READ }
const OPERATIONS: Holds = {
  'product-list': [...READ, 'create', 'update', 'delete', 'export', 'putOnSale', 'takeOffSale', 'copy'],
  'product-package': [...READ, 'create', 'update', 'delete', 'export', 'publish'],
  'coupon-list': [...READ, 'create', 'update', 'delete', 'export', 'issue', 'recall', 'stop', 'resume'],
  'product-coin': [...READ, 'create', 'update', 'export', 'putOn', 'takeOff'],
  'product-exchange': [...READ, 'create', 'export', 'activate', 'pause', 'resume', 'close'],
  'order-exchange': READ,
}
const LOGISTICS: Holds = {
  'base-product': [...READ, 'create', 'update', 'export', 'stockIn', 'stockOut', 'check'],
  'logistics-product': [...READ, 'create', 'update', 'delete', 'export'],
  'order-examineSend': READ,
  'order-sendGoods': [
    ...READ,
    'update',
    'export',
    'reveal',
    'send',
    'hold',
    'release',
    'split',
    'merge',
    'print',
    'import',
    'undoImport',
  ],
  'order-logistics': [...READ, 'update', 'export', 'reveal', 'refresh', 'receiveBack', 'resend', 'markLost'],
  'coin-order-list': [...READ, 'export', 'reveal', 'approve', 'cancel', 'repeatCashBack'],
}

/** The roles of the business, each with those of its keys whose screens stand today. */
export const ROLES = [
  // Holds everything without a row saying so.
  { code: 'SUPER_ADMIN', name: '超级管理员', scope: 'ALL', holds: {} },
  { code: 'SALES', name: '销售顾问', scope: 'SELF', holds: SALES },
  {
    code: 'SALES_MANAGER_COPY',
    name: '销售经理',
    scope: 'DEPARTMENT_AND_BELOW',
    holds: more(SALES, {
      'member-list': ['assignOwner', 'freeze', 'unfreeze', 'export'],
      'order-list': ['export', 'close'],
      'order-examine': [...READ, 'approve', 'reject'],
      'order-browse': ['export'],
      'order-refundCount': [...LIST, 'export'],
      'order-exchange': ['export', 'void'],
      'order-refundApply': ['export', 'approve', 'reject'],
    }),
  },
  { code: 'TEACHER', name: '点评老师', scope: 'SELF', holds: TEACHER },
  {
    code: 'AFTERSALES_MANAGER',
    name: '售后主管',
    scope: 'DEPARTMENT_AND_BELOW',
    holds: more(TEACHER, {
      'member-list': ['bindTeacher', 'noteFollowUp', 'tag', 'gift', 'reveal'],
      'order-refundApply': [...READ, 'approve', 'reject'],
      'order-refundCount': [...LIST, 'export'],
      'opus-opusFail': LIST,
    }),
  },
  {
    code: 'FINANCE',
    name: '财务',
    scope: 'ALL',
    holds: {
      'order-list': [...READ, 'export'],
      'order-examine': [...READ, 'export', 'approve', 'reject'],
      'order-refundApply': [...READ, 'export', 'approveL2', 'reject'],
      'order-refundCount': [...LIST, 'export'],
      orderPay: [...READ, 'export', 'proposeOrder', 'proposeReturn', 'proposeSettled', 'tryAgain'],
    },
  },
  {
    code: 'FINANCE_CASHIER',
    name: '出纳',
    scope: 'ALL',
    holds: {
      'order-list': READ,
      // A transfer needs the whole account.
      'order-refundApply': [...READ, 'reveal', 'pay', 'retry', 'recordPaid', 'repeatEffects'],
      orderPay: [...READ, 'confirm', 'decline'],
    },
  },
  { code: 'OPERATIONS', name: '运营专员', scope: 'ALL', holds: OPERATIONS },
  {
    code: 'OPERATIONS_MANAGER',
    name: '运营经理',
    scope: 'ALL',
    holds: more(OPERATIONS, {
      'member-share': LIST,
      'product-exchange': ['approve', 'exportCodes', 'confirm'],
      'order-exchange': ['export', 'void'],
    }),
  },
  { code: 'LOGISTICS', name: '物流专员', scope: 'ALL', holds: LOGISTICS },
  {
    code: 'WAREHOUSE_MANAGER',
    name: '仓储主管',
    scope: 'ALL',
    holds: more(LOGISTICS, {
      'base-product': ['delete', 'approveCheck', 'rejectCheck'],
      'order-examineSend': ['export', 'reveal', 'approve', 'reject'],
    }),
  },
  {
    code: 'AUDITOR',
    name: '审计',
    scope: 'ALL',
    holds: {
      'order-list': READ,
      'order-refundApply': READ,
      'order-examine': READ,
      orderPay: READ,
      'product-exchange': READ,
      'order-exchange': READ,
      'coin-order-list': READ,
      dictionary: READ,
    },
  },
] as const satisfies readonly Role[]
export type RoleCode = (typeof ROLES)[number]['code']

function more(base: Holds, added: Holds): Holds {
  const pages = new Set([...Object.keys(base), ...Object.keys(added)])
  return Object.fromEntries([...pages].map(page => [page, [...(base[page] ?? []), ...(added[page] ?? [])]]))
}
