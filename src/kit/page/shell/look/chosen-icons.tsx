import {
  AppstoreOutlined,
  AuditOutlined,
  BookOutlined,
  CalendarOutlined,
  CrownOutlined,
  CustomerServiceOutlined,
  FundOutlined,
  GiftOutlined,
  GlobalOutlined,
  HeartOutlined,
  HighlightOutlined,
  MessageOutlined,
  NotificationOutlined,
  PhoneOutlined,
  PictureOutlined,
  RocketOutlined,
  SafetyOutlined,
  ShopOutlined,
  TagsOutlined,
  ToolOutlined,
  VideoCameraOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'
import type { MenuIcon } from '#kit/model/menu.ts'

/** Those no area has of itself. */
const ICONS: Readonly<Partial<Record<MenuIcon, ComponentType>>> = {
  book: BookOutlined,
  brush: HighlightOutlined,
  calendar: CalendarOutlined,
  crown: CrownOutlined,
  fund: FundOutlined,
  gift: GiftOutlined,
  globe: GlobalOutlined,
  heart: HeartOutlined,
  message: MessageOutlined,
  notice: NotificationOutlined,
  phone: PhoneOutlined,
  picture: PictureOutlined,
  review: AuditOutlined,
  rocket: RocketOutlined,
  safety: SafetyOutlined,
  service: CustomerServiceOutlined,
  shop: ShopOutlined,
  tag: TagsOutlined,
  tool: ToolOutlined,
  video: VideoCameraOutlined,
}

export function ChosenIcon({ name }: { name: string }) {
  const Icon = ICONS[name as MenuIcon] ?? AppstoreOutlined
  return <Icon />
}
