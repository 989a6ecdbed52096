-- What an event said when it came, as a keyed hash: the payload is kept without phone numbers once it is applied, and a
-- sender that uses an id twice for two things must be told. Events stored before have none and are taken for repeated.
alter table inbox_event add column fingerprint text;
