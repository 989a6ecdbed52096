import { Button } from 'antd'
import { CallFailed } from './call.ts'
import { useTexts } from './language.ts'
import type { locale } from './locale.ts'

/** In place of what could not be read: the server's words where it sent some, and a way to try again. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry(): unknown }) {
  const kit = useTexts<typeof locale>('kit/page')
  return (
    <div role="alert" className="inkstone-failed">
      <strong>{kit('load-failed')}</strong>
      {error instanceof CallFailed && <p>{error.message}</p>}
      <Button onClick={() => onRetry()}>{kit('try-again')}</Button>
    </div>
  )
}
