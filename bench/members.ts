import { onDatabase } from './ground.ts'

/** So many at once: triggers keep counts of what a statement wrote. */
const AT_ONCE = 50_000

/**
 * Fills up with members who have bought nothing, owned by the sales staff in turn: the tables and indexes the head is read from
 * are as large as they are asked to be, while those that are looked at have all there is to tell.
 */
export async function fillMembers(url: string, wanted: number): Promise<void> {
  await onDatabase(url, async client => {
    await client.query('set statement_timeout = 0')
    const count = async () => Number((await client.query('select count(*) as n from member')).rows[0].n)
    for (let there = await count(); there < wanted; there = await count()) {
      console.error(`member: ${there} of ${wanted} members`)
      await client.query(
        `with seller as (
           select s.id, s.org_id, row_number() over (order by s.id) - 1 as nth, count(*) over () as all_of
           from staff s join staff_role sr on sr.staff_id = s.id join role r on r.id = sr.role_id
           where r.code = 'SALES' and s.status = 'ENABLED')
         insert into member (name, name_pinyin, name_initials, phone, source, channel, owner_id, org_id, owner_since, created_at)
         select '学员' || k, 'xueyuan' || k, 'xy' || k, '141' || lpad(k::text, 8, '0'), 'APP', 'STORE', s.id, s.org_id, now(), now()
         from generate_series($1::bigint + 1, $1::bigint + $2::bigint) k left join seller s on s.nth = k % s.all_of`,
        [there, Math.min(AT_ONCE, wanted - there)],
      )
    }
    await client.query('analyze member')
  })
}
