import { Component, type ReactNode, useEffect, useRef } from 'react'
import { CallFailed, splitMessage } from '../../call.ts'
import { ChunkTimeout } from '../../chunk.ts'
import { holdsInput } from '../../held-input.ts'
import { useTexts } from '../../language.ts'
import { useConnected, useReachable } from '../../reach.ts'
import { writeClipboard } from '../../write-clipboard.ts'
import type { locale } from '../locale.ts'

type State = { error: unknown; at: Date | null }

type Props = { children: ReactNode; onRetry?: () => void; onBroken?: () => void }

/** A page that breaks leaves the rest of the console standing, and says what to tell the administrator. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, at: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error, at: new Date() }
  }

  override componentDidCatch(): void {
    this.props.onBroken?.()
  }

  override render(): ReactNode {
    if (this.state.at === null) return this.props.children
    const retry = this.props.onRetry ?? (() => this.setState({ error: null, at: null }))
    return <Broken error={this.state.error} at={this.state.at} onRetry={retry} />
  }
}

function Broken({ error, at, onRetry }: { error: unknown; at: Date; onRetry(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const { title, description } = describe(error, say)
  const isMissing = isMissingPart(error)
  useBackOnline(isMissing, () => (holdsInput() ? onRetry() : reload()))
  const copy = () =>
    void writeClipboard(
      `${at.toISOString()}\n${location.hash}\n${String(error)}\n${error instanceof Error ? error.stack : ''}`,
    )
  return (
    <section className="ink-exception" role="alert">
      <h1>{title}</h1>
      <p>{description}</p>
      <div className="ink-buttons">
        <button type="button" className="ink-button ink-button-primary" onClick={isMissing ? reload : onRetry}>
          {say('try-again')}
        </button>
        <button type="button" className="ink-button" onClick={copy}>
          {say('copy-details')}
        </button>
      </div>
    </section>
  )
}

/**
 * A browser keeps the failure of a part for as long as it keeps the document (Chromium since 150): only another one asks for
 * it again. Where a form holds something, the browser asks first.
 */
const reload = (): void => location.reload()

/** The server's own words, incident number included, where it sent some. */
function describe(
  error: unknown,
  say: (key: 'broken' | 'broken-text' | 'chunk-failed' | 'chunk-failed-text') => string,
) {
  if (error instanceof CallFailed && error.message) return splitMessage(error.message)
  if (isMissingPart(error)) return { title: say('chunk-failed'), description: say('chunk-failed-text') }
  return { title: say('broken'), description: say('broken-text') }
}

/** What only the network kept away is asked for again once that is back, be it before this was drawn. */
function useBackOnline(isAwaited: boolean, onRetry: () => void): void {
  const isConnected = useConnected()
  const isReachable = useReachable()
  const before = useRef({ isConnected, isReachable })
  useEffect(
    function retryOnline() {
      const isBack = (isConnected && !before.current.isConnected) || (isReachable && !before.current.isReachable)
      before.current = { isConnected, isReachable }
      if (isAwaited && isBack) onRetry()
    },
    [isAwaited, isConnected, isReachable, onRetry],
  )
}

const isMissingPart = (error: unknown): boolean => error instanceof ChunkTimeout || isImportFailure(error)

/** Browsers word it differently, and none gives a code. */
const isImportFailure = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script|Importing a module|preload CSS/i.test(error.message)
