import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { renderPage } from '../../../../../tools/testing/page.tsx'
import { COLOURS, DEFAULTS, useSettings } from '../../settings.ts'
import { SettingsDrawer } from './settings-drawer.tsx'

const kept = () => JSON.parse(localStorage.getItem('inkstone-settings') ?? '{}').state

describe('the settings', () => {
  beforeEach(() => useSettings.setState(DEFAULTS))
  const open = () => renderPage(<SettingsDrawer open onClose={() => {}} />)

  test('begin as the contract says', () => {
    expect(DEFAULTS).toMatchObject({
      layout: 'side',
      navTheme: 'dark',
      colour: '#1890ff',
      contentWidth: 'Fluid',
      fixedHeader: false,
      fixedSidebar: false,
      multiTab: true,
    })
    expect(COLOURS).toHaveLength(7)
    expect(COLOURS).toContain('#1890ff')
  })

  test('every one of them can be changed and is remembered on this machine', async () => {
    await open()
    const choose = (group: string, option: string) =>
      fireEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByText(option))
    choose('Page style', 'Dark')
    choose('Navigation style', 'Light')
    choose('Navigation position', 'Top')
    choose('Content width', 'Fixed')
    choose('List density', 'Compact')
    fireEvent.click(screen.getByRole('radio', { name: 'Plum' }))
    for (const flag of ['Fixed header', 'Hide header when scrolling down', 'Multiple tabs', 'Colour-blind mode'])
      fireEvent.click(screen.getByRole('switch', { name: new RegExp(flag) }))
    choose('Navigation position', 'Side')
    fireEvent.click(screen.getByRole('switch', { name: 'Fixed sidebar' }))
    const changed = {
      dark: true,
      navTheme: 'light',
      layout: 'side',
      contentWidth: 'Fixed',
      density: 'small',
      colour: '#722ed1',
      fixedHeader: true,
      autoHideHeader: true,
      fixedSidebar: true,
      multiTab: false,
      weakMode: true,
    }
    expect(useSettings.getState()).toMatchObject(changed)
    expect(kept()).toMatchObject(changed)
  })

  test('a header can hide only where it is fixed', async () => {
    await open()
    expect(screen.getByRole('switch', { name: /Hide header/ })).toHaveProperty('disabled', true)
  })

  test('go back to the default, but not the language', async () => {
    useSettings.setState({ dark: true, colour: '#f5222d', language: 'pt-BR' })
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'Restore defaults' }))
    expect(useSettings.getState()).toMatchObject({ dark: false, colour: '#1890ff', language: 'pt-BR' })
  })
})
