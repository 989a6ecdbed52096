import { Select, type SelectProps } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'

/**
 * Around a choice of several: Tab goes on to the next field. The list stays open after each choice, and would take Tab for
 * a choice of whatever happens to be highlighted.
 */
export function TabLeaves({ children }: { children: ReactNode }) {
  return (
    <div style={{ display: 'contents' }} onKeyDownCapture={keepTab}>
      {children}
    </div>
  )
}

/** A choice of several that Tab leaves. */
export const Several = (props: SelectProps<string[]>) => (
  <TabLeaves>
    <Select mode="multiple" {...props} />
  </TabLeaves>
)

function keepTab(event: KeyboardEvent): void {
  if (event.key === 'Tab') event.stopPropagation()
}
