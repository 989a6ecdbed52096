import { buffer } from 'node:stream/consumers'
import { judgePage, type ScoredCharacter } from '#engines/handwriting/server.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { operate } from '#kit/server/change/operation.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Kind, scoreOf } from './comment.model.ts'
import { requireHeld } from './leasing.server.ts'
import {
  figuresOf,
  isWritten,
  NOTHING_READ,
  type ReadPages,
  type Suggestion,
  suggestedScores,
  suggestion,
} from './suggestion.model.ts'

type Caller = Call<{ page: string; action: string }>
type Found = { readonly kind: Kind; readonly characters: string | null; readonly picture: readonly string[] }

/**
 * What the scorer makes of a work on the caller's desk: read once and kept. Nothing is locked while it reads; what it could
 * not get to is not kept, and read the next time it is asked for.
 */
export async function suggest(app: App, call: Caller, id: string): Promise<Suggestion> {
  const work = await heldWork(app, call, id)
  const kept = await keptSuggestion(app.db.query, id)
  if (kept) return kept
  if (!isWritten(work.kind) || !work.characters) return NOTHING_READ
  const text = work.characters
  const [read, all]: [ReadPages, ScoredCharacter[]] = [[], []]
  for (const fileId of work.picture) {
    const answer = await judgePage(await buffer(await app.files.read(fileId)), { text })
    if ('fault' in answer && (answer.fault === 'busy' || answer.fault === 'too-slow'))
      return { ...NOTHING_READ, pages: [{ characters: [], fault: answer.fault }] }
    if ('page' in answer) all.push(...answer.page.characters)
    read.push(
      'page' in answer ? { characters: shown(answer.page.characters), fault: null } : { characters: [], ...answer },
    )
  }
  const scores = suggestedScores(work.kind, all)
  const found = { pages: read, scores, score: scores && scoreOf(work.kind, scores) }
  await operate(app, call, async op => {
    await requireHeld({ ...op, medium: 'PICTURE' }, id)
    await keep(op.tx, id, found, op.now)
  })
  return found
}

const heldWork = (app: App, call: Caller, id: string): Promise<Found> =>
  operate(app, call, async op => {
    const { kind } = await requireHeld({ ...op, medium: 'PICTURE' }, id)
    const found = op.tx.selectFrom('work').select(['characters', 'picture']).where('id', '=', id)
    return { kind: kind as Kind, ...(await found.executeTakeFirstOrThrow()) }
  })

/** To the dot of the picture: finer is nothing anybody sees. */
const shown = (characters: readonly ScoredCharacter[]): ReadPages[number]['characters'] =>
  characters.flatMap(({ char, box, score, reasons, measures }) => {
    if (char === null) return []
    const dots = box && {
      left: Math.round(box.left),
      top: Math.round(box.top),
      right: Math.round(box.right),
      bottom: Math.round(box.bottom),
    }
    const measured = measures && { figures: figuresOf(measures) }
    return [{ char, box: dots, score, ...measured, reasons: [...reasons] }]
  })

const keep = (tx: Tx, id: string, { pages, scores, score }: Suggestion, now: Date) =>
  tx
    .insertInto('work_suggestion')
    .values({
      ...{ work_id: id, read_at: now, pages: JSON.stringify(pages), score },
      scores: scores && JSON.stringify(scores),
    })
    .onConflict(same => same.column('work_id').doNothing())
    .execute()

async function keptSuggestion(db: Pick<Tx, 'selectFrom'>, id: string): Promise<Suggestion | undefined> {
  const kept = await db
    .selectFrom('work_suggestion')
    .select(['pages', 'scores', 'score'])
    .where('work_id', '=', id)
    .executeTakeFirst()
  return kept && suggestion.parse(kept)
}

/** What was suggested of a work, for whoever says something of it. */
export const suggestedScore = async (tx: Tx, id: string): Promise<number | null> =>
  (await keptSuggestion(tx, id))?.score ?? null
