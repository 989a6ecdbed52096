import { mask } from '#kit/model/mask.ts'
import type { Change } from '../app.ts'
import { run, type Tx } from '../database/database.ts'
import { ERASING, TASK_PAGE } from '../storage/file.ts'

/** A person as copies know one: by the member, by numbers of this person alone, and by words others may share. */
export type Copied = {
  readonly memberId: string
  readonly phones: readonly string[]
  readonly known: readonly string[]
  /** The screens whose exports may hold the person. */
  readonly lists: readonly string[]
}

/** What has done its work is erased by any word it shares with the person: too much costs nothing there. What still waits, only by what is the person's alone. */
export async function forgetCopies({ tx }: Change, { memberId, phones, known, lists }: Copied): Promise<void> {
  const own = phones.map(holding)
  const shared = [...known, ...phones.map(phone => mask('phone', phone))].map(holding)
  await run(
    tx,
    `update inbox_event set payload = '{}', awaits = null, error = case when outcome = 'APPLIED' then null else 'erased' end,
       outcome = case outcome when 'WAITING' then 'REFUSED' else outcome end
     where payload ->> 'memberId' = $1 or payload::text like any($2::text[])
       or (outcome <> 'WAITING' and (payload::text like any($3::text[]) or error like any($3::text[])))`,
    [memberId, own, shared],
  )
  await run(
    tx,
    `update outbox set payload = '{}', error = '', status = case status when 'WAITING' then 'GIVEN_UP' else status end
     where payload ->> 'memberId' = $1 or payload::text like any($2::text[])
       or (status <> 'WAITING' and (payload::text like any($3::text[]) or error like any($3::text[])))`,
    [memberId, own, shared],
  )
  await forgetImports(tx, own, shared)
  await forgetTasks(tx, shared, known, lists)
  await run(tx, 'delete from idempotency where answer::text like any($1::text[])', [shared])
  // The newest stays, as where they are swept: a reader that starts begins after it.
  await run(
    tx,
    `update signal set payload = '{}' where payload::text like any($1::text[]) and id = (select max(id) from signal)`,
    [shared],
  )
  await run(tx, 'delete from signal where payload::text like any($1::text[])', [shared])
  await run(tx, 'delete from attempt_gate where subject like any($1::text[])', [own])
  await run(tx, `delete from saved_view where query || '&' like any($1::text[])`, [
    known.flatMap(word => [asked(word), asked(encodeURIComponent(word))]),
  ])
  await run(
    tx,
    `select erase_log_lines(array(
      select id from operation_log where salt is not null and (reason like any($1::text[]) or diff::text like any($1::text[]))))`,
    [own],
  )
}

/** The rows of files that came in, and the file itself, which otherwise stays for a day. */
async function forgetImports(tx: Tx, own: readonly string[], shared: readonly string[]): Promise<void> {
  const rows = await run(
    tx,
    `update import_row r set cells = '[]', error = case when r.error is not null then '[]'::jsonb end
     from import_batch b where b.id = r.batch_id and (r.cells::text like any($1::text[])
       or (b.status in ('DONE', 'UNDONE') and (r.cells::text like any($2::text[]) or r.error::text like any($2::text[]))))
     returning b.file_id`,
    [own, shared],
  )
  if (rows.length > 0) await forgetFiles(tx, 'id = any($1::uuid[])', [rows.map(row => row.file_id)])
}

/**
 * What was exported or printed of lists that name the person, which otherwise stays for a week; and what people saw of tasks. One
 * that is being made has read what is erased here: its try is given up, and the next begins after this transaction (`claim`).
 */
async function forgetTasks(
  tx: Tx,
  shared: readonly string[],
  known: readonly string[],
  lists: readonly string[],
): Promise<void> {
  await run(tx, 'select pg_advisory_xact_lock(hashtext($1))', [ERASING])
  await run(
    tx,
    `update task set state = 'WAITING', attempts = attempts + 1, heartbeat_at = null
     where state = 'RUNNING' and kind in ('EXPORT', 'PACK') and request ->> 'screen' = any($1::text[])`,
    [lists],
  )
  await forgetFiles(
    tx,
    `page = $1 and record_id in (select id from task where kind in ('EXPORT', 'PACK') and request ->> 'screen' = any($2::text[]))`,
    [TASK_PAGE, lists],
  )
  await run(
    tx,
    `update task set request = request - 'search' where state not in ('WAITING', 'RUNNING') and request::text like any($1::text[])`,
    [shared],
  )
  await run(
    tx,
    `update task_row set name = '', refusal = refusal - 'params'
     where state <> 'WAITING' and (name = any($1::text[]) or refusal::text like any($2::text[]))`,
    [known, shared],
  )
}

/** The row goes at once, and with it every link; the sweep removes what it named from the storage. */
export const forgetFiles = (tx: Tx, where: string, values: readonly unknown[]) =>
  run(
    tx,
    `with gone as (delete from file where ${where} returning id, created_at)
     insert into file_unkept (id, at) select id, created_at from gone on conflict do nothing`,
    values,
  )

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
/** As it stands within JSON, and so within any text of one line. */
const holding = (word: string): string => `%${literal(JSON.stringify(word).slice(1, -1))}%`
const asked = (word: string): string => `%=${literal(word)}&%`
