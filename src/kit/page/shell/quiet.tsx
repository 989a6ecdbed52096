import { Component, type ReactNode } from 'react'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import { say } from '../language.ts'
import { announce } from './announce.ts'

/** For what may be missing: when it breaks, it is absent and says so, and everything around it stands. */
export class Quiet extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidCatch(): void {
    announce({
      key: 'chunk',
      kind: 'warning',
      title: say('kit/page/shell', 'chunk-failed'),
      description: say('kit/page/shell', 'chunk-failed-text'),
      seconds: 4 * NOTICE_SECONDS,
    })
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children
  }
}
