import { HOME } from './guard.ts'
import { go } from './navigation.ts'

/** Somebody sees with other eyes from now on: nothing that was read before is shown again. */
export function lookAfresh(): void {
  go(HOME)
  location.reload()
}
