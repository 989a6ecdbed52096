import { sql } from 'kysely'
import type { Database, Tx } from '#kit/server/database.ts'
import { idOf, idsBy, insertRows } from './insert-rows.server.ts'

type Entry = readonly [value: string, label: string, colour?: string]
type Dictionary = {
  readonly code: string
  readonly name: string
  readonly note?: string
  readonly builtIn: boolean
  readonly entries: readonly Entry[]
}

const BLUE = '#1677ff'
const GREEN = '#389e0d'
const ORANGE = '#d46b08'
const RED = '#cf1322'
const GREY = '#8c8c8c'
const PURPLE = '#722ed1'
const CYAN = '#08979c'
const GOLD = '#d48806'
const INDIGO = '#2f54eb'

/** Those the code relies on. Values are what records store. */
const BUILT_IN: readonly Omit<Dictionary, 'builtIn'>[] = [
  {
    code: 'ORDER_SOURCE',
    name: '订单来源',
    entries: [
      ['APP', '练字 App', BLUE],
      ['LINK', '销售链接', CYAN],
      ['DOUYIN', '抖音', INDIGO],
      ['WECHAT_SHOP', '微信小店', GREEN],
      ['XIAOHONGSHU', '小红书', RED],
      ['SCHOOL', '公益课学校', GOLD],
      ['OFFLINE', '线下', GREY],
      ['REDEMPTION', '兑换码', PURPLE],
    ],
  },
  {
    code: 'REFUND_REASON',
    name: '退款原因',
    entries: [
      ['NO_TIME', '没有时间学习', BLUE],
      ['NOT_INTERESTED', '孩子不感兴趣', ORANGE],
      ['NO_EFFECT', '效果不明显', RED],
      ['TEACHER', '对点评不满意', PURPLE],
      ['PRICE', '价格原因', GOLD],
      ['WRONG_ORDER', '重复或误拍', GREY],
      ['GOODS', '商品破损或少发', CYAN],
      ['OTHER', '其他', GREY],
    ],
  },
  {
    code: 'MEMBER_SOURCE',
    name: '学员来源',
    entries: [
      ['DOUYIN', '抖音', INDIGO],
      ['WECHAT_SHOP', '微信小店', GREEN],
      ['XIAOHONGSHU', '小红书', RED],
      ['SCHOOL', '公益课学校', GOLD],
      ['REFERRAL', '转介绍', PURPLE],
      ['APP', '自然注册', BLUE],
    ],
  },
  {
    code: 'MEMBER_LEVEL',
    name: '学员等级',
    entries: [
      ['TRIAL', '体验', BLUE],
      ['MEMBER', '会员', GREEN],
      ['EXPIRED', '已到期', GREY],
    ],
  },
  {
    code: 'CARRIER',
    name: '快递公司',
    note: '值是快递鸟的编码，快递100的编码由系统对照',
    entries: [
      ['SF', '顺丰速运'],
      ['ZTO', '中通快递'],
      ['YTO', '圆通速递'],
      ['STO', '申通快递'],
      ['YD', '韵达速递'],
      ['JTSD', '极兔速递'],
      ['JD', '京东物流'],
      ['EMS', '邮政 EMS'],
      ['YZPY', '邮政快递包裹'],
      ['DBL', '德邦快递'],
    ],
  },
  {
    code: 'CHANNEL',
    name: '渠道',
    entries: [
      ['DOUYIN_LIVE', '抖音直播', INDIGO],
      ['DOUYIN_VIDEO', '抖音短视频', BLUE],
      ['WECHAT_SHOP', '微信小店', GREEN],
      ['XIAOHONGSHU_NOTE', '小红书笔记', RED],
      ['SCHOOL', '公益课学校', GOLD],
      ['REFERRAL', '老学员推荐', PURPLE],
      ['STORE', '应用商店', CYAN],
      ['OTHER', '其他', GREY],
    ],
  },
  {
    code: 'MEMBER_TAG',
    name: '学员标签',
    entries: [
      ['HIGH_INTENT', '高意向', RED],
      ['RENEWAL', '续费重点', ORANGE],
      ['DILIGENT', '坚持打卡', GREEN],
      ['QUIET', '久未学习', GREY],
      ['REFERRER', '乐于转介绍', PURPLE],
      ['SIBLING', '二胎家庭', CYAN],
      ['CAREFUL', '需要安抚', GOLD],
    ],
  },
  {
    code: 'FOLLOW_UP_KIND',
    name: '跟进方式',
    entries: [
      ['PHONE', '电话', BLUE],
      ['CHAT', '企业微信', GREEN],
      ['SMS', '短信', CYAN],
      ['VISIT', '上门或到店', PURPLE],
      ['OTHER', '其他', GREY],
    ],
  },
  {
    code: 'PROVINCE',
    name: '省份',
    note: '值是 ISO 3166-2 的代码',
    entries: [
      ['BJ', '北京'],
      ['TJ', '天津'],
      ['HE', '河北'],
      ['SX', '山西'],
      ['NM', '内蒙古'],
      ['LN', '辽宁'],
      ['JL', '吉林'],
      ['HL', '黑龙江'],
      ['SH', '上海'],
      ['JS', '江苏'],
      ['ZJ', '浙江'],
      ['AH', '安徽'],
      ['FJ', '福建'],
      ['JX', '江西'],
      ['SD', '山东'],
      ['HA', '河南'],
      ['HB', '湖北'],
      ['HN', '湖南'],
      ['GD', '广东'],
      ['GX', '广西'],
      ['HI', '海南'],
      ['CQ', '重庆'],
      ['SC', '四川'],
      ['GZ', '贵州'],
      ['YN', '云南'],
      ['XZ', '西藏'],
      ['SN', '陕西'],
      ['GS', '甘肃'],
      ['QH', '青海'],
      ['NX', '宁夏'],
      ['XJ', '新疆'],
      ['TW', '台湾'],
      ['HK', '香港'],
      ['MO', '澳门'],
    ],
  },
  {
    code: 'PAY_CHANNEL',
    name: '线下收款方式',
    entries: [
      ['BANK', '银行转账', BLUE],
      ['WECHAT', '微信', GREEN],
      ['ALIPAY', '支付宝', INDIGO],
      ['CASH', '现金', GREY],
    ],
  },
  {
    code: 'GENDER',
    name: '性别',
    entries: [
      ['F', '女', '#c41d7f'],
      ['M', '男', BLUE],
      ['UK', '未知', GREY],
    ],
  },
  {
    code: 'ACCOUNT_STATUS',
    name: '帐号状态',
    entries: [
      ['ENABLED', '启用', GREEN],
      ['DISABLED', '停用', GREY],
      ['LOCKED', '锁定', RED],
    ],
  },
  {
    code: 'USER_STATUS',
    name: '在职状态',
    entries: [
      ['A', '在职', GREEN],
      ['I', '离职', GREY],
    ],
  },
  {
    code: 'AUTH_TYPE',
    name: '登录方式',
    entries: [
      ['PWD', '用户名密码'],
      ['SSO', '单点登录'],
      ['WX_MP', '公众号'],
      ['WX_CP', '企业微信'],
      ['OTHER', '其他'],
    ],
  },
  {
    code: 'PERMISSION_TYPE',
    name: '权限类型',
    entries: [
      ['MENU', '菜单', BLUE],
      ['PERMISSION', '操作', CYAN],
    ],
  },
  {
    code: 'DATA_PERMISSION_TYPE',
    name: '数据范围',
    entries: [
      ['SELF', '本人'],
      ['SELF_AND_SUBORDINATES', '本人及下属'],
      ['DEPARTMENT', '本部门'],
      ['DEPARTMENT_AND_BELOW', '本部门及下属部门'],
      ['ALL', '全部'],
      ['CHOSEN', '指定部门'],
    ],
  },
  {
    code: 'ORG_TYPE',
    name: '组织类型',
    entries: [
      ['COMP', '公司', BLUE],
      ['DEPT', '部门', CYAN],
    ],
  },
  {
    code: 'POSITION_GRADE',
    name: '职级',
    entries: [
      ['E1', '初级'],
      ['E2', '中级'],
      ['E3', '高级'],
      ['E4', '专家', GOLD],
    ],
  },
  {
    code: 'MESSAGE_STATUS',
    name: '消息状态',
    entries: [
      ['SCHEDULE', '定时发送', PURPLE],
      ['SENDING', '发送中', BLUE],
      ['EXCEPTION', '发送异常', RED],
      ['DELIVERY', '已送达', GREEN],
      ['UNREAD', '未读', ORANGE],
      ['READ', '已读', CYAN],
    ],
  },
  {
    code: 'MESSAGE_CHANNEL',
    name: '消息通道',
    entries: [
      ['WEBSOCKET', '站内信', BLUE],
      ['TEXT_MESSAGE', '短信', GREEN],
      ['EMAIL', '邮件', ORANGE],
    ],
  },
  {
    code: 'COURSE_STAGE',
    name: '课程阶段',
    note: '从控笔到行楷',
    entries: [
      ['CONTROL', '控笔'],
      ['STROKE', '笔画'],
      ['STRUCTURE', '结构'],
      ['LAYOUT', '章法'],
      ['RUNNING', '行楷'],
    ],
  },
]

/** Those the staff made for themselves: they may go again. */
const OWN: readonly Omit<Dictionary, 'builtIn'>[] = [
  {
    code: 'FOLLOW_UP_RESULT',
    name: '跟进结果',
    note: '销售顾问记录每次联系的结果',
    entries: [
      ['NO_ANSWER', '未接通', GREY],
      ['INTERESTED', '有意向', GREEN],
      ['LATER', '稍后联系', ORANGE],
      ['REFUSED', '明确拒绝', RED],
    ],
  },
  {
    code: 'LOST_REASON',
    name: '流失原因',
    entries: [
      ['PRICE', '价格高', GOLD],
      ['OTHER_SCHOOL', '选择其他机构', PURPLE],
      ['OFFLINE_CLASS', '改报线下班', CYAN],
      ['NO_TIME', '没有时间', GREY],
    ],
  },
  {
    code: 'SCHOOL_GRADE',
    name: '年级',
    entries: ['一', '二', '三', '四', '五', '六'].map((label, index) => [`G${index + 1}`, `${label}年级`] as const),
  },
]

const DICTIONARIES: readonly Dictionary[] = [
  ...BUILT_IN.map(dictionary => ({ ...dictionary, builtIn: true })),
  ...OWN.map(dictionary => ({ ...dictionary, builtIn: false })),
]

/** Values of a dictionary, for records that store one. */
export const valuesOf = (code: string): string[] =>
  DICTIONARIES.find(dictionary => dictionary.code === code)?.entries.map(([value]) => value) ?? []

export const seedDictionaries = (tx: Tx, createdAt: Date): Promise<void> => store(tx, createdAt, DICTIONARIES)

/** The code relies on these with or without demo data: whatever is missing is added, what people changed stays. */
export const keepBuiltInDictionaries = (db: Database, now: Date): Promise<void> =>
  db.write(tx =>
    store(
      tx,
      now,
      DICTIONARIES.filter(({ builtIn }) => builtIn),
    ),
  )

/** Any number: instances that start together add each type once. */
const LOCK = 7_283_404

async function store(tx: Tx, createdAt: Date, wanted: readonly Dictionary[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
  const known = await tx.selectFrom('dictionary_type').select('code').execute()
  const fresh = wanted.filter(({ code }) => !known.some(type => type.code === code))
  const types = fresh.map(({ code, name, note = '', builtIn }) => ({
    code,
    name,
    note,
    built_in: builtIn,
    created_at: createdAt,
  }))
  const ids = idsBy(await insertRows(tx, 'dictionary_type', types, ['id', 'code']), 'code')
  const items = fresh.flatMap(({ code, entries }) =>
    entries.map(([value, label, colour = null], sort) => ({
      type_id: idOf(ids, code),
      label,
      value,
      colour,
      sort,
      enabled: true,
    })),
  )
  await insertRows(tx, 'dictionary_item', items)
}
