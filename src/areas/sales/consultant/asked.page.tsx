import type { ReactNode } from 'react'

type Props = { label: string; children: ReactNode; grow?: boolean }

/** An input with what it is for above it, where there is no form around. */
export const Asked = ({ label, children, grow = false }: Props) => (
  <div style={grow ? { flex: '1 1 240px', minWidth: 0 } : { flex: 'none' }}>
    <div style={{ marginBottom: 4 }}>{label}</div>
    {children}
  </div>
)
