-- Whoever asked to be forgotten and never became a member, until the copies elsewhere are found: then this goes too.
create table lead_forgetting (
  phone    text primary key check (length(phone) <= 20),
  -- What the person was called.
  known    text[] not null,
  asked_at timestamptz not null
);
