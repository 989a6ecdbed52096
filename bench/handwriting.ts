import sharp from 'sharp'
import { cutPage } from '#engines/handwriting/cutting.server.ts'
import { missedOn, type Told, toldOf } from '#engines/handwriting/demo-measure.server.ts'
import {
  KINDS,
  type Kind,
  type PageWish,
  type PracticePage,
  practicePage,
} from '#engines/handwriting/demo-page.server.ts'
import { scorePicture } from '#engines/handwriting/scoring.server.ts'
import { FORM_FAULTS } from '#engines/stroke/demo-hand.server.ts'
import { median, table, verdict, verdicts, whole } from './figures.ts'
import type { Ground } from './ground.ts'
import { strangeHand } from './strange-hand.ts'

const COLOURS = ['red', 'green', 'grey'] as const
/** What children take for each other, both ways. */
const PAIRS = [
  ...'未末 土士 日目 今令 大太 人入 牛午 田由 木本 刀力 白百 天夫 晴睛 己已 王玉 鸟乌 干千'.split(' '),
].flatMap(([one = '', other = '']): [string, string][] => [
  [one, other],
  [other, one],
])
const PAGE = 60
/** A page is some ten to the limit of what a dot more or less decides: seeds apart from those the tests use. */
const SEEDS = { cut: 20_000, judged: 30_000, alike: 40_000, meant: 50_000, form: 60_000, strange: 70_000 }
/** Stretched one way by a font as by a hand; strokes over strokes by a hand alone. */
const STRETCHED = ['narrow', 'wide'] as const

/** Five hundred characters of each kind are judged, unless other numbers of pages are asked for. */
const FULL = { cut: 200, judged: 62, form: 26, alike: 8 }
const QUICK = { cut: 2, judged: 1, form: 1, alike: 1 }
const sized = (share: number): typeof FULL => {
  const of = (pages: number) => Math.max(1, Math.round(pages * share))
  return { cut: of(FULL.cut), judged: of(FULL.judged), form: of(FULL.form), alike: of(FULL.alike) }
}

type Judged = { readonly told: readonly Told[]; readonly msOfPage: readonly number[] }

/** Pages made from seeds, photographed, cut and judged; everything about them is known. */
export async function measureHandwriting({ settings }: Ground): Promise<string> {
  sharp.concurrency(1)
  const pages = settings.quick ? QUICK : settings.pages ? sized(settings.pages / FULL.judged) : FULL
  const cut = await cutAll(pages.cut)
  const judged = await judgeAll(pages.judged, SEEDS.judged, {})
  const form = await judgeAll(pages.form, SEEDS.form, { kinds: FORM_FAULTS })
  const alike = await judgeAll(pages.alike, SEEDS.alike, { kinds: ['wrong'], pairs: PAIRS })
  const meant = await judgeAll(pages.alike, SEEDS.meant, { kinds: ['good'], pairs: PAIRS })
  const hand = await strangeHand()
  const strange = await judgeAll(pages.judged, SEEDS.strange, { hand })
  const stretched = await judgeAll(pages.form, SEEDS.strange + 5_000, { hand, kinds: STRETCHED })
  const own = [...byKind(KINDS, judged), ...byKind(FORM_FAULTS, form)]
  const others = [...byKind(KINDS, strange), ...byKind(STRETCHED, stretched)]
  return [
    '### Handwriting: pages cut and judged',
    '',
    judgedTable([
      ...own,
      { kind: 'a lookalike instead', told: alike.told },
      { kind: 'good, has lookalikes', told: meant.told },
    ]),
    '',
    'The same in LXGW WenKai, a font of another hand by which no limit was set:',
    '',
    judgedTable(others),
    '',
    `${whole(pages.cut)} pages of ${whole(cut.all)} characters: ${whole(cut.missed)} not found, ${whole(cut.extra)} too many, ${whole(cut.wrong)} pages refused or of a wrong size.`,
    '',
    ...verdicts(settings, [
      verdict('characters found', 1 - cut.missed / cut.all, { atLeast: 0.995 }),
      ...own.map(({ kind, told }) => verdict(kind, rightShare(told), { atLeast: kind === 'good' ? 0.97 : 0.95 })),
      verdict('a lookalike instead', rightShare(alike.told), { atLeast: 0.85 }),
      ...others.map(({ kind, told }) =>
        verdict(`${kind}, strange font`, rightShare(told), { atLeast: STRANGE[kind as Kind] ?? 0.95 }),
      ),
      verdict(`seconds of processor time for ${PAGE} characters, median`, median(judged.msOfPage.slice(1)) / 1_000, {
        atMost: 1.5,
      }),
    ]),
  ].join('\n')
}

/** What is less surely told of a font nobody has looked at. */
const STRANGE: Readonly<Partial<Record<Kind, number>>> = { good: 0.9, missing: 0.85 }

type Row = { readonly kind: string; readonly told: readonly Told[] }
const byKind = (kinds: readonly Kind[], { told }: Judged): Row[] =>
  kinds.map(kind => ({ kind, told: told.filter(({ written }) => written.kind === kind) }))
const judgedTable = (rows: readonly Row[]): string =>
  table(
    ['', 'characters', 'named right %', 'nothing else named %'],
    rows.map(({ kind, told }) => [kind, told.length, percent(rightShare(told)), percent(onlyShare(told))]),
  )

const percent = (share: number): string => (100 * share).toFixed(1)
const rightShare = (told: readonly Told[]): number => told.filter(({ isRight }) => isRight).length / told.length
const onlyShare = (told: readonly Told[]): number =>
  told.filter(({ isRight, said }) => isRight && said.reasons.length <= 1).length / told.length

async function cutAll(pages: number) {
  const sum = { all: 0, missed: 0, extra: 0, wrong: 0 }
  for (let page = 0; page < pages; page += 1) {
    const made = await practicePage(SEEDS.cut + page, {
      style: { colour: COLOURS[page % 3] as (typeof COLOURS)[number] },
    })
    const cut = await cutPage(made.picture)
    sum.all += made.written.length
    if (typeof cut === 'string' || cut.columns !== made.style.columns || cut.rows !== made.style.rows) sum.wrong += 1
    const { missed, extra } =
      typeof cut === 'string' ? { missed: made.written, extra: 0 } : missedOn(made, cut, cut.cells)
    sum.missed += missed.length
    sum.extra += extra
  }
  return sum
}

async function judgeAll(pages: number, seed: number, wish: PageWish): Promise<Judged> {
  const [told, msOfPage]: [Told[], number[]] = [[], []]
  for (let page = 0; page < pages; page += 1) {
    const made = await practicePage(seed + page, wish)
    const { said, ms } = await judgedOnce(made)
    told.push(...said)
    msOfPage.push((ms * PAGE) / made.written.length)
  }
  return { told, msOfPage }
}

async function judgedOnce(page: PracticePage): Promise<{ said: Told[]; ms: number }> {
  const begun = process.cpuUsage()
  const score = await scorePicture(page.picture, page.text)
  const { user, system } = process.cpuUsage(begun)
  if (typeof score === 'string') throw new Error(`a page was refused: ${score}`)
  return { said: toldOf(page, score), ms: (user + system) / 1_000 }
}
