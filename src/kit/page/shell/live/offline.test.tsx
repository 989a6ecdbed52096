import { act, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { renderPage } from '../../../../../tools/testing/page.tsx'
import { loadTexts } from '../../language.ts'
import { noteReach, useToldOffline } from '../../reach.ts'
import { LiveButton } from './indicator.tsx'
import { OfflineBar } from './offline-bar.tsx'

const LIVE = { indicator: 'online', reconnect() {} } as const

const bar = () => document.querySelector('.ink-offline')?.textContent ?? null
const indicator = () => screen.getByRole('button', { name: /^Live connection/ })

describe('whether the console can be reached', () => {
  afterEach(() => act(() => noteReach(true)))

  test('is one truth: while the bar says that the connection is lost, the sign in the header says so too', async () => {
    await loadTexts('kit/page/shell/live')
    await renderPage(
      <>
        <LiveButton live={LIVE} />
        <OfflineBar live={LIVE} />
      </>,
    )
    expect([indicator().textContent, bar()]).toEqual(['Online', null])
    act(() => noteReach(false))
    expect(bar()).toContain('Nothing can be saved')
    expect(useToldOffline.getState().isTold).toBe(true)
    expect(indicator().textContent).toBe('Offline')
    expect(indicator().className).toContain('ink-live-offline')
    act(() => noteReach(true))
    expect([indicator().textContent, bar()]).toEqual(['Online', null])
    expect(useToldOffline.getState().isTold).toBe(false)
  })
})
