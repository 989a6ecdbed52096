-- A campaign's words may be looked at by colleagues before they go out, and numbers that failed may be tried again.
alter table campaign add sampled_at timestamptz;
-- Each try is told once: the first, and those people asked for afterwards.
alter table campaign_number add attempt int not null default 1 check (attempt >= 1);
-- A sample goes to a colleague and has a member's name in it: it is forgotten with that member.
alter table message add words_of_id bigint references member (id);
create index message_words_of on message (words_of_id) where words_of_id is not null;
