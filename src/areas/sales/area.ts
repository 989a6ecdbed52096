import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'sales',
  key: 'sale',
  icon: 'phone',
  order: 50,
  dependsOn: ['members', 'orders', 'organisation', 'products'],
  screens: {
    consultant: { route: '/sale/list', key: 'sale-list' },
    'school-teacher': { route: '/sale/schoolTeacher', key: 'sale-schoolTeacher' },
    'sales-count': { route: '/sale/count', key: 'sale-count' },
    'act-count': { route: '/sale/operate', key: 'sale-operate' },
    'package-count': { route: '/sale/packageCount', key: 'sale-packageCount' },
    'phone-count': { route: '/sale/phoneCount', key: 'sale-phoneCount' },
    'work-count': { route: '/sale/workCount', key: 'sale-workCount', records: false },
    'chat-account': { route: '/sale/saleWx', key: 'sale-saleWx' },
    'sales-request': { route: '/sale/apply', key: 'sale-apply' },
    'chat-account-request': { route: '/sale/wxApply', key: 'sale-wxApply' },
    link: { route: '/sale/link', key: 'sale-link' },
    salvage: { route: '/sale/salvage', key: 'sale-salvage' },
    'salvage-count': { route: '/sale/salvageCount', key: 'sale-salvageCount', records: false },
    'intention-count': { route: '/sale/intentionCount', key: 'sale-intentionCount' },
    'name-copy': { route: '/sale/name_copy', key: 'sale-nameCopy', partial: true },
    'name-copy-v2': { route: '/sale/name_copy_v2', key: 'sale-nameCopyV2', partial: true },
    'name-copy-gz': { route: '/sale/name_copy_vgz', key: 'sale-nameCopyGz', partial: true },
    'name-copy-plain': { route: '/sale/name_copy_noqrcode', key: 'sale-nameCopyNoQr', partial: true },
  },
})
