import { HOLDS } from '#areas/members/work/demo.server.ts'
import { drawCover, drawFilm, FILMED } from '#areas/members/work/demo-films.server.ts'
import type { Story } from '#demo/story.server.ts'

/** The newest have their films; a few are drawn, and handed out again. */
const NEWEST = 40

export const demo: Story = {
  holds: HOLDS,
  photographed: {
    table: 'work',
    async read(tx) {
      const rows = await tx
        .selectFrom('work')
        .select(['id', 'no', 'submitted_at as at'])
        .where('medium', '=', 'VIDEO')
        .orderBy('submitted_at', 'desc')
        .limit(NEWEST)
        .execute()
      return rows.map(({ id, no, at }) => {
        const character = FILMED[Number(id) % FILMED.length] ?? FILMED[0]
        return {
          id,
          name: no,
          at: new Date(at),
          same: character,
          draw: () => drawCover(character),
          film: () => drawFilm(character),
        }
      })
    },
  },
}
