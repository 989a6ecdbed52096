import { type RawBuilder, sql } from 'kysely'

/**
 * In SQL, who leads the person s of the department o: that person's manager, else whoever leads the nearest department above; nobody
 * who has left, so that what has to be told is told to somebody. Of what a person has not done another one is told.
 */
const leader = (isOther: boolean): RawBuilder<string | null> => sql`
  coalesce(
    (select g.id from staff g where g.id = s.manager_id and g.status = 'ENABLED'),
    (select g.id from org a join staff g on g.id = a.manager_id and g.status = 'ENABLED' and (not ${isOther} or g.id <> s.id)
      where starts_with(o.path, a.path) order by length(a.path) desc limit 1))`
export const LEADER = leader(false)
export const OTHER_LEADER = leader(true)
