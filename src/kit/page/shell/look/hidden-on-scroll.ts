import { useEffect, useState } from 'react'

/** Less than this is a trembling hand. */
const DISTANCE_PX = 24

/** Whether the header is out of the way: hidden while reading on, back as soon as one scrolls up. */
export function useHiddenOnScroll(isWanted: boolean): boolean {
  const [isHidden, setHidden] = useState(false)
  useEffect(
    function followScroll() {
      setHidden(false)
      if (!isWanted) return
      let last = window.scrollY
      const onScroll = () => {
        const moved = window.scrollY - last
        if (Math.abs(moved) < DISTANCE_PX) return
        setHidden(moved > 0 && window.scrollY > DISTANCE_PX)
        last = window.scrollY
      }
      window.addEventListener('scroll', onScroll, { passive: true })
      return () => window.removeEventListener('scroll', onScroll)
    },
    [isWanted],
  )
  return isHidden
}
