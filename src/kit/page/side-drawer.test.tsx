import { act } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { renderPage } from '../../../tools/testing/page.tsx'
import { useToldOffline } from './reach.ts'
import { SideDrawer } from './side-drawer.tsx'

type Box = { top?: number; left?: number; bottom?: number }

/** The frame around a page: header and tabs above it, the menu at its left. */
function frame(boxes: Readonly<Record<string, Box>>): void {
  for (const [name, { top = 0, left = 0, bottom = 0 }] of Object.entries(boxes)) {
    const part = document.createElement('div')
    if (name === 'ink-content') part.id = name
    else part.className = name
    part.getBoundingClientRect = () => ({ top, left, bottom }) as DOMRect
    document.body.append(part)
  }
}
const FRAME = { 'ink-header': { bottom: 48 }, 'ink-tabs': { bottom: 84 }, 'ink-content': { top: 84, left: 208 } }

const open = async () => {
  await renderPage(
    <SideDrawer open title="A record">
      What it says
    </SideDrawer>,
  )
  const { style } = document.querySelector('.ant-drawer') as HTMLElement
  return [style.insetBlockStart, style.insetInlineStart]
}

const onPhone = () =>
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('max-width'),
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }))

describe('a drawer', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    useToldOffline.setState({ isTold: false })
    document.body.replaceChildren()
  })

  test('lies over its page, and leaves menu, header and tabs in reach', async () => {
    frame(FRAME)
    expect(await open()).toEqual(['84px', '208px'])
  })

  test('begins below the bars that stay when the page was scrolled', async () => {
    frame({ ...FRAME, 'ink-content': { top: -300, left: 208 } })
    expect(await open()).toEqual(['84px', '208px'])
  })

  test('follows when the menu beside it is folded', async () => {
    let resized = () => {}
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(follow: () => void) {
          resized = follow
        }
        observe() {}
        disconnect() {}
      },
    )
    frame(FRAME)
    await open()
    ;(document.getElementById('ink-content') as HTMLElement).getBoundingClientRect = () =>
      ({ top: 84, left: 56 }) as DOMRect
    act(() => resized())
    expect((document.querySelector('.ant-drawer') as HTMLElement).style.insetInlineStart).toBe('56px')
  })

  test('leaves the word that the connection is lost in sight, also when it is said later, and on a phone', async () => {
    frame(FRAME)
    expect(await open()).toEqual(['84px', '208px'])
    frame({ 'ink-offline': { bottom: 114 } })
    act(() => useToldOffline.setState({ isTold: true }))
    expect((document.querySelector('.ant-drawer') as HTMLElement).style.insetBlockStart).toBe('114px')
    onPhone()
    expect(await open()).toEqual(['114px', ''])
  })

  test('takes the whole screen of a phone', async () => {
    onPhone()
    frame(FRAME)
    expect(await open()).toEqual(['', ''])
  })
})
