import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'system',
  key: 'system',
  icon: 'setting',
  order: 200,
  dependsOn: ['members', 'organisation'],
  screens: {
    dictionary: { route: '/system/dictionary/list', key: 'dictionary' },
    'rule-chain': { route: '/system/liteflow/chain', key: 'liteflow-chain' },
    'rule-script': { route: '/system/liteflow/script', key: 'liteflow-script' },
    user: { route: '/system/iamUser/index', key: 'iam-user' },
    role: { route: '/system/iamRole/list', key: 'iam-role' },
    'menu-permission': {
      route: '/system/iamResourcePermission/list',
      key: 'iam-resource-permission',
      partial: true,
    },
    'message-template': { route: '/system/messageTemplate/list', key: 'message-template' },
    message: { route: '/system/message/list', key: 'message' },
    'schedule-job': { route: '/system/scheduleJob/list', key: 'schedule-job' },
    'operation-log': { route: '/system/iamOperationLog/list', key: 'operation-log' },
    'login-trace': { route: '/system/iamLoginTrace/list', key: 'login-trace' },
  },
})
