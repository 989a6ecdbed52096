-- When a pupil was born, by the month: enough to know whether somebody is fourteen (docs/decisions/075). Nobody knows it of those who are there.
alter table member
  add column birth_month text,
  add constraint member_birth_month check (birth_month ~ '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$');

-- Whose word it was. Only guardians were asked before.
alter table consent add column said_as text not null default 'GUARDIAN' check (said_as in ('GUARDIAN', 'PUPIL'));
alter table consent alter column said_as drop default;

-- A photograph of how a child sits or holds the brush shows the child: without consent to pictures it is shown no longer.
update work w set is_excellent = false, version = w.version + 1
where w.is_excellent and w.medium = 'PICTURE' and w.kind in ('POSTURE', 'GRIP')
  and not exists (
    select 1 from consent c
    where c.member_id = w.member_id and c.purpose = 'PICTURE' and c.stands and c.act = 'GIVEN');
