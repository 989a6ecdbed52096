import { Progress } from 'antd'

/** How far a run has come. */
export function HowFar({ share, said }: { share: number; said: string }) {
  const percent = Math.min(100, Math.floor(share * 100))
  return <Progress size="small" percent={percent} aria-label={said} format={() => said} />
}
