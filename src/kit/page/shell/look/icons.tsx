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
import type { ComponentType } from 'react'

/** `icon` of an area.ts → its picture in the menu. */
const ICONS: Readonly<Record<string, ComponentType>> = {
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
}

export function AreaIcon({ name }: { name: string }) {
  const Icon = ICONS[name] ?? AppstoreOutlined
  return <Icon />
}
