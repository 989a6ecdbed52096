import { pinyin } from 'pinyin-pro'
import { type Spelling, spelledBy } from '#kit/server/text/pinyin.ts'

/** Made-up people, numbers and goods for the demo business, the simulator and tests. The same seed gives the same ones. */
export type Random = {
  /** At least 0, less than 1. */
  fraction(): number
  /** A whole number from `low` to `high`, both possible. */
  whole(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  weighted<T>(from: readonly (readonly [value: T, weight: number])[]): T
}

const STEP = 0x9e3779b9

/** A repeatable source: a counter whose bits are mixed. Not for secrets. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return randomBy(() => {
    state = (state + STEP) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  })
}

/** Choices made by this source of fractions. */
export function randomBy(fraction: () => number): Random {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(fraction() * from.length)] as T
  return {
    fraction,
    whole: (low, high) => low + Math.floor(fraction() * (high - low + 1)),
    chance: probability => fraction() < probability,
    pick,
    weighted(from) {
      let left = fraction() * from.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of from) {
        left -= weight
        if (left < 0) return value
      }
      return pick(from)[0]
    },
  }
}

/** Most frequent first. */
export const SURNAMES = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦傅方白邹孟熊秦邱江尹薛',
]
const WOMEN =
  '静 敏 丽娟 晓燕 雪梅 慧敏 婷婷 丹 玉洁 春梅 海燕 佳怡 文静 秀兰 晓雯 思琪 美玲 红霞 倩 颖 雅琴 梦洁 艳 淑芬 嘉欣'.split(
    ' ',
  )
const MEN =
  '伟 强 磊 志强 建国 俊杰 勇 涛 明辉 国栋 海波 晓东 文博 鹏 志远 宇 浩 建华 立新 永康 振宇 超 家豪 凯 少华'.split(' ')
/** Given names of guardians, which nobody else here has and no text: where one is read, a guardian is named (`tools/ledger.ts`). */
const MOTHERS =
  '婉瑜 淑娴 蕙兰 琬琳 佩珊 碧蓉 素娟 秋菱 映荷 玉珍 翠萍 桂芬 凤娇 芝兰 美娜 巧云 秀珠 月娥 彩霞 金凤 银芳 莉娜 湘云 采薇 竹君'.split(
    ' ',
  )
const FATHERS =
  '德胜 忠义 福生 守成 耀祖 荣发 庆丰 宝山 长庚 兆麟 世昌 广财 延平 炳坤 润泽 维新 克勤 仕杰 传宗 启航 显荣 承业 鸿儒 盛林 孝先'.split(
    ' ',
  )
export const GUARDIANS: readonly string[] = [...MOTHERS, ...FATHERS]
/** Names of pupils, six to fourteen years old. */
export const PUPIL_NAMES = (
  '子轩 梓涵 一诺 浩然 雨桐 欣怡 宇航 诗涵 俊熙 可馨 子墨 奕辰 宇轩 思远 语晨 若曦 沐阳 佳宁 艺涵 梓萱 铭泽 晨曦 博文 雨泽 皓轩 ' +
  '依诺 芷若 书瑶 锦程 明哲 思涵 梦琪 嘉懿 煜城 懿轩 烨伟 苑博 伟泽 熠彤 鸿煊 昕怡 紫涵 静怡 雪怡 楚涵 安然 清妍 乐怡 天佑 承宇 ' +
  '允儿 知夏 星辰 云熙 宸睿 景行 望舒 予安 若溪 泽楷'
).split(' ')

export type Gender = 'F' | 'M'

/** A few surnames are most of the people. */
export const surname = (random: Random): string =>
  SURNAMES[Math.floor(SURNAMES.length * random.fraction() ** 1.7)] as string

export const adultName = (random: Random, gender: Gender): string =>
  surname(random) + random.pick(gender === 'F' ? WOMEN : MEN)

export type Pupil = { name: string; guardianName: string }

/** A pupil and the parent who signs: the same surname in most families. */
export function pupil(random: Random): Pupil {
  const family = surname(random)
  const gender = random.chance(0.7) ? 'F' : 'M'
  const parent = gender === 'M' || random.chance(0.2) ? family : surname(random)
  return {
    name: family + random.pick(PUPIL_NAMES),
    guardianName: parent + random.pick(gender === 'F' ? MOTHERS : FATHERS),
  }
}

export const spellingOf = (name: string): Spelling => spelledBy(pinyin, name)
export const pinyinOf = (name: string): string => spellingOf(name).name_pinyin

/** Where each kind of record takes its numbers, so that none meets another's. */
export const PHONES = {
  staff: 0,
  member: 1_000,
  lead: 500_000,
  app: 600_000,
  partner: 700_000,
  bulk: 1_000_000,
  test: 90_000_000,
} as const
export const PHONE_PREFIXES = '138 139 136 137 158 159 188 187 150 151 186 185 133 189 177 199'.split(' ')
/** Odd and no multiple of five, so that multiplying by it only re-orders the eight digits: no two indexes share a number. */
export const PHONE_FACTOR = 61_803_399
export const PHONE_TAILS = 100_000_000

/** The mobile number with this index, 0 … 99 999 999. The halves change places because the last digits step too evenly. */
export function phoneAt(index: number): string {
  const tail = String((index * PHONE_FACTOR) % PHONE_TAILS).padStart(8, '0')
  return `${PHONE_PREFIXES[index % PHONE_PREFIXES.length]}${tail.slice(4)}${tail.slice(0, 4)}`
}

export type Address = { readonly province: string; readonly address: string }

const PLACES: readonly (readonly [province: string, places: readonly string[]])[] = [
  ['ZJ', ['杭州市西湖区文三路', '宁波市鄞州区中山东路', '温州市鹿城区车站大道']],
  ['JS', ['南京市鼓楼区中央路', '苏州市姑苏区干将东路', '无锡市梁溪区人民中路']],
  ['SH', ['上海市浦东新区世纪大道', '上海市徐汇区漕溪北路']],
  ['BJ', ['北京市海淀区中关村大街', '北京市朝阳区建国路']],
  ['GD', ['广州市天河区体育西路', '深圳市南山区科技园路', '佛山市禅城区祖庙路']],
  ['SD', ['济南市历下区泉城路', '青岛市市南区香港中路']],
  ['SC', ['成都市锦江区春熙路', '绵阳市涪城区临园路']],
  ['FJ', ['福州市鼓楼区五四路', '厦门市思明区湖滨南路']],
]

/** Where a family wants its parcels. */
export function addressOf(random: Random): Address {
  const [province, places] = random.pick(PLACES)
  const door = `${random.whole(1, 32)} 幢 ${random.whole(1, 28)}0${random.whole(1, 4)} 室`
  return { province, address: `${random.pick(places)} ${random.whole(1, 480)} 号 ${door}` }
}
