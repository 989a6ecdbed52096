import { create } from 'zustand'
import type { Language } from '#kit/model/language.ts'
import { get } from './call.ts'

export type DemoAccount = { account: string; role: string; password: string }

/** What the server tells everybody, signed in or not (GET /api/common/settings). */
export type ServerSettings = {
  defaultLocale: Language
  reconnectFactor: number
  captcha: boolean
  version: string
  demoAccounts: DemoAccount[]
}

export const useServerSettings = create<{ settings: ServerSettings | null }>(() => ({ settings: null }))

/** Asked at the start, and again when the connection or the reader comes back: the server may have changed meanwhile. */
export async function loadServerSettings(): Promise<ServerSettings> {
  const settings = await get<ServerSettings>('/common/settings')
  if (!useServerSettings.getState().settings) useServerSettings.setState({ settings })
  return settings
}
