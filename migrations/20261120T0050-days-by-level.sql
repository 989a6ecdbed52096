-- A pool may take back what looks likely to buy later, or sooner, than the rest: other days without contact by level.
alter table lead_pool
  add no_contact_days_a int check (no_contact_days_a between 1 and 365),
  add no_contact_days_b int check (no_contact_days_b between 1 and 365),
  add no_contact_days_c int check (no_contact_days_c between 1 and 365),
  add no_contact_days_d int check (no_contact_days_d between 1 and 365);
