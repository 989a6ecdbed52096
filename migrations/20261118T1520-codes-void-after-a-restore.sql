-- Since when no recovery code of a person opens anything, because the console was restored: until new ones are made.
alter table second_factor add codes_void_at timestamptz;
