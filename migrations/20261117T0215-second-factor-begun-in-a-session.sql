-- What one session began, another does not confirm. What was begun without one is begun anew.
delete from second_factor_begun;
alter table second_factor_begun add column session_id bigint not null references session (id) on delete cascade;
