-- Generated from the migrated database by `npm run generate`; a test keeps it equal.

CREATE OR REPLACE FUNCTION public.keep_built_in_dictionary()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a built-in dictionary type stays' using errcode = 'check_violation', constraint = 'dictionary_type_built_in';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- Arguments: state column, 'owned' or 'shared'.
  cell text := case when tg_argv[1] = 'owned' then 'org_id, owner_id, ' else 'null::bigint, null::bigint, ' end
               || format('%I::text', tg_argv[0]);
  rows text := case tg_op
    when 'INSERT' then format('select %s, 1 as d from new_rows', cell)
    when 'DELETE' then format('select %s, -1 as d from old_rows', cell)
    else format('select %s, 1 as d from new_rows union all select %s, -1 from old_rows', cell, cell) end;
begin
  execute format('insert into kept_count (table_name, org_id, owner_id, state, n)
    select %L, r.a, r.b, r.c, sum(r.d) from (%s) as r (a, b, c, d) group by r.a, r.b, r.c having sum(r.d) <> 0',
    tg_table_name, rows);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.start_keeping_count(of regclass, state_column text, scope text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger keep_count_insert after insert on %s referencing new table as new_rows
    for each statement execute function keep_count(%L, %L)', of, state_column, scope);
  execute format('create trigger keep_count_update after update on %s referencing new table as new_rows old table as old_rows
    for each statement execute function keep_count(%L, %L)', of, state_column, scope);
  execute format('create trigger keep_count_delete after delete on %s referencing old table as old_rows
    for each statement execute function keep_count(%L, %L)', of, state_column, scope);
end $function$;

CREATE OR REPLACE FUNCTION public.wake_signal_readers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('signal', '');
  return null;
end $function$;

create table attempt_gate (
  kind text not null,
  subject text not null,
  attempts integer not null,
  window_until timestamp with time zone not null,
  locked_until timestamp with time zone,
  constraint attempt_gate_pkey PRIMARY KEY (kind, subject)
);

create table captcha (
  key text not null,
  answer text not null,
  expires_at timestamp with time zone not null,
  constraint captcha_pkey PRIMARY KEY (key)
);
CREATE INDEX captcha_expires ON public.captcha USING btree (expires_at);

create table dictionary_item (
  id bigint generated always as identity not null,
  type_id bigint not null,
  label text not null,
  value text not null,
  colour text,
  sort integer not null,
  enabled boolean not null default true,
  constraint dictionary_item_pkey PRIMARY KEY (id),
  constraint dictionary_item_type_id_value_key UNIQUE (type_id, value),
  constraint dictionary_item_type_id_fkey FOREIGN KEY (type_id) REFERENCES dictionary_type(id) ON DELETE CASCADE,
  constraint dictionary_item_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  constraint dictionary_item_label_check CHECK (((length(label) >= 1) AND (length(label) <= 100))),
  constraint dictionary_item_value_check CHECK (((length(value) >= 1) AND (length(value) <= 100)))
);

create table dictionary_type (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  note text not null default ''::text,
  built_in boolean not null default false,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dictionary_type_pkey PRIMARY KEY (id),
  constraint dictionary_type_code_check CHECK ((code ~ '^[A-Z][A-Z0-9_]{0,49}$'::text)),
  constraint dictionary_type_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint dictionary_type_note_check CHECK ((length(note) <= 200))
);
CREATE INDEX dictionary_type_built_in ON public.dictionary_type USING btree (built_in, id);
CREATE UNIQUE INDEX dictionary_type_code ON public.dictionary_type USING btree (code text_pattern_ops);
CREATE INDEX dictionary_type_created ON public.dictionary_type USING btree (created_at, id);
CREATE INDEX dictionary_type_name ON public.dictionary_type USING btree (name text_pattern_ops);
CREATE TRIGGER dictionary_type_built_in BEFORE DELETE ON public.dictionary_type FOR EACH ROW WHEN (old.built_in) EXECUTE FUNCTION keep_built_in_dictionary();

create table file (
  id uuid not null default gen_random_uuid(),
  purpose text not null,
  name text not null,
  type text not null,
  bytes integer not null,
  sha256 text not null,
  owner_id bigint not null,
  page text,
  record_id bigint,
  created_at timestamp with time zone not null,
  constraint file_pkey PRIMARY KEY (id),
  constraint file_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint file_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE INDEX file_loose ON public.file USING btree (created_at) WHERE (record_id IS NULL);
CREATE INDEX file_record ON public.file USING btree (page, record_id);

create table idempotency (
  actor_id bigint not null,
  key text not null,
  route text not null,
  body_hash text not null,
  answer jsonb not null,
  created_at timestamp with time zone not null,
  constraint idempotency_pkey PRIMARY KEY (actor_id, key),
  constraint idempotency_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES staff(id),
  constraint idempotency_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
CREATE INDEX idempotency_created ON public.idempotency USING btree (created_at);

create table inbox_event (
  id bigint generated always as identity not null,
  source text not null,
  event_key text not null,
  type text not null,
  payload jsonb not null,
  received_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  attempts integer not null default 0,
  next_at timestamp with time zone not null,
  error text,
  constraint inbox_event_pkey PRIMARY KEY (id),
  constraint inbox_event_source_event_key_key UNIQUE (source, event_key)
);
CREATE INDEX inbox_event_waiting ON public.inbox_event USING btree (next_at) WHERE (applied_at IS NULL);

create table kept_count (
  table_name text not null,
  org_id bigint,
  owner_id bigint,
  state text not null,
  n bigint not null
);
CREATE INDEX kept_count_table ON public.kept_count USING btree (table_name, org_id, owner_id, state) INCLUDE (n);

create table login_trace (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  staff_id bigint,
  account text not null,
  address text not null,
  device text not null,
  result text not null,
  session_id bigint,
  constraint login_trace_pkey PRIMARY KEY (id),
  constraint login_trace_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id),
  constraint login_trace_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint login_trace_result_check CHECK ((result = ANY (ARRAY['SUCCESS'::text, 'CAPTCHA'::text, 'CREDENTIALS'::text, 'LOCKED'::text, 'DISABLED'::text])))
);
CREATE INDEX login_trace_known ON public.login_trace USING btree (staff_id, address, at) WHERE (result = 'SUCCESS'::text);
CREATE INDEX login_trace_staff ON public.login_trace USING btree (staff_id, id);

create table member (
  id bigint generated always as identity not null,
  name text not null,
  name_pinyin text not null default ''::text,
  phone text not null,
  guardian_name text,
  level text not null default 'TRIAL'::text,
  source text not null,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint member_pkey PRIMARY KEY (id),
  constraint member_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint member_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint member_level_check CHECK ((level = ANY (ARRAY['TRIAL'::text, 'MEMBER'::text, 'EXPIRED'::text]))),
  constraint member_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint member_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text))
);
CREATE INDEX member_name ON public.member USING btree (name text_pattern_ops);
CREATE INDEX member_name_pinyin ON public.member USING btree (name_pinyin text_pattern_ops);
CREATE INDEX member_org ON public.member USING btree (org_id, id);
CREATE INDEX member_owner ON public.member USING btree (owner_id, id);
CREATE UNIQUE INDEX member_phone ON public.member USING btree (phone);

create table migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table number_sequence (
  kind text not null,
  day date not null,
  last bigint not null,
  constraint number_sequence_pkey PRIMARY KEY (kind, day)
);

create table operation_log (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  actor_id bigint,
  actor_name text not null,
  address text not null,
  request_id text not null,
  page text not null,
  action text not null,
  record_id bigint,
  diff jsonb not null default '{}'::jsonb,
  reason text,
  code integer not null,
  duration_ms integer not null default 0,
  constraint operation_log_pkey PRIMARY KEY (id),
  constraint operation_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES staff(id)
);
CREATE INDEX operation_log_actor ON public.operation_log USING btree (actor_id, id);
CREATE INDEX operation_log_at ON public.operation_log USING btree (at);
CREATE INDEX operation_log_record ON public.operation_log USING btree (page, record_id, id);

create table org (
  id bigint generated always as identity not null,
  parent_id bigint,
  name text not null,
  code text not null,
  path text not null,
  sort integer not null default 0,
  version integer not null default 1,
  constraint org_pkey PRIMARY KEY (id),
  constraint org_code_key UNIQUE (code),
  constraint org_path_key UNIQUE (path),
  constraint org_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES org(id),
  constraint org_code_check CHECK (((length(code) >= 1) AND (length(code) <= 50))),
  constraint org_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE INDEX org_path ON public.org USING btree (path text_pattern_ops);

create table password_history (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  hash text not null,
  set_at timestamp with time zone not null,
  constraint password_history_pkey PRIMARY KEY (id),
  constraint password_history_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
CREATE INDEX password_history_staff ON public.password_history USING btree (staff_id, id);

create table permission (
  id bigint generated always as identity not null,
  parent_id bigint,
  display_type text not null,
  resource_code text not null,
  display_name text not null,
  sort integer not null default 0,
  vanished boolean not null default false,
  constraint permission_pkey PRIMARY KEY (id),
  constraint permission_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES permission(id),
  constraint permission_display_type_check CHECK ((display_type = ANY (ARRAY['MENU'::text, 'PERMISSION'::text])))
);
CREATE UNIQUE INDEX permission_action ON public.permission USING btree (parent_id, resource_code) WHERE (display_type = 'PERMISSION'::text);
CREATE UNIQUE INDEX permission_menu ON public.permission USING btree (resource_code) WHERE (display_type = 'MENU'::text);

create table refund_application (
  id bigint generated always as identity not null,
  refund_no text not null,
  order_id bigint not null,
  member_id bigint not null,
  amount_fen bigint not null,
  reason text not null,
  note text not null default ''::text,
  status text not null default 'SUBMITTED'::text,
  applicant_id bigint not null,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint refund_application_pkey PRIMARY KEY (id),
  constraint refund_application_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint refund_application_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint refund_application_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint refund_application_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint refund_application_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint refund_application_amount_fen_check CHECK ((amount_fen > 0)),
  constraint refund_application_note_check CHECK ((length(note) <= 500)),
  constraint refund_application_refund_no_check CHECK ((refund_no ~ '^R[0-9]{13}$'::text)),
  constraint refund_application_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text])))
);
CREATE INDEX refund_application_amount ON public.refund_application USING btree (amount_fen, id);
CREATE INDEX refund_application_applicant ON public.refund_application USING btree (applicant_id, id);
CREATE INDEX refund_application_created ON public.refund_application USING btree (created_at, id);
CREATE INDEX refund_application_member ON public.refund_application USING btree (member_id, id);
CREATE UNIQUE INDEX refund_application_no ON public.refund_application USING btree (refund_no text_pattern_ops);
CREATE INDEX refund_application_order ON public.refund_application USING btree (order_id, id);
CREATE INDEX refund_application_org ON public.refund_application USING btree (org_id, id);
CREATE INDEX refund_application_owner ON public.refund_application USING btree (owner_id, id);
CREATE INDEX refund_application_reason ON public.refund_application USING btree (reason, id);
CREATE INDEX refund_application_status ON public.refund_application USING btree (status, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.refund_application REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.refund_application REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.refund_application REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table refund_notice (
  id bigint generated always as identity not null,
  source text not null,
  order_no text not null,
  lead_phone text,
  phone text,
  member_id bigint,
  owner_id bigint,
  org_id bigint,
  status text not null default 'UNREAD'::text,
  created_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  processed_by bigint,
  constraint refund_notice_pkey PRIMARY KEY (id),
  constraint refund_notice_source_order_no_key UNIQUE (source, order_no),
  constraint refund_notice_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint refund_notice_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint refund_notice_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint refund_notice_processed_by_fkey FOREIGN KEY (processed_by) REFERENCES staff(id),
  constraint refund_notice_check CHECK (((status = 'READ'::text) = (processed_at IS NOT NULL))),
  constraint refund_notice_status_check CHECK ((status = ANY (ARRAY['UNREAD'::text, 'READ'::text])))
);
CREATE INDEX refund_notice_org ON public.refund_notice USING btree (org_id, status, id);
CREATE INDEX refund_notice_owner ON public.refund_notice USING btree (owner_id, status, id);
CREATE INDEX refund_notice_status ON public.refund_notice USING btree (status, id);

create table role (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  scope text not null,
  version integer not null default 1,
  constraint role_pkey PRIMARY KEY (id),
  constraint role_code_key UNIQUE (code),
  constraint role_code_check CHECK (((length(code) >= 1) AND (length(code) <= 50))),
  constraint role_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint role_scope_check CHECK ((scope = ANY (ARRAY['SELF'::text, 'SELF_AND_SUBORDINATES'::text, 'DEPARTMENT'::text, 'DEPARTMENT_AND_BELOW'::text, 'ALL'::text, 'CHOSEN'::text])))
);

create table role_org (
  role_id bigint not null,
  org_id bigint not null,
  constraint role_org_pkey PRIMARY KEY (role_id, org_id),
  constraint role_org_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint role_org_role_id_fkey FOREIGN KEY (role_id) REFERENCES role(id) ON DELETE CASCADE
);

create table role_permission (
  role_id bigint not null,
  permission_id bigint not null,
  constraint role_permission_pkey PRIMARY KEY (role_id, permission_id),
  constraint role_permission_permission_id_fkey FOREIGN KEY (permission_id) REFERENCES permission(id),
  constraint role_permission_role_id_fkey FOREIGN KEY (role_id) REFERENCES role(id) ON DELETE CASCADE
);

create table sales_order (
  id bigint generated always as identity not null,
  order_no text not null,
  member_id bigint not null,
  product_name text not null,
  amount_fen bigint not null,
  paid_fen bigint not null default 0,
  reserved_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  pay_state text not null default 'UNPAID'::text,
  fulfil_state text not null default 'NOT_NEEDED'::text,
  refund_state text not null default 'NONE'::text,
  source text not null,
  note text not null default ''::text,
  sold_by bigint,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  paid_at timestamp with time zone,
  closed_at timestamp with time zone,
  version integer not null default 1,
  constraint sales_order_pkey PRIMARY KEY (id),
  constraint sales_order_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint sales_order_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint sales_order_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint sales_order_sold_by_fkey FOREIGN KEY (sold_by) REFERENCES staff(id),
  constraint refunds_within_paid CHECK (((reserved_fen + refunded_fen) <= paid_fen)),
  constraint sales_order_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint sales_order_fulfil_state_check CHECK ((fulfil_state = ANY (ARRAY['NOT_NEEDED'::text, 'WAITING'::text, 'PARTIAL'::text, 'SENT'::text, 'DONE'::text]))),
  constraint sales_order_note_check CHECK ((length(note) <= 500)),
  constraint sales_order_order_no_check CHECK ((order_no ~ '^[0-9]{18}$'::text)),
  constraint sales_order_paid_fen_check CHECK ((paid_fen >= 0)),
  constraint sales_order_pay_state_check CHECK ((pay_state = ANY (ARRAY['UNPAID'::text, 'EXAMINING'::text, 'PAID'::text, 'CLOSED'::text]))),
  constraint sales_order_product_name_check CHECK (((length(product_name) >= 1) AND (length(product_name) <= 100))),
  constraint sales_order_refund_state_check CHECK ((refund_state = ANY (ARRAY['NONE'::text, 'PARTIAL'::text, 'FULL'::text]))),
  constraint sales_order_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint sales_order_reserved_fen_check CHECK ((reserved_fen >= 0))
);
CREATE INDEX sales_order_amount ON public.sales_order USING btree (amount_fen, id);
CREATE INDEX sales_order_created ON public.sales_order USING btree (created_at, id);
CREATE INDEX sales_order_fulfil_state ON public.sales_order USING btree (fulfil_state, id);
CREATE INDEX sales_order_member ON public.sales_order USING btree (member_id, id);
CREATE UNIQUE INDEX sales_order_no ON public.sales_order USING btree (order_no text_pattern_ops);
CREATE INDEX sales_order_org ON public.sales_order USING btree (org_id, id);
CREATE INDEX sales_order_owner ON public.sales_order USING btree (owner_id, id);
CREATE INDEX sales_order_paid_at ON public.sales_order USING btree (paid_at, id);
CREATE INDEX sales_order_pay_state ON public.sales_order USING btree (pay_state, id);
CREATE INDEX sales_order_product ON public.sales_order USING btree (product_name text_pattern_ops, id);
CREATE INDEX sales_order_refund_state ON public.sales_order USING btree (refund_state, id);
CREATE INDEX sales_order_source ON public.sales_order USING btree (source, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.sales_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('pay_state', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('pay_state', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.sales_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('pay_state', 'owned');

create table session (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  token_hash bytea not null,
  token_at timestamp with time zone not null,
  old_hash bytea,
  old_until timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  active_at timestamp with time zone not null,
  address text not null,
  device text not null,
  ended_at timestamp with time zone,
  end_reason text,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint session_end_reason_check CHECK ((end_reason = ANY (ARRAY['LOGOUT'::text, 'FORCED'::text, 'DISABLED'::text, 'PASSWORD'::text, 'EXPIRED'::text])))
);
CREATE INDEX session_old ON public.session USING btree (old_hash) WHERE (old_hash IS NOT NULL);
CREATE INDEX session_staff ON public.session USING btree (staff_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX session_token ON public.session USING btree (token_hash);

create table signal (
  id bigint generated always as identity not null,
  at timestamp with time zone not null default clock_timestamp(),
  topic text not null,
  payload jsonb not null,
  constraint signal_pkey PRIMARY KEY (id)
);
CREATE INDEX signal_at ON public.signal USING btree (at);
CREATE TRIGGER signal_wakes AFTER INSERT ON public.signal FOR EACH STATEMENT EXECUTE FUNCTION wake_signal_readers();

create table socket_ticket (
  hash bytea not null,
  session_id bigint not null,
  expires_at timestamp with time zone not null,
  constraint socket_ticket_pkey PRIMARY KEY (hash),
  constraint socket_ticket_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id)
);

create table staff (
  id bigint generated always as identity not null,
  account text not null,
  name text not null,
  name_pinyin text not null default ''::text,
  org_id bigint not null,
  manager_id bigint,
  gender text not null default 'UK'::text,
  phone text,
  email text,
  avatar text,
  language text,
  preference jsonb not null default '{}'::jsonb,
  password_hash text not null,
  password_set_at timestamp with time zone not null default now(),
  must_change boolean not null default false,
  status text not null default 'ENABLED'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint staff_pkey PRIMARY KEY (id),
  constraint staff_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES staff(id),
  constraint staff_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint staff_account_check CHECK (((account = lower(account)) AND ((length(account) >= 2) AND (length(account) <= 50)))),
  constraint staff_gender_check CHECK ((gender = ANY (ARRAY['F'::text, 'M'::text, 'UK'::text]))),
  constraint staff_language_check CHECK ((language = ANY (ARRAY['zh-CN'::text, 'zh-TW'::text, 'en-US'::text, 'pt-BR'::text]))),
  constraint staff_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint staff_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text])))
);
CREATE UNIQUE INDEX staff_account ON public.staff USING btree (account);
CREATE INDEX staff_manager ON public.staff USING btree (manager_id);
CREATE INDEX staff_name ON public.staff USING btree (name text_pattern_ops);
CREATE INDEX staff_name_pinyin ON public.staff USING btree (name_pinyin text_pattern_ops);
CREATE INDEX staff_org ON public.staff USING btree (org_id);

create table staff_role (
  staff_id bigint not null,
  role_id bigint not null,
  constraint staff_role_pkey PRIMARY KEY (staff_id, role_id),
  constraint staff_role_role_id_fkey FOREIGN KEY (role_id) REFERENCES role(id),
  constraint staff_role_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
CREATE INDEX staff_role_role ON public.staff_role USING btree (role_id);

create table task (
  id bigint generated always as identity not null,
  kind text not null,
  title text not null,
  owner_id bigint not null,
  state text not null default 'WAITING'::text,
  done_rows integer not null default 0,
  all_rows integer not null default 0,
  request jsonb not null,
  file_id uuid,
  error text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  heartbeat_at timestamp with time zone,
  attempts integer not null default 0,
  constraint task_pkey PRIMARY KEY (id),
  constraint task_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint task_kind_check CHECK ((kind = 'EXPORT'::text)),
  constraint task_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE INDEX task_owner ON public.task USING btree (owner_id, id);
CREATE INDEX task_waiting ON public.task USING btree (id) WHERE (state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text]));
