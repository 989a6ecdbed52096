-- Where a member came from may be corrected by whoever may: what was entered first is kept, and that somebody has corrected it counts
-- before every touch.
alter table member
  add origin_corrected_at    timestamptz,
  add origin_corrected_by_id bigint references staff (id),
  add entered_source         text,
  add entered_channel        text,
  add constraint member_origin_corrected check (
    num_nulls(origin_corrected_at, origin_corrected_by_id, entered_source, entered_channel) in (0, 4));
create index member_origin_corrected_by on member (origin_corrected_by_id) where origin_corrected_by_id is not null;
