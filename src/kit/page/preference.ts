import { put } from './call.ts'
import { useUser } from './user.ts'

/** A choice the person carries from machine to machine. The page that asks knows its shape and says what it is by default. */
export const usePreference = <T>(name: string, read: (kept: unknown) => T): T =>
  read(useUser(user => user.info?.preference[name]))

/** Keeps a choice at once here and then on the server; null takes it back. Whoever looks as a role does leaves nothing behind. */
export async function changePreference(name: string, value: unknown): Promise<void> {
  keep(name, value)
  if (useUser.getState().info?.preview) return
  await put('/account/preference', { [name]: value })
}

export const keep = (name: string, value: unknown): void =>
  useUser.setState(({ info }) => (info ? { info: { ...info, preference: { ...info.preference, [name]: value } } } : {}))
