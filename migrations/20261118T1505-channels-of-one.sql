-- Whoever comes by a channel was brought by one: a partner, who is paid for it, or a school teacher. Two who take the same one at once wait for each other.
create function channel_of_one() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('channel of one: ' || new.channel, 0));
  if exists (select from partner where channel = new.channel) and exists (select from school_teacher where channel = new.channel) then
    raise unique_violation using message = 'the channel brings people for a partner and for a school teacher', constraint = 'channel_of_one';
  end if;
  return null;
end $$;
create trigger channel_of_one after insert or update of channel on partner for each row execute function channel_of_one();
create trigger channel_of_one after insert or update of channel on school_teacher for each row execute function channel_of_one();
