import { queryOptions } from '@tanstack/react-query'
import type { Decision } from '#kit/model/decision.ts'
import { get } from './call.ts'
import { currentLanguage } from './language.ts'
import { DECISIONS } from './shell/live/push-notice.ts'

/** What others decided on what this person asked for: the workbench shows it, a notice tells of the newest. */
export const decisionsQuery = (language = currentLanguage()) =>
  queryOptions({
    queryKey: [DECISIONS, language],
    queryFn: ({ signal }) => get<readonly Decision[] | null>('/workbench/workbench/decisions', { signal }),
  })
