import { act, render, renderHook, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LANGUAGES } from '#kit/model/language.ts'
import { answerCalls } from '../../../tools/testing/page.tsx'
import { get } from './call.ts'
import { currentLanguage, hasText, loadTexts, say, switchLanguage, useTexts } from './language.ts'

function Shown({ namespace, text }: { namespace: string; text: string }) {
  const words = useTexts(namespace)
  return <p>{words(text as never, { name: 'Ana', count: 0 })}</p>
}
const shown = () => screen.getByRole('paragraph').textContent

describe('the language on screen', () => {
  beforeEach(() => switchLanguage('en-US'))

  test('speaks all four languages, the derived one included', async () => {
    const said: string[] = []
    for (const language of LANGUAGES) {
      await switchLanguage(language)
      said.push(say('kit/page/shell', 'workbench'), say('menu', 'system/dictionary'))
    }
    expect(said).toEqual([
      '工作台',
      '数据字典',
      '工作臺',
      '資料字典',
      'Workbench',
      'Dictionary',
      'Área de trabalho',
      'Dicionário',
    ])
  })

  test('switching reaches what stands on the screen, the document and the next call', async () => {
    render(<Shown namespace="kit/page/shell" text="workbench" />)
    expect(shown()).toBe('Workbench')
    await act(() => switchLanguage('pt-BR'))
    expect(shown()).toBe('Área de trabalho')
    expect(document.documentElement.lang).toBe('pt-BR')
    expect(currentLanguage()).toBe('pt-BR')
    const sent = answerCalls({ 'GET /api/a': () => null })
    await get('/a')
    expect(sent[0]?.headers['accept-language']).toBe('pt-BR')
  })

  test('a screen’s texts come with its page, and follow the next switch', async () => {
    render(<Shown namespace="workbench/workbench" text="greeting.noon" />)
    await act(() => loadTexts('workbench/workbench'))
    expect(shown()).toBe('Good afternoon, Ana')
    await act(() => switchLanguage('zh-CN'))
    expect(shown()).toBe('中午好，Ana')
  })

  test('what is still to come is blank, and brought by whoever shows it', async () => {
    vi.resetModules()
    const fresh = await import('./language.ts')
    const { result } = renderHook(() => fresh.useTexts('finance/payment-exception'))
    expect(result.current('title')).toBe('')
    await waitFor(() => expect(result.current('title')).toBe('支付异常'))
  })

  test('holes are filled by name, also with a zero; what nobody names stays visible', () => {
    expect(say('kit/page/shell/live', 'messages', { count: 0 })).toBe('Refund notices, 0 unprocessed')
    expect(say('kit/page/shell/live', 'messages')).toBe('Refund notices, {count} unprocessed')
  })

  test('an unknown text is shown by its key and does not exist', () => {
    expect(say('kit/page/shell', 'nowhere')).toBe('nowhere')
    expect(hasText('kit/page/shell', 'nowhere')).toBe(false)
    expect(hasText('kit/page/shell', 'workbench')).toBe(true)
  })
})
