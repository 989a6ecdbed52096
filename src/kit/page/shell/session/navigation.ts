import type { NavigateOptions } from 'react-router'

type Navigate = (to: string, options?: NavigateOptions) => void

let navigate: Navigate = () => {}
export const setNavigate = (given: Navigate): void => {
  navigate = given
}

/** Opens an address from anywhere: a notice, a push, a tab in the background. */
export const go: Navigate = (to, options) => navigate(to, options)
