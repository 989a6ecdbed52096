import { expect, test } from 'vitest'
import { locale as chainTexts } from '../src/areas/system/rule-chain/locale.ts'
import { locale as scriptTexts } from '../src/areas/system/rule-script/locale.ts'
import {
  askRefund,
  call,
  dialog,
  follow,
  hindrances,
  list,
  openAs,
  paidOrder,
  pick,
  question,
  row,
  tokenOf,
} from './console.ts'

const PATH = '/system/liteflow/chain'
/** Nobody else asks for so little: what other journeys ask for goes its old way. */
const AMOUNT_FEN = 434
const RISKY = 'IF(isRisky, holdRefund.bind("reason", "风险评分达到 4 分"))'
const AMOUNT = 'over.bind("fact", "amountFen").bind("than",'
const TEXT = `THEN(
  refundScore.retry(1),
  ${RISKY},
  IF(AND(${AMOUNT} ${AMOUNT_FEN - 1}), NOT(${AMOUNT} ${AMOUNT_FEN}))), holdRefund.bind("reason", "A trial sum"))
)`

type Judged = {
  readonly id: string
  readonly refundNo: string
  readonly ruleRuns: readonly { readonly edition: number; readonly outcome: string }[]
}

/** A refund of this small sum, decided about by this edition of its chain: on a busy machine the shipped one may have to, in time. */
async function judgedBy(edition: number): Promise<Judged> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const id = await askRefund((await paidOrder()).id, AMOUNT_FEN, 'sales')
    const read = async () => call<Judged>('GET', `/orders/refund-application/${id}`, undefined, await tokenOf('admin'))
    await expect.poll(async () => (await read()).ruleRuns.length).toBe(1)
    const refund = await read()
    if (refund.ruleRuns[0]?.edition === edition) return refund
  }
  throw new Error(`edition ${edition} decides about nothing`)
}

test('a rule is changed as text and as graph, tried on a refund, published by a second person, takes the next refund its way, and is rolled back', async () => {
  const [chain] = await list<{ id: string; edition: number }>('admin', '/system/rule-chain?query=refundRisk')
  if (!chain) throw new Error('the demo business has no such chain')
  const { id, edition } = chain
  const { refundNo } = await judgedBy(edition)

  const writer = await openAs('admin', `${PATH}?edit=${id}`)
  const form = dialog(writer)
  const text = form.getByLabel('Rule', { exact: true })
  await text.fill(TEXT)
  await form.getByRole('treeitem', { name: /holdRefund.*A trial sum/ }).click()
  await form.getByRole('button', { name: 'Add after' }).click()
  await writer.keyboard.type('askL2')
  await writer.keyboard.press('Enter')
  await expect
    .poll(() => text.inputValue())
    .toMatch(/THEN\(\s*holdRefund\.bind\("reason", "A trial sum"\),\s*askL2\s*\)/)

  await pick(form, 'Take the data of a record: type its number', refundNo)
  const facts = form.getByLabel('Data for the test run (JSON)')
  await expect.poll(() => facts.inputValue()).toContain(`"amountFen": ${AMOUNT_FEN}`)
  await form.getByRole('button', { name: 'Test run' }).click()
  await form.getByText(/^Finished after \d+ steps$/).waitFor()
  await form.getByRole('treeitem', { name: /^askL2.* 1 run/ }).waitFor()
  await form.getByRole('button', { name: 'Save draft' }).click()
  await row(writer, 'refundRisk').getByText('Has a draft').waitFor()
  await follow(writer, `${PATH}?open=${id}`)
  expect(await dialog(writer).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)

  const publisher = await openAs('operations-manager', `${PATH}?open=${id}`)
  await dialog(publisher).getByRole('button', { name: 'Publish' }).click()
  await question(publisher).getByRole('button', { name: 'Publish' }).click()
  await publisher.getByText('New edition published').waitFor()

  const refund = await judgedBy(edition + 1)
  expect(JSON.parse(refund.ruleRuns[0]?.outcome ?? '')).toEqual({ hold: true, holdReason: 'A trial sum', askL2: true })
  await follow(writer, `/order/refundApply?open=${refund.id}`)
  await dialog(writer).getByText('A trial sum', { exact: true }).first().waitFor()
  await dialog(writer).getByText('Needs finance approval').first().waitFor()

  await dialog(publisher).getByRole('tab', { name: 'Editions' }).click()
  const older = dialog(publisher)
    .getByRole('listitem')
    .filter({ hasText: `Edition ${edition}` })
  await older.last().getByRole('button', { name: 'Restore' }).click()
  await question(publisher).getByLabel('Reason').fill('Finance was asked too often')
  await question(publisher).getByRole('button', { name: 'Restore' }).click()
  await publisher.getByText(`Edition ${edition} restored`).waitFor()
  const after = await judgedBy(edition + 2)
  expect(after.ruleRuns[0]?.outcome).not.toContain('askL2')
})

const THROUGH_LINES = `THEN(
  ITERATOR(each.bind("fact", "lines")).DO(IF(over.bind("fact", "item.amountFen").bind("than", 100), askL2)),
  WHEN(refundScore.retry(2), IF(isText.bind("fact", "reazon").bind("text", "OTHER"), askL2))
).bind("of", "all", true)`

test('a chain as it stands, its editor with what is wrong, a dry run and a script hinder nobody, light or dark', async () => {
  const [chain] = await list<{ id: string }>('admin', '/system/rule-chain?query=refundRisk')
  const [script] = await list<{ id: string }>('admin', '/system/rule-script?query=refundScore')
  const found: string[] = []
  for (const [language, dark] of [
    ['zh-CN', false],
    ['en-US', true],
  ] as const) {
    const [say, tell] = [chainTexts[language], scriptTexts[language]]
    const page = await openAs('admin', `${PATH}?open=${chain?.id}`, { language, dark })
    const shown = dialog(page)
    await shown.getByRole('treeitem', { name: /refundScore/ }).waitFor()
    await shown.getByLabel(say['try-facts']).fill('{ "amountFen": 250000, "refundsBefore": 3, "daysSincePaid": 90 }')
    await shown.getByRole('button', { name: say['step.try'] }).click()
    await shown.getByRole('treeitem', { name: /^holdRefund|, holdRefund/ }).waitFor()
    await shown.getByRole('columnheader', { name: say['trace-node'] }).waitFor()
    found.push(...(await hindrances(page)))

    await follow(page, `${PATH}?edit=${chain?.id}`)
    const form = dialog(page)
    const source = form.getByRole('textbox', { name: say['field.source'] })
    await source.fill(THROUGH_LINES)
    await form.getByRole('treeitem', { name: /isText/ }).click()
    await form.getByText(say['event-facts']).click()
    found.push(...(await hindrances(page)))
    await form.getByRole('treeitem', { name: /^THEN/ }).click({ position: { x: 10, y: 10 } })
    found.push(...(await hindrances(page)))

    await follow(page, `/system/liteflow/script?edit=${script?.id}`)
    const writing = dialog(page)
    await writing
      .getByRole('textbox', { name: tell['field.source'], exact: true })
      .fill('return { risk: facts.amuontFen > 5 ? 2 : 1 }')
    await writing.getByText(tell['fact-unknown'].replace('{name}', 'amuontFen')).waitFor()
    await writing.getByRole('button', { name: tell['try-now'] }).click()
    await writing.getByRole('alert').first().waitFor()
    found.push(...(await hindrances(page)))
  }
  expect(found).toEqual([])
})
