import { Input } from 'antd'
import { lazy } from 'react'

const PurposesInput = lazy(async () => ({ default: (await import('./consent.page.tsx')).PurposesInput }))

/** What was said takes more than a line; a guardian agrees to several things at once. */
export const INPUTS = {
  content: () => <Input.TextArea autoSize={{ minRows: 4, maxRows: 10 }} maxLength={1_000} showCount />,
  consentPurposes: () => <PurposesInput />,
}
