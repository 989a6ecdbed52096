/** The contract's routes (spec §2) in menu order: 148, pinned here by hand so that no screen can move one by accident. */

export type SpecRoute = {
  readonly area: string
  readonly group: string | null
  readonly route: string
  readonly key: string | null
  readonly hidden: boolean
}

/** Area, key of its menu group, then route and page key. Where the spec gives no key, it is set by the catalogue of screens; a hidden detail has the key of its list. */
const GROUPS: readonly (readonly [
  area: string,
  group: string | null,
  routes: Readonly<Record<string, string | null>>,
])[] = [
  [
    'workbench',
    null,
    {
      '/dashboard': null,
      '/dashboard/index': null,
    },
  ],
  [
    'members',
    'member',
    {
      '/members/list': 'member-list',
      '/members/apply': 'apply-list',
      '/members/share': 'member-share',
      '/members/mobile': 'member-mobile',
      '/members/activity': 'member-activity',
      '/members/opus': 'opus-list',
      '/members/videoOpus': 'video-opus',
      '/members/task': 'member-task',
      '/members/opusFail': 'opus-opusFail',
      '/members/salePhone': 'member-salePhone',
      '/members/message': 'member-message',
    },
  ],
  [
    'welfare',
    'jx',
    {
      '/jx/q05': 'jx-q05',
      '/jx/customer': 'jx-customer',
      '/jx/bd-input': 'jx-bd-input',
      '/jx/bd-input/detail': 'jx-bd-input',
      '/jx/school': 'jx-school',
      '/jx/statistics': 'jx-statistics',
      '/jx/checkout': 'jx-checkout',
    },
  ],
  [
    'live',
    'living-admin',
    {
      '/members/dy-code': 'dy-code',
      '/members/channel-order': 'channel-order',
      '/members/xhs-order': 'xhs-order',
    },
  ],
  [
    'sales',
    'sale',
    {
      '/sale/list': 'sale-list',
      '/sale/schoolTeacher': 'sale-schoolTeacher',
      '/sale/count': 'sale-count',
      '/sale/operate': 'sale-operate',
      '/sale/packageCount': 'sale-packageCount',
      '/sale/phoneCount': 'sale-phoneCount',
      '/sale/workCount': 'sale-workCount',
      '/sale/saleWx': 'sale-saleWx',
      '/sale/apply': 'sale-apply',
      '/sale/wxApply': 'sale-wxApply',
      '/sale/link': 'sale-link',
      '/sale/salvage': 'sale-salvage',
      '/sale/salvageCount': 'sale-salvageCount',
      '/sale/intentionCount': 'sale-intentionCount',
      '/sale/chart': 'sale-chart',
      '/sale/name_copy': 'sale-nameCopy',
      '/sale/name_copy_v2': 'sale-nameCopyV2',
      '/sale/name_copy_vgz': 'sale-nameCopyGz',
      '/sale/name_copy_noqrcode': 'sale-nameCopyNoQr',
    },
  ],
  [
    'orders',
    'order',
    {
      '/order/list': 'order-list',
      '/coinOrder/list': 'coin-order-list',
      '/order/examine': 'order-examine',
      '/order/refundApply': 'order-refundApply',
      '/order/refundCount': 'order-refundCount',
      '/order/browse': 'order-browse',
      '/order/exchange': 'order-exchange',
    },
  ],
  [
    'logistics',
    'logistics',
    {
      '/logistics/baseProduct': 'base-product',
      '/logistics/product': 'logistics-product',
      '/order/logistics': 'order-logistics',
      '/order/sendGoods': 'order-sendGoods',
      '/order/examineSend': 'order-examineSend',
    },
  ],
  [
    'products',
    'product',
    {
      '/product/list': 'product-list',
      '/product/package': 'product-package',
      '/coupon/list': 'coupon-list',
      '/product/coin': 'product-coin',
      '/product/exchange': 'product-exchange',
    },
  ],
  [
    'monitor',
    'monitor',
    {
      '/monitor/activity': 'monitor-activity',
      '/monitor/opusCount': 'monitor-opusCount',
    },
  ],
  [
    'traffic',
    'flow',
    {
      '/source/count': 'source-count',
      '/operate/redBook': 'redBook',
      '/operate/redBookForm': 'redBookForm',
      '/operate/redBookLine': 'redBookLine',
      '/operate/redBookPublishLine': 'redBookPublishLine',
      '/operate/gz': 'gz',
      '/operate/channel': 'flow-channel',
    },
  ],
  [
    'operations',
    'operate',
    {
      '/operate/advertise/list': 'advertise',
      '/operate/feedback': 'feedback',
      '/operate/config': 'operate-config',
      '/operate/article/list': 'article',
      '/operate/article/living': 'article-living',
      '/operate/copybook/living': 'copybook-living',
      '/operate/page': 'operate-page',
      '/operate/starWish': 'starWish',
      '/operate/teacher': 'operate-teacher',
      '/operate/starWishMessage': 'starWishMessage',
      '/operate/appVersion': 'appVersion',
      '/operate/mpLink': 'mpLink',
      '/operate/h5': 'h5',
      '/operate/memberTd': 'memberTd',
    },
  ],
  [
    'analysis',
    'analyse',
    {
      '/analyse/list': 'analyse-list',
      '/analyse/month': 'analyse-month',
      '/analyse/order-count': 'analyse-order-count',
      '/analyse/order-table': 'analyse-order-table',
      '/analyse/order-pay-table': 'analyse-order-pay-table',
      '/analyse/hw-amount': 'analyse-hw-amount',
    },
  ],
  [
    'aftersales',
    'workWx',
    {
      '/workWx/contact/joinInfo': 'joinInfo',
      '/workWx/contact/list': 'workWx-contact',
      '/members/opusWell': 'opusWell',
      '/workWx/teacherCount/list': 'teacherCount',
      '/workWx/serviceCount/list': 'serviceCount',
      '/workWx/uploadCount/list': 'uploadCount',
      '/workWx/bindTeacher': 'bindTeacher',
      '/workWx/account/list': 'workWx-account',
      '/workWx/group/list': 'workWx-group',
      '/workWx/user/list': 'workWx-user',
      '/workWx/count/index': 'workWx-count',
      '/workWx/archiving/list': 'archiving',
    },
  ],
  [
    'appointments',
    'subscribe',
    {
      '/subscribe/rostering': 'rostering',
      '/subscribe/appoint': 'appoint',
    },
  ],
  [
    'finance',
    'finance',
    {
      '/finance/list': 'finance-list',
      '/finance/reward': 'finance-reward',
      '/orderPay/list': 'orderPay',
      '/contract/list': 'contract',
      '/receipt/list': 'receipt',
      '/inviteReward/list': 'inviteReward',
      '/kol/list': 'kol',
      '/apply/list': 'finance-apply',
    },
  ],
  [
    'channel',
    'channel',
    {
      '/operate/disOrder': 'disOrder',
      '/operate/disOrder/count': 'disOrder-count',
      '/operate/appChannel/list': 'appChannel',
      '/operate/channelPer': 'channelPer',
      '/operate/channelCount': 'channelCount',
      '/operate/channelCpa': 'channelCpa',
      '/operate/author': 'author',
      '/channel/sale-line': 'sale-line',
    },
  ],
  [
    'copywriting',
    'audio',
    {
      '/paper/subject': 'paper-subject',
      '/audio/copywriting/quota': 'copywriting-quota',
      '/audio/copywriting/re-copywriting': 're-copywriting',
      '/audio/copywriting/word-key': 'word-key',
      '/audio/copywriting/structure': 'structure',
      '/audio/copywriting/structure-flow': 'structure-flow',
    },
  ],
  [
    'debug',
    'debug',
    {
      '/debug/mqRecord/list': 'mqRecord',
      '/debug/opusWords/list': 'opusWords',
      '/debug/audio/listening': 'audio-listening',
      '/debug/audio/tts': 'audio-tts',
      '/debug/model/sf': 'model-sf',
      '/debug/mqRecord/detail': 'mqRecord',
      '/debug/OpusWords/detail': 'opusWords',
    },
  ],
  [
    'organisation',
    'orgStructure',
    {
      '/orgStructure/org': 'org',
      '/orgStructure/position': 'position',
      '/orgStructure/orgUser': 'org-user',
    },
  ],
  [
    'system',
    'system',
    {
      '/system/dictionary/list': 'dictionary',
      '/system/liteflow/chain': 'liteflow-chain',
      '/system/liteflow/script': 'liteflow-script',
      '/system/iamUser/index': 'iam-user',
      '/system/iamRole/list': 'iam-role',
      '/system/iamResourcePermission/list': 'iam-resource-permission',
      '/system/messageTemplate/list': 'message-template',
      '/system/message/list': 'message',
      '/system/scheduleJob/list': 'schedule-job',
      '/system/iamOperationLog/list': 'operation-log',
      '/system/iamLoginTrace/list': 'login-trace',
    },
  ],
  [
    'account',
    null,
    {
      '/account/settings': null,
      '/account/settings/base': null,
      '/account/settings/changePwd': null,
    },
  ],
]

const HIDDEN = new Set(['/jx/bd-input/detail', '/debug/mqRecord/detail', '/debug/OpusWords/detail'])

export const SPEC_ROUTES: readonly SpecRoute[] = GROUPS.flatMap(([area, group, routes]) =>
  Object.entries(routes).map(([route, key]) => ({ area, group, route, key, hidden: HIDDEN.has(route) })),
)
