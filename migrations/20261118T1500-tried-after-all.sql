-- Who tried a lesson after the lead was given up has tried one too: the furthest a lead ever came, whatever became of it.
update lead l set furthest = 'TRIED'
where l.furthest in ('CAME', 'ADDED', 'REGISTERED') and l.member_id is not null
  and (exists (select from lesson_taken t where t.member_id = l.member_id) or exists (select from work w where w.member_id = l.member_id));
