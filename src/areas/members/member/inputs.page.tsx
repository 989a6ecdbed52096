import { Input } from 'antd'

/** What was said takes more than a line. */
export const INPUTS = {
  content: () => <Input.TextArea autoSize={{ minRows: 4, maxRows: 10 }} maxLength={1_000} showCount />,
}
