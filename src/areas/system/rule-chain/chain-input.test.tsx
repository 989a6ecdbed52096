import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Form } from 'antd'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { pick, press, renderPage } from '../../../../tools/testing/page.tsx'
import { ChainInput } from './chain-input.page.tsx'
import type { KnownNames, Tried } from './model.ts'

beforeAll(() => loadTexts('engines/rule'))

const NO_USE = { reads: [], answers: [] }
const KNOWN: KnownNames = {
  nodes: [
    { id: 'score', name: '评分', type: 'common', about: '', parameters: null, does: false, ...NO_USE },
    { id: 'isRisky', name: '高风险', type: 'boolean', about: '', parameters: null, does: false, ...NO_USE },
  ],
  chains: [],
  events: [],
}
const REFUND: KnownNames['events'][number] = {
  name: 'refundSubmitted',
  title: 'Refund requested',
  screen: 'orders/refund-application',
  number: 'refundNo',
  facts: [],
  shipped: '',
  letsDo: false,
}
const figure = (name: string) => ({ name, title: name, kind: 'whole' as const, fields: [] })
const TELLING = { ...REFUND, facts: [figure('sumFen'), figure('amountFen')] }
const TRY = 'POST /api/system/rule-chain/try'
const STEP = { chainId: '(draft)', place: 5, tag: null, input: '{}', error: null }
const TRIED: Tried = {
  error: null,
  facts: '{"risk":8}',
  steps: [{ ...STEP, nodeId: 'score', ms: 4, output: '{"risk":8}' }],
}
const forRefunds = (source: string) => (
  <Form initialValues={{ source, event: 'refundSubmitted' }}>
    <Form.Item name="event" hidden>
      <input />
    </Form.Item>
    <Form.Item name="source" label="Rule">
      <ChainInput />
    </Form.Item>
  </Form>
)
const open = (source: string) =>
  renderPage(
    <Form initialValues={{ source }}>
      <Form.Item name="source" label="Rule">
        <ChainInput />
      </Form.Item>
    </Form>,
    {
      calls: { 'GET /api/system/rule-chain/known': () => KNOWN, [TRY]: () => TRIED },
      grants: { 'liteflow-chain': ['detail', 'try'] },
    },
  )
/** However it is broken into lines. */
const inOneLine = () =>
  text()
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/\( | \)/g, mark => mark.trim())
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Rule').value

describe('writing a chain', () => {
  test('tells a mistake where it is, and one press writes what was meant', async () => {
    await open('THEN(scroe)')
    expect(await screen.findByText('Line 1, column 6')).toBeTruthy()
    expect(screen.getByText('There is no node or chain with the ID “scroe”')).toBeTruthy()
    press('Fix')
    expect(text()).toBe('THEN(score)')
    expect(screen.queryByText('Line 1, column 6')).toBeNull()
  })

  test('tells what is wrong with a word beside what is wrong with the brackets', async () => {
    await open('THEN(scroe, if(isRisky, score)')
    expect(await screen.findByText('There is no node or chain with the ID “scroe”')).toBeTruthy()
    expect(screen.getByText('Keywords are case-sensitive: “if”')).toBeTruthy()
    expect(screen.getByText('“)” is missing here')).toBeTruthy()
  })

  test('shows how it is built, and writes it as everybody does', async () => {
    await open('IF( isRisky,score )')
    expect(await screen.findByText('IF')).toBeTruthy()
    press('Tidy up')
    expect(text()).toBe('IF(isRisky, score)')
  })

  test('puts a node where the caret stands', async () => {
    await open('THEN(score, )')
    const field = screen.getByLabelText<HTMLTextAreaElement>('Rule')
    field.setSelectionRange(12, 12)
    fireEvent.click(await screen.findByTitle('评分'))
    expect(text()).toBe('THEN(score, score)')
  })

  test('is completed by the keyboard: what fits is offered, chosen with the arrows and taken with Enter', async () => {
    await open('IF(, score)')
    await screen.findByTitle('评分')
    const field = screen.getByLabelText<HTMLTextAreaElement>('Rule')
    fireEvent.change(field, { target: { value: 'IF(is, score)', selectionStart: 5, selectionEnd: 5 } })
    expect(screen.getAllByRole('option').map(option => option.querySelector('strong')?.textContent)).toEqual([
      'isRisky',
    ])
    expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id)
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(text()).toBe('IF(isRisky, score)')
    expect(field.getAttribute('aria-activedescendant')).toBeNull()
  })

  test('shows each step of a run', async () => {
    const page = await open('THEN(score)')
    fireEvent.change(await screen.findByLabelText('Data for the test run (JSON)'), {
      target: { value: '{"amount":80}' },
    })
    press('Test run')
    expect(await screen.findByText('Finished after 1 step')).toBeTruthy()
    expect(page.sent(TRY).map(({ body }) => body)).toEqual([{ source: 'THEN(score)', facts: '{"amount":80}' }])
  })
})

const box = (name: string) => screen.getByRole('treeitem', { name })
const key = (name: string, how: object) => fireEvent.keyDown(box(name), how)

describe('a chain as boxes', () => {
  test('is drawn as it is written, and follows the text', async () => {
    await open('THEN(score, IF(isRisky, score.tag("again")))')
    expect(await screen.findByRole('treeitem', { name: 'Condition, isRisky, 高风险' })).toBeTruthy()
    expect(box('Yes, score, 评分, tag again')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Rule'), { target: { value: 'WHEN(score)' } })
    expect(screen.queryByRole('treeitem', { name: /isRisky/ })).toBeNull()
    expect(box('WHEN')).toBeTruthy()
  })

  test('gets a node by the keyboard alone, and what was done is taken back and done again', async () => {
    await open('THEN(score)')
    await screen.findByRole('treeitem', { name: 'score, 评分' })
    key('THEN', { key: 'ArrowDown' })
    expect(document.activeElement).toBe(box('score, 评分'))
    key('score, 评分', { key: 'a' })
    const asked = screen.getByRole('combobox', { name: /Add after/ })
    expect(document.querySelectorAll('.ant-select-item-option').length).toBe(1)
    fireEvent.keyDown(asked, { key: 'Enter', which: 13, keyCode: 13 })
    expect(text()).toBe('THEN(score, score)')
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'z', ctrlKey: true })
    expect(text()).toBe('THEN(score)')
    press('Redo')
    expect(text()).toBe('THEN(score, score)')
  })

  test('is moved, wrapped and taken apart by keys and buttons, and what cannot be done is not offered', async () => {
    await open('THEN(score.tag("one"), score.tag("two"))')
    await screen.findByRole('treeitem', { name: 'score, 评分, tag one' })
    fireEvent.click(box('score, 评分, tag one'))
    key('score, 评分, tag one', { key: 'ArrowDown', altKey: true })
    expect(text()).toBe('THEN(score.tag("two"), score.tag("one"))')
    expect(box('score, 评分, tag one').getAttribute('aria-selected')).toBe('true')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Unwrap' }).disabled).toBe(true)
    press('Remove')
    expect(text()).toBe('THEN(score.tag("two"))')
  })

  test('takes what is said about a node from a field, and writes it', async () => {
    await open('THEN(score)')
    await screen.findByRole('treeitem', { name: 'score, 评分' })
    fireEvent.click(box('score, 评分'))
    const field = screen.getByLabelText('Tag')
    fireEvent.change(field, { target: { value: 'vip "1"' } })
    fireEvent.blur(field)
    expect(text()).toBe(`THEN(score.tag('vip "1"'))`)
  })

  test('binds what a node takes by fields, and what is bound around it by others, and loses nothing of either', async () => {
    const parameters = [
      { name: 'fact', kind: 'whole-fact' as const, values: null },
      { name: 'than', kind: 'whole' as const, values: null },
    ]
    const over = { id: 'over', name: '大于', type: 'boolean' as const, about: '', parameters, does: false, ...NO_USE }
    await renderPage(forRefunds('THEN(IF(over.bind("fact", "sumFen"), score)).bind("depth", "  deep ", true)'), {
      calls: {
        'GET /api/system/rule-chain/known': () => ({ ...KNOWN, nodes: [...KNOWN.nodes, over], events: [TELLING] }),
      },
      grants: { 'liteflow-chain': ['detail'] },
    })
    fireEvent.click(await screen.findByRole('treeitem', { name: /^Condition, over, 大于/ }))
    expect(screen.getByTitle('sumFen · sumFen')).toBeTruthy()
    const than = screen.getByLabelText('Parameter than')
    fireEvent.change(than, { target: { value: '-500' } })
    fireEvent.blur(than)
    expect(inOneLine()).toContain('over.bind("fact", "sumFen").bind("than", -500)')
    fireEvent.click(screen.getByRole('treeitem', { name: /^THEN, bind depth/ }))
    const value = screen.getByLabelText<HTMLInputElement>('Value')
    fireEvent.blur(value)
    expect(inOneLine()).toContain('.bind("depth", "  deep ", true)')
    fireEvent.click(screen.getByLabelText('Overrides what is bound within'))
    expect(inOneLine()).toContain('.bind("depth", "  deep ", false)')
    fireEvent.change(screen.getByLabelText('Bind one more: its name'), { target: { value: 'city' } })
    fireEvent.blur(screen.getByLabelText('Bind one more: its name'))
    expect(inOneLine()).toContain('.bind("depth", "  deep ", false).bind("city", "")')
    fireEvent.click(screen.getAllByRole('button', { name: 'Unbind' })[0] as HTMLElement)
    expect(inOneLine()).toContain('score)).bind("city", "")')
  })

  test('names a fact the event does not have, where it stands, and writes the one that was meant', async () => {
    const parameters = [
      { name: 'fact', kind: 'whole-fact' as const, values: null },
      { name: 'than', kind: 'whole' as const, values: null },
    ]
    const over = { id: 'over', name: '大于', type: 'boolean' as const, about: '', parameters, does: false, ...NO_USE }
    await renderPage(forRefunds('IF(over.bind("fact", "amuontFen").bind("than", 5), score)'), {
      calls: {
        'GET /api/system/rule-chain/known': () => ({ ...KNOWN, nodes: [...KNOWN.nodes, over], events: [TELLING] }),
      },
      grants: { 'liteflow-chain': ['detail'] },
    })
    expect(await screen.findByText('Line 1, column 22')).toBeTruthy()
    expect(screen.getByText('The event hands in no fact “amuontFen”')).toBeTruthy()
    expect(screen.getByText('It can be: sumFen, amountFen')).toBeTruthy()
    press('Fix')
    expect(text()).toContain('over.bind("fact", "amountFen")')
    expect(screen.queryByText('Line 1, column 22')).toBeNull()
  })

  test('is not written over while part of the text cannot be read', async () => {
    await open('THEN(score, ')
    expect(await screen.findByText('Part of the text cannot be read; correct it to edit the graph')).toBeTruthy()
    key('THEN', { key: 'Delete' })
    expect(text()).toBe('THEN(score, ')
  })

  test('is tried on what is known of a record, chosen by its number among those the person may read', async () => {
    const facts = '{\n  "amountFen": 900\n}'
    const page = await renderPage(forRefunds('THEN(score)'), {
      calls: {
        'GET /api/system/rule-chain/known': () => ({ ...KNOWN, events: [REFUND] }),
        'GET /api/orders/refund-application': () => ({ records: [{ id: '7', refundNo: 'R20261117' }] }),
        'GET /api/system/rule-chain/facts': () => ({ facts }),
        [TRY]: () => TRIED,
      },
      grants: { 'liteflow-chain': ['detail', 'try'], 'order-refundApply': ['list', 'detail'] },
    })
    const picker = await screen.findByRole('combobox', { name: 'Take the data of a record: type its number' })
    await pick(picker, 'R20261117')
    const data = screen.getByLabelText<HTMLTextAreaElement>('Data for the test run (JSON)')
    await waitFor(() => expect(data.value).toBe(facts))
    expect(page.sent('GET /api/system/rule-chain/facts')[0]?.query).toEqual({ event: 'refundSubmitted', recordId: '7' })
    press('Test run')
    await waitFor(() => expect(page.sent(TRY)[0]?.body).toEqual({ source: 'THEN(score)', facts }))
  })

  test('says where it asks for something that no chain about money has done, and what a tag can be', async () => {
    const tag = { name: 'tag', kind: 'text' as const, values: ['QUIET', 'RENEWAL'] }
    const node = {
      id: 'setTag',
      name: '打标签',
      type: 'common' as const,
      about: '',
      parameters: [tag],
      does: true,
      ...NO_USE,
    }
    const names = { ...KNOWN, nodes: [...KNOWN.nodes, node], events: [REFUND] }
    await renderPage(forRefunds('THEN(score, setTag.bind("tag", "NONE"))'), {
      calls: { 'GET /api/system/rule-chain/known': () => names },
      grants: { 'liteflow-chain': ['detail'] },
    })
    expect(await screen.findByText(/Chains of this event cannot use “setTag”/)).toBeTruthy()
    expect(screen.getByText(/It can be: QUIET, RENEWAL/)).toBeTruthy()
  })

  test('shows how each node ran, until the text is another', async () => {
    await open('THEN(score)')
    await screen.findByLabelText('Data for the test run (JSON)')
    press('Test run')
    expect(await screen.findByRole('treeitem', { name: 'score, 评分, 1 run, 4 ms' })).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Rule'), { target: { value: 'WHEN(score)' } })
    expect(box('score, 评分')).toBeTruthy()
  })
})
