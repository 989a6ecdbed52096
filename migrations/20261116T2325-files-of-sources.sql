-- Pictures also come from the app and the platforms, signed; an event then names them.
alter table file alter column owner_id drop not null;
alter table file add column source text;
alter table file add constraint file_sender check ((owner_id is null) <> (source is null));
