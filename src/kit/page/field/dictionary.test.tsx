import { useQueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import { useDictionary } from './dictionary.ts'

const ASKED = 'POST /api/common/attachMore'

function Entries({ of }: { of: string }) {
  return <p>{useDictionary(of).map(({ k }) => `${of} ${k}`)}</p>
}

/** Two fields of one dictionary and one of another; fields come and go with the form they stand in. */
function Form() {
  const [isOpen, setOpen] = useState(true)
  const client = useQueryClient()
  return (
    <>
      {isOpen && (
        <>
          <Entries of="TAG" />
          <Entries of="TAG" />
          <Entries of="SOURCE" />
        </>
      )}
      <button type="button" onClick={() => setOpen(!isOpen)}>
        turn
      </button>
      <button type="button" onClick={() => void client.invalidateQueries({ queryKey: ['system/dictionary'] })}>
        edited
      </button>
    </>
  )
}

test('a dictionary is asked for once, however many fields and forms show it, and again once it was edited', async () => {
  let label = 'old'
  const page = await renderPage(<Form />, {
    calls: { [ASKED]: () => ({ kvList: [{ k: label, v: '1', colour: null, enabled: true }] }) },
  })
  const codes = () => page.sent(ASKED).map(({ body }) => (body as { target: string }[])[0]?.target)
  await waitFor(() => expect(screen.getAllByText('TAG old')).toHaveLength(2))
  expect(codes().toSorted()).toEqual(['SOURCE', 'TAG'])
  press('turn')
  await waitFor(() => expect(screen.queryByText('TAG old')).toBeNull())
  press('turn')
  await waitFor(() => expect(screen.getAllByText('TAG old')).toHaveLength(2))
  expect(codes()).toHaveLength(2)
  label = 'new'
  press('edited')
  await waitFor(() => expect(screen.getAllByText('TAG new')).toHaveLength(2))
  expect(codes()).toHaveLength(4)
})
