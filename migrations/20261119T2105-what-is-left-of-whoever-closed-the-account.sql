-- Numbers a member had before, by which whatever still holds them is found when the account is closed. Of earlier changes only
-- those are known that a campaign wrote down.
alter table member add column former_phones text[] not null default '{}';
update member m set former_phones = n.phones
from (select member_id, array_agg(distinct phone) as phones from campaign_number where phone ~ '^1[3-9][0-9]{9}$' group by 1) n
where n.member_id = m.id and m.phone is not null and n.phones <> array[m.phone];

-- How often what was written after an erasure was looked for.
alter table erasure add column gone_over integer not null default 0;

-- What teachers were told of a lapse names the pupil.
update message m set words_of_id = c.member_id from check_in c
where m.words_of_id is null and m.about = 'lapsed:' || c.id || ':' || m.staff_id;
