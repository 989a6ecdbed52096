import { useEffect, useState } from 'react'
import type { Size } from '#areas/members/work/cursor.model.ts'

/** How large a picture is by itself; nothing until it is there. */
export function useSize(url: string): Size | undefined {
  const [known, setKnown] = useState<{ url: string; size: Size }>()
  useEffect(
    function measurePicture() {
      const picture = new Image()
      picture.onload = () => setKnown({ url, size: { width: picture.naturalWidth, height: picture.naturalHeight } })
      picture.src = url
      return () => {
        picture.onload = null
      }
    },
    [url],
  )
  return known?.url === url ? known.size : undefined
}
