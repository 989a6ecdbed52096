-- A line may take another one back, and each is taken back once at most, however many press at the same moment.
alter table operation_log add column undoes bigint references operation_log (id);
create unique index operation_log_undoes on operation_log (undoes) where undoes is not null;
