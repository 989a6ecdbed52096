-- A ticket for a socket lives for a minute and is asked for anew when it is gone: nobody waits until it is on disk, twice for each
-- socket that opens. After a crash of the database there are none.
alter table socket_ticket set unlogged;
