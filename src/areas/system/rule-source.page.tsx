import { Space, Tag } from 'antd'
import { MISSING } from '#kit/page/field/show.tsx'

/** Lines as they were written; a long one is scrolled to, not broken. */
export const Source = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard too.
  <pre tabIndex={0} style={{ margin: 0, maxHeight: 360, overflow: 'auto', fontFamily: 'monospace' }}>
    {text}
  </pre>
)

/** What is not published runs nowhere, enabled or not, and has no number yet. */
export const untilPublished = ({ edition }: { edition: number }) => (edition === 0 ? MISSING : null)

/** Names of the chains something stands in. */
export const Users = ({ names }: { names: readonly string[] }) => (
  <Space wrap size={4}>
    {names.map(name => (
      <Tag key={name}>{name}</Tag>
    ))}
  </Space>
)
