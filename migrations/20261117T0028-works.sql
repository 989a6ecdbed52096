-- What pupils hand in, and what teachers say of it.
create table work (
  id              bigint generated always as identity primary key,
  no              text not null unique check (length(no) <= 64),
  opus_id         text not null check (length(opus_id) <= 64),
  member_id       bigint not null references member (id),
  kind            text not null check (kind in ('HOMEWORK', 'PRACTICE', 'POSTURE', 'GRIP', 'COPYBOOK')),
  lesson          text not null check (length(lesson) <= 100),
  attempt         int not null default 1 check (attempt > 0),
  -- The attempt before this one at the same.
  before_id       bigint references work (id),
  characters      text check (length(characters) <= 200),
  character_count int not null default 0 check (character_count >= 0),
  picture         uuid[] not null default '{}',
  status          text not null default 'SUBMITTED'
    check (status in ('SUBMITTED', 'LEASED', 'COMMENTED', 'RELEASED', 'RETURNED', 'HIDDEN')),
  -- Whoever has it on the desk, and until when nobody else gets it.
  holder_id       bigint references staff (id),
  leased_until    timestamptz,
  -- Whom it was handed to: nobody else is given it.
  assignee_id     bigint references staff (id),
  score           int check (score between 0 and 100),
  commenter_id    bigint references staff (id),
  commented_at    timestamptz,
  returned_for    text check (length(returned_for) <= 200),
  review          text not null default 'NONE' check (review in ('NONE', 'DUE', 'PASSED', 'OVERTURNED')),
  is_excellent    boolean not null default false,
  reward_coins    int not null default 0 check (reward_coins >= 0),
  submitted_at    timestamptz not null,
  owner_id        bigint references staff (id),
  org_id          bigint references org (id),
  teacher_id      bigint references staff (id),
  version         int not null default 1,
  constraint work_held check ((status = 'LEASED') = (holder_id is not null) and (holder_id is null) = (leased_until is null)),
  constraint work_judged check (status not in ('COMMENTED', 'RELEASED') or (score is not null and commenter_id is not null and commented_at is not null)),
  constraint work_returned check ((status = 'RETURNED') <= (returned_for is not null))
);
create unique index work_same on work (member_id, opus_id);
create index work_member on work (member_id, submitted_at, id);
create index work_no on work (no text_pattern_ops, id);
create index work_kind on work (kind, submitted_at, id);
create index work_lesson on work (lesson text_pattern_ops, id);
create index work_attempt on work (attempt, id);
create index work_characters on work (character_count, id);
create index work_status on work (status, submitted_at, id);
create index work_score on work (score, id);
create index work_holder on work (holder_id, leased_until, id);
create index work_assignee on work (assignee_id, submitted_at, id);
create index work_commenter on work (commenter_id, commented_at, id);
create index work_review on work (review, submitted_at, id);
create index work_excellent on work (is_excellent, submitted_at, id);
create index work_submitted on work (submitted_at, id);
create index work_owner on work (owner_id, submitted_at, id);
create index work_org on work (org_id, submitted_at, id);
create index work_teacher on work (teacher_id, submitted_at, id);
-- What is given out next: the oldest of a teacher's pupils, the oldest of anybody's.
create index work_next_of on work (teacher_id, submitted_at, id) where status = 'SUBMITTED';
create index work_next on work (submitted_at, id) where status = 'SUBMITTED';
create index work_leases on work (leased_until) where status = 'LEASED';
create index work_to_release on work (commented_at) where status = 'COMMENTED';
create index work_before on work (before_id);
select start_keeping_count('work', 'status', 'owned', 'teacher_id');

create table work_comment (
  id         bigint generated always as identity primary key,
  work_id    bigint not null references work (id),
  staff_id   bigint not null references staff (id),
  at         timestamptz not null,
  status     text not null check (status in ('HELD', 'RELEASED', 'TAKEN_BACK', 'OVERTURNED')),
  -- Drawn in the picture's own coordinates.
  marks      jsonb not null,
  scores     jsonb not null,
  score      int not null check (score between 0 and 100),
  words      text not null check (length(words) <= 2000)
);
create index work_comment_work on work_comment (work_id, id);
create unique index work_comment_one on work_comment (work_id) where status in ('HELD', 'RELEASED');
