-- What somebody holds of these levels leaves the place in the pool's capacity free.
alter table lead_pool add uncounted_levels text[] not null default '{}'
  constraint lead_pool_uncounted check (uncounted_levels <@ array['A', 'B', 'C', 'D']);
