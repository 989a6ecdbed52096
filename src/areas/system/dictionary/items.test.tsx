import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { switchLanguage } from '#kit/page/language.ts'
import { useServerSettings } from '#kit/page/server-settings.ts'
import { paged, press, renderPage, type } from '../../../../tools/testing/page.tsx'
import { dictionaryType } from '../../../../tools/testing/page-records.ts'
import { Page } from './page.tsx'

const LIST = 'GET /api/system/dictionary'
const EDIT = 'PUT /api/system/dictionary/1'
const LOOK_UP = 'POST /api/common/attachMore'
const red = { label: '红', labels: { 'en-US': 'Red' }, value: 'RED', colour: null, enabled: true }
const drawer = () => within(document.querySelector('.ant-drawer-open') as HTMLElement)

test('an entry is called by a label of the house, and by words of their own where other languages have them', async () => {
  useServerSettings.setState({ settings: { defaultLocale: 'zh-CN' } as never })
  const page = await renderPage(<Page />, {
    superAdmin: true,
    search: 'edit=1',
    calls: {
      [LIST]: () => paged([]),
      'GET /api/system/dictionary/1': () => dictionaryType('1', { items: [red] }),
      [EDIT]: () => null,
    },
  })
  expect(((await screen.findByLabelText('Label')) as HTMLInputElement).value).toBe('红')
  expect(drawer().queryByLabelText('English')).toBeNull()
  press('Labels in other languages')
  expect((drawer().getByLabelText('English') as HTMLInputElement).value).toBe('Red')
  expect(drawer().queryByLabelText('简体中文')).toBeNull()
  type(drawer().getByLabelText('English'), '')
  type(drawer().getByLabelText('Português'), 'Vermelho')
  press('Save dictionary type')
  await waitFor(() => expect(page.sent(EDIT)).toHaveLength(1))
  expect(page.sent(EDIT)[0]?.body).toMatchObject({ items: [{ ...red, labels: { 'pt-BR': 'Vermelho' } }] })
})

test('whoever changes the language reads the entries in it', async () => {
  const called: Record<string, string> = { 'en-US': 'Red', 'pt-BR': 'Vermelho' }
  await renderPage(<Page />, {
    superAdmin: true,
    search: 'open=1',
    calls: {
      [LIST]: () => paged([]),
      'GET /api/system/dictionary/1': () => dictionaryType('1', { items: [red] }),
      'GET /api/system/dictionary/1/timeline': () => [],
      [LOOK_UP]: ({ headers }) => ({
        kvList: [{ k: called[String(headers['accept-language'])], v: 'RED', colour: null, enabled: true }],
      }),
    },
  })
  expect(await screen.findByText('Red · RED')).toBeTruthy()
  await switchLanguage('pt-BR')
  expect(await screen.findByText('Vermelho · RED')).toBeTruthy()
  await switchLanguage('en-US')
})
