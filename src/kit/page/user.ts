import { create } from 'zustand'
import type { Preview } from '#kit/model/actor.ts'
import type { OwnEntry } from '#kit/model/menu.ts'
import { get, post } from './call.ts'
import { dropAllDrafts, pruneDrafts } from './draft.ts'
import { clearToken } from './token.ts'

export type PermissionEntry = {
  id: string
  parentId: string | null
  resourceCode: string
  displayName: string
  displayType: string
  own?: OwnEntry
}
export type Role = { code: string; name: string; superAdmin: boolean; permissionList: PermissionEntry[] }
export type UserInfo = {
  id: string
  account: string
  name: string
  avatar: string | null
  language: string | null
  mustChangePassword: boolean
  mustEnrol: boolean
  preference: Record<string, unknown>
  role: Role | null
  /** The role the console is looked at as, where it is. */
  preview?: Preview
}

/** What somebody has to do before anything else; while there is something, nothing else opens. */
export function firstDuty(info: UserInfo | null): 'password' | 'factor' | undefined {
  if (info?.mustChangePassword) return 'password'
  return info?.mustEnrol ? 'factor' : undefined
}

/** Spec §3: non-menu entries stand under their menu, as its actions. */
export type Permission = { permissionId: string; permissionName: string; actions: string[]; own?: OwnEntry | undefined }

export function groupPermissions(list: readonly PermissionEntry[]): Permission[] {
  return list
    .filter(({ displayType }) => displayType === 'MENU')
    .map(menu => ({
      permissionId: menu.resourceCode,
      permissionName: menu.displayName,
      actions: list
        .filter(({ displayType, parentId }) => displayType !== 'MENU' && parentId === menu.id)
        .map(({ resourceCode }) => resourceCode),
      ...(menu.own ? { own: menu.own } : {}),
    }))
}

export type UserState = { info: UserInfo | null; permissions: ReadonlyMap<string, Permission> }

export const useUser = create<UserState>(() => ({ info: null, permissions: new Map() }))

export class RoleMissing extends Error {
  override name = 'RoleMissing'
}

/** Loads who is signed in. A person without any role cannot work: that is told apart from an expired session. */
export async function loadUser(): Promise<UserInfo> {
  const info = await get<UserInfo>('/auth/userInfo')
  if (!info.role) throw new RoleMissing()
  pruneDrafts(info.id)
  const permissions = groupPermissions(info.role.permissionList)
  useUser.setState({ info, permissions: new Map(permissions.map(permission => [permission.permissionId, permission])) })
  return info
}

export function forgetUser(): void {
  clearToken()
  useUser.setState({ info: null, permissions: new Map() })
}

/** Spec §7: token and roles are cleared even if the call fails. */
export async function logout(): Promise<void> {
  try {
    await post('/logout')
  } finally {
    dropAllDrafts()
    forgetUser()
  }
}

/** Spec §6: a screen shows if it needs no key, if the person holds it, or to a super administrator. */
export const mayOpenPage = ({ info, permissions }: UserState, key: string | null): boolean =>
  key === null || (info?.role?.superAdmin ?? false) || permissions.has(key)

export const mayDo = ({ info, permissions }: UserState, page: string | null, action: string): boolean =>
  (info?.role?.superAdmin ?? false) || (page !== null && (permissions.get(page)?.actions.includes(action) ?? false))

/** Spec §6: only these roles may select text on a page. */
export const maySelectText = (roleCode: string): boolean =>
  roleCode.includes('COPY') || roleCode.includes('SUPER_ADMIN')
