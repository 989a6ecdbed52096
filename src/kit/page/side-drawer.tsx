import { Drawer, type DrawerProps } from 'antd'
import { type CSSProperties, useLayoutEffect, useState } from 'react'
import './kit.css'

/**
 * What lies over a page lies over that page alone: menu, header and tabs stay in sight and in reach, and the drawer waits
 * in its tab. On a phone it takes the whole screen.
 */
export function SideDrawer({ open = false, ...drawer }: DrawerProps) {
  const [edges, setEdges] = useState<CSSProperties>({})
  useLayoutEffect(
    function followPage() {
      const page = document.getElementById('content')
      if (!open || !page) return
      // The menu beside it can be folded while the drawer is open.
      const observer = new ResizeObserver(() => setEdges(edgesOf(page)))
      setEdges(edgesOf(page))
      observer.observe(page)
      return () => observer.disconnect()
    },
    [open],
  )
  return <Drawer open={open} rootClassName="inkstone-drawer" rootStyle={edges} {...drawer} />
}

const PHONE = '(max-width: 767.98px)'

function edgesOf(page: HTMLElement): CSSProperties {
  if (matchMedia(PHONE).matches) return {}
  const { top, left } = page.getBoundingClientRect()
  // A page that was scrolled begins above the window, under the bars that stay.
  const bars = [...document.querySelectorAll('.ink-header, .ink-tabs')].map(bar => bar.getBoundingClientRect().bottom)
  return { insetBlockStart: Math.max(0, top, ...bars), insetInlineStart: left }
}
