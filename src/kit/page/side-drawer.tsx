import { Drawer, type DrawerProps } from 'antd'
import { type CSSProperties, useLayoutEffect, useState } from 'react'
import { useToldOffline } from './reach.ts'
import './kit.css'

/**
 * What lies over a page lies over that page alone: menu, header and tabs stay in sight and in reach, and the drawer waits
 * in its tab. On a phone it takes the whole screen.
 */
export function SideDrawer({ open = false, ...drawer }: DrawerProps) {
  const [edges, setEdges] = useState<CSSProperties>({})
  const isTold = useToldOffline(told => told.isTold)
  useLayoutEffect(
    function followPage() {
      const page = document.getElementById('ink-content')
      if (!open || !page) return
      // The menu beside it can be folded while the drawer is open.
      const observer = new ResizeObserver(() => setEdges(edgesOf(page, isTold)))
      setEdges(edgesOf(page, isTold))
      observer.observe(page)
      return () => observer.disconnect()
    },
    [open, isTold],
  )
  return <Drawer open={open} rootClassName="inkstone-drawer" rootStyle={edges} {...drawer} />
}

const PHONE = '(max-width: 767.98px)'

function edgesOf(page: HTMLElement, isToldOffline: boolean): CSSProperties {
  // That the connection is lost stays in sight, whatever lies over the page.
  const said = isToldOffline ? bottomsOf('.ink-offline') : []
  if (matchMedia(PHONE).matches) return said.length > 0 ? { insetBlockStart: Math.max(...said) } : {}
  const { top, left } = page.getBoundingClientRect()
  // A page that was scrolled begins above the window, under the bars that stay.
  return {
    insetBlockStart: Math.max(0, top, ...bottomsOf('.ink-header, .ink-tabs'), ...said),
    insetInlineStart: left,
  }
}

const bottomsOf = (bars: string): number[] =>
  [...document.querySelectorAll(bars)].map(bar => bar.getBoundingClientRect().bottom)
