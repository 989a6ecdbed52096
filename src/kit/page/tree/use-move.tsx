import type { Resource } from '#kit/model/resource.ts'
import { get, post } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useQuestion } from '../question.ts'
import { takeBack } from '../take-back.ts'
import type { locale } from './locale.ts'
import type { Place } from './place.ts'
import type { ReadTree } from './use-tree.ts'

/**
 * Moves a record of a tree. Another place among the same is taken at once; below another record it is first told what
 * follows. Either can be taken back.
 */
export function useMove(resource: Resource, { nodes }: ReadTree, onDone: () => void) {
  const say = useTexts<typeof locale>('kit/page/tree')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const ask = useQuestion()
  const nameOf = (id: string) => nodes.find(node => node.id === id)?.name ?? ''

  const put = async (id: string, { parentId, after }: Place) => {
    try {
      const { version } = await get<{ version: number }>(`/${resource.screen.name}/${id}`)
      const afterId = after === 'last' ? undefined : after === 'first' ? null : after
      await post(`/${resource.screen.name}/${id}/move`, { parentId, afterId, version })
      notices.done(say('moved-ok', { name: nameOf(id) }), { undo: () => void undo(id) })
    } catch (error) {
      notices.failed(error, say('move-failed'))
    }
    onDone()
  }

  const undo = async (id: string) => {
    try {
      await takeBack(resource, 'move', id)
      notices.done(kit('undone', { what: say('move', { name: nameOf(id) }) }))
    } catch (error) {
      notices.failed(error, say('move-failed'))
    }
    onDone()
  }

  return async (id: string, place: Place) => {
    const take = () => put(id, place)
    if (place.parentId === (nodes.find(node => node.id === id)?.parentId ?? null)) return take()
    const told = await get<string[]>(`/${resource.screen.name}/${id}/move`, {
      query: place.parentId === null ? {} : { parentId: place.parentId },
    }).catch(error => notices.failed(error, say('move-failed')))
    if (!told) return
    const below = place.parentId === null ? say('move-top') : say('move-below', { parent: nameOf(place.parentId) })
    ask({
      title: say('move', { name: nameOf(id) }),
      content: (
        <>
          <p>{below}</p>
          <ul>
            {told.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ),
      okText: below,
      cancelText: kit('cancel'),
      onOk: take,
    })
  }
}
