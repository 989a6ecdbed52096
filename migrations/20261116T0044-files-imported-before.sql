-- The very same file again is told of, and rows of it that were imported are not imported twice.
alter table import_batch add column checksum text check (checksum ~ '^[0-9a-f]{64}$');
create index import_batch_checksum on import_batch (page, checksum) where checksum is not null;
