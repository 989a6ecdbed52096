-- What somebody did, the latest first: by the rows of that person, however few they are among all.
drop index lead_act_owner;
create index lead_act_owner on lead_act (owner_id, done_at, id);
