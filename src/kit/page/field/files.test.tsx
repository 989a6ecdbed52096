import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { type Calls, held, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { FilesInput, Sent } from './files.tsx'

function Files({ first = [] }: { first?: string[] }) {
  const [ids, setIds] = useState(first)
  return (
    <>
      <FilesInput purpose="image" value={ids} onChange={setIds} />
      <output>{ids.join()}</output>
    </>
  )
}

const UPLOAD = 'POST /api/common/upload'
const open = (calls: Calls, first?: string[]) => renderPage(<Files {...(first ? { first } : {})} />, { calls })
const choose = (...names: string[]) =>
  fireEvent.change(document.querySelector('input[type=file]') as Element, {
    target: { files: names.map(name => new File(['x'], name, { type: 'image/png' })) },
  })
const kept = () => screen.getByRole('status').textContent

describe('a files input', () => {
  test('uploads at once, for its purpose, and keeps the id', async () => {
    const page = await open({ [UPLOAD]: () => ({ id: 'f-1', name: 'receipt.png' }) })
    choose('receipt.png')
    await waitFor(() => expect(kept()).toBe('f-1'))
    expect(page.sent(UPLOAD).map(({ query }) => query)).toEqual([{ purpose: 'image' }])
    expect(screen.getByText('receipt.png')).toBeTruthy()
  })

  test('calls what was sent before a reload by its place, never by its id', async () => {
    await open({}, ['0f3a5c1e-0000-4000-8000-000000000001', 'f-2'])
    expect(await screen.findByText('Picture 1')).toBeTruthy()
    expect(screen.getByText('Picture 2')).toBeTruthy()
    expect(document.querySelector('.ant-upload-list')?.textContent).not.toContain('0f3a5c1e')
  })

  test('keeps both of two files that were on their way together', async () => {
    const [first, second] = [held<object>(), held<object>()]
    const answers = [first, second]
    await open({ [UPLOAD]: () => answers.shift()?.answer() })
    choose('a.png', 'b.png')
    await waitFor(() => expect(answers).toHaveLength(0))
    second.give({ id: 'b', name: 'b.png' })
    first.give({ id: 'a', name: 'a.png' })
    await waitFor(() => expect(kept()?.split(',').sort()).toEqual(['a', 'b']))
  })

  test('says in the server’s words why a file was not taken, and keeps nothing of it', async () => {
    await open({ [UPLOAD]: () => refused(CODES.validation, 'Invalid: only pictures', null, 422) })
    choose('virus.png')
    expect(await screen.findByText('only pictures')).toBeTruthy()
    expect(kept()).toBe('')
  })

  test('gives a file back when it is removed', async () => {
    await open({}, ['a', 'b'])
    fireEvent.click(screen.getAllByTitle('Remove file')[0] as Element)
    await waitFor(() => expect(kept()).toBe('b'))
  })

  test('is not given a file that was taken away before it came', async () => {
    const [first, second] = [held<object>(), held<object>()]
    const answers = [first, second]
    await open({ [UPLOAD]: () => answers.shift()?.answer() })
    choose('wrong.png', 'right.png')
    await waitFor(() => expect(answers).toHaveLength(0))
    fireEvent.click(screen.getAllByTitle('Remove file')[0] as Element)
    await waitFor(() => expect(screen.queryByText('wrong.png')).toBeNull())
    first.give({ id: 'wrong', name: 'wrong.png' })
    second.give({ id: 'right', name: 'right.png' })
    await waitFor(() => expect(kept()).toBe('right'))
    expect(screen.queryByText('wrong.png')).toBeNull()
  })

  test('offers only the kinds of file its purpose takes', async () => {
    await open({})
    expect(document.querySelector('input[type=file]')?.getAttribute('accept')).toBe(
      'image/png,image/jpeg,image/webp,image/gif',
    )
  })
})

test('pictures are fetched small by signed links, and open whole in a viewer', async () => {
  const page = await renderPage(<Sent purpose="image" ids={['a', 'b']} />, {
    calls: {
      'POST /api/common/file/a/link': () => ({ url: '/api/common/file/a?signature=1' }),
      'POST /api/common/file/b/link': () => ({
        url: '/api/common/file/b?signature=2',
        small: '/api/common/file/c?signature=3',
      }),
    },
  })
  await waitFor(() => expect(document.querySelectorAll('img')).toHaveLength(2))
  expect([...document.querySelectorAll('img')].map(picture => picture.getAttribute('src'))).toEqual([
    '/api/common/file/a?signature=1',
    '/api/common/file/c?signature=3',
  ])
  expect(page.sent('POST /api/common/file/b/link').map(({ body }) => body)).toEqual([{ size: 'small' }])
  expect(screen.getAllByRole('button').map(opener => opener.getAttribute('aria-label'))).toEqual([
    'Picture 1',
    'Picture 2',
  ])
  fireEvent.click(document.querySelectorAll('.ant-image')[1] as Element)
  const viewer = await waitFor(() => document.querySelector('.ant-image-preview-img') as HTMLElement)
  expect(viewer.getAttribute('src')).toBe('/api/common/file/b?signature=2')
})

test('a film that was sent is played where its record is looked at, with what a player has', async () => {
  await renderPage(<Sent purpose="video" ids={['a']} />, {
    calls: { 'POST /api/common/file/a/link': () => ({ url: '/api/common/file/a?signed' }) },
  })
  const film = (await screen.findByLabelText('Video 1')) as HTMLVideoElement
  expect(film.tagName).toBe('VIDEO')
  expect(film.getAttribute('src')).toBe('/api/common/file/a?signed')
  expect(film.controls).toBe(true)
})
