import { Component, type ReactNode } from 'react'
import { announceMissing } from '../session/new-version.ts'

/** For what may be missing: when it breaks, it is absent and says so, and everything around it stands. */
export class AbsentWhenBroken extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    void announceMissing(error)
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children
  }
}
