import {
  AccountBookOutlined,
  ApartmentOutlined,
  AppstoreOutlined,
  BarChartOutlined,
  DashboardOutlined,
  FileTextOutlined,
  SettingOutlined,
  ShoppingOutlined,
  TeamOutlined,
  TruckOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { type ComponentType, lazy, Suspense } from 'react'
import type { MenuIcon } from '#kit/model/menu.ts'
import { loadChunk } from '../../chunk.ts'

/** `icon` of an area.ts, or the one people chose → its picture in the menu. */
const ICONS: Readonly<Partial<Record<MenuIcon, ComponentType>>> = {
  analysis: BarChartOutlined,
  dashboard: DashboardOutlined,
  finance: AccountBookOutlined,
  logistics: TruckOutlined,
  member: TeamOutlined,
  order: FileTextOutlined,
  organisation: ApartmentOutlined,
  product: ShoppingOutlined,
  setting: SettingOutlined,
  user: UserOutlined,
  operations: AppstoreOutlined,
}

// Nobody pays for pictures nobody chose.
const ChosenIcon = lazy(async () => ({
  default: (await loadChunk(() => import('./chosen-icons.tsx'))).ChosenIcon,
}))

export function AreaIcon({ name }: { name: string }) {
  const Icon = ICONS[name as MenuIcon]
  if (Icon) return <Icon />
  return (
    <Suspense fallback={<AppstoreOutlined />}>
      <ChosenIcon name={name} />
    </Suspense>
  )
}
