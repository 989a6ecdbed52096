-- A large upload comes in parts, so that one that broke off goes on where it ended, on whichever instance. The bytes of a part
-- lie with the files and are kept by no row of file: left alone, they are swept after a day, and this with them.
create table upload (
  id          uuid primary key default gen_random_uuid(),
  owner_id    bigint not null references staff (id),
  purpose     text not null,
  name        text not null check (length(name) between 1 and 255),
  bytes       int  not null check (bytes > 0),
  -- What it became: whoever did not hear the answer asks again and gets the same.
  file_id     uuid references file (id) on delete cascade,
  created_at  timestamptz not null
);
create index upload_begun on upload (created_at);
create index upload_file on upload (file_id);

create table upload_part (
  upload_id   uuid not null references upload (id) on delete cascade,
  -- Where it begins; parts follow one another without gap.
  at          int  not null check (at >= 0),
  bytes       int  not null check (bytes > 0),
  stored_id   uuid not null,
  primary key (upload_id, at)
);
