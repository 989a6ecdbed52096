-- A number may be left in a form, or in a message, on a platform.
alter table lead drop constraint lead_came_by_check, add constraint lead_came_by_check check (came_by in ('REGISTRATION', 'IMPORT', 'FORM'));
alter table lead_touch drop constraint lead_touch_came_by_check,
  add constraint lead_touch_came_by_check check (came_by in ('REGISTRATION', 'IMPORT', 'FORM'));

create table lead_form (
  id              bigint generated always as identity primary key,
  form_no         text not null check (length(form_no) between 1 and 64),
  kind            text not null check (kind in ('FORM', 'MESSAGE')),
  phone           text check (phone ~ '^1[3-9][0-9]{9}$'),
  name            text check (length(name) between 1 and 50),
  city            text check (length(city) between 1 and 50),
  account         text,
  note_id         bigint references note (id),
  campaign        text check (length(campaign) between 1 and 64),
  unit            text check (length(unit) between 1 and 64),
  creativity      text check (length(creativity) between 1 and 64),
  page            text check (length(page) between 1 and 200),
  answers         jsonb not null default '[]' check (jsonb_typeof(answers) = 'array'),
  lead_id         bigint references lead (id) on delete set null,
  is_new          boolean not null default false,
  -- Those of its lead.
  owner_id        bigint references staff (id),
  org_id          bigint references org (id),
  follow_status   text not null default 'KNOWN' check (follow_status in ('KNOWN', 'UNASSIGNED', 'RETURNED', 'ASSIGNED', 'CONTACTED',
    'ADDED', 'TRIAL', 'INTENT', 'DEAL', 'LOST', 'INVALID')),
  call_back       text not null default 'NONE' check (call_back in ('NONE', 'WAITING', 'SENT', 'FAILED', 'UNKNOWN')),
  -- The call is being made, or nobody knows how it ended.
  sending_at      timestamptz,
  called_back_at  timestamptz,
  call_back_error text check (length(call_back_error) between 1 and 200),
  submitted_at    timestamptz not null,
  created_at      timestamptz not null,
  version         int not null default 1
);
-- Told however often, a form is one.
create unique index lead_form_no on lead_form (form_no text_pattern_ops);
create index lead_form_name on lead_form (name text_pattern_ops, id);
create index lead_form_name_pairs on lead_form using gin (name_pairs(name));
create index lead_form_phone on lead_form (phone, id);
create index lead_form_lead on lead_form (lead_id, submitted_at) where lead_id is not null;
create index lead_form_submitted on lead_form (submitted_at, id);
create index lead_form_owner on lead_form (owner_id, id);
create index lead_form_org on lead_form (org_id, id);
create index lead_form_owner_status on lead_form (owner_id, follow_status, id);
create index lead_form_org_status on lead_form (org_id, follow_status, id);
create index lead_form_status on lead_form (follow_status, id);
create index lead_form_call_back on lead_form (call_back, id);
create index lead_form_kind on lead_form (kind, id);
create index lead_form_account on lead_form (account, id);
create index lead_form_note on lead_form (note_id, id);
create index lead_form_campaign on lead_form (campaign text_pattern_ops, id);
create index lead_form_is_new on lead_form (is_new, id);
select start_keeping_count('lead_form', 'follow_status', 'owned');

-- A form follows its lead, whoever changes that; no writer has to think of it. What is forgotten of a number is forgotten here.
create function follow_lead() returns trigger language plpgsql as $$
declare
  forgotten boolean := new.phone is null and new.member_id is null;
begin
  update lead_form f set owner_id = new.owner_id, org_id = new.org_id, follow_status = new.status,
    phone = case when forgotten then null else f.phone end, name = case when forgotten then null else f.name end,
    city = case when forgotten then null else f.city end, answers = case when forgotten then '[]' else f.answers end
  where f.lead_id = new.id;
  return null;
end $$;
create trigger follow_lead after update of status, owner_id, org_id, phone on lead for each row
  when ((old.status, old.owner_id, old.org_id, old.phone) is distinct from (new.status, new.owner_id, new.org_id, new.phone))
  execute function follow_lead();
