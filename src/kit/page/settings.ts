import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Language } from '#kit/model/language.ts'

/** Spec §3: everything a person sets about the frame, remembered on this machine. */
export type Settings = {
  collapsed: boolean
  navTheme: 'dark' | 'light'
  layout: 'side' | 'top'
  fixedHeader: boolean
  fixedSidebar: boolean
  contentWidth: 'Fluid' | 'Fixed'
  autoHideHeader: boolean
  colour: string
  dark: boolean
  weakMode: boolean
  multiTab: boolean
  language: Language | null
  density: 'small' | 'middle' | 'large'
}

/** Spec §1: side menu, dark theme, #1890ff, fluid width, nothing fixed. */
export const DEFAULTS: Settings = {
  collapsed: false,
  navTheme: 'dark',
  layout: 'side',
  fixedHeader: false,
  fixedSidebar: false,
  contentWidth: 'Fluid',
  autoHideHeader: false,
  colour: '#1890ff',
  dark: false,
  weakMode: false,
  multiTab: true,
  language: null,
  density: 'middle',
}

/** Spec §9: seven presets plus dark. */
export const COLOURS = ['#1890ff', '#f5222d', '#fa541c', '#faad14', '#13c2c2', '#52c41a', '#722ed1'] as const

export const useSettings = create<Settings>()(persist(() => DEFAULTS, { name: 'inkstone-settings' }))
export const changeSettings = (change: Partial<Settings>): void => {
  useSettings.setState(change)
}
