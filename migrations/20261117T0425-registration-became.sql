-- Whom it became: what ended well is found by the name of the member.
alter table registration add became_id bigint references member (id);
update registration r set became_id = l.member_id from lead l where l.id = r.lead_id and l.member_id is not null;
create index registration_became on registration (became_id, id);
