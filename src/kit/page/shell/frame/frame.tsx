import '../shell.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { CallFailed } from '../../call.ts'
import { useLanguage } from '../../language.ts'
import { askWhenTouched } from '../live/touched.ts'
import { LocalAntd } from '../look/local-antd.tsx'
import { Look } from '../look/look.tsx'
import type { Place } from '../session/guard.ts'
import { SignedInFrame } from './signed-in-frame.tsx'

const FRESH_MS = 30_000
const RETRIES = 2

/** Everything a signed-in person stands in. Another person gets another one: nothing fetched is carried over. */
export function Frame({ place }: { place: Place }) {
  const [client] = useState(newClient)
  useTranslatedAnswers(client)
  useEffect(function askAgainWhenTouched() {
    askWhenTouched()
  }, [])
  return (
    <QueryClientProvider client={client}>
      <Look>
        <LocalAntd>
          <App>
            <SignedInFrame place={place} />
          </App>
        </LocalAntd>
      </Look>
    </QueryClientProvider>
  )
}

/** What the server said, it said in the language of that moment: after a switch everything is asked again. */
function useTranslatedAnswers(client: QueryClient): void {
  const language = useLanguage()
  const spoken = useRef(language)
  useEffect(
    function askAgain() {
      if (spoken.current === language) return
      spoken.current = language
      void client.invalidateQueries()
    },
    [client, language],
  )
}

/** Pages ask again when their tab is shown and when they are touched: what was fetched a moment ago still counts. */
export const newClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A refusal stays one; only what never arrived is asked again.
        retry: (failures, error) => !(error instanceof CallFailed) && failures < RETRIES,
      },
    },
  })
