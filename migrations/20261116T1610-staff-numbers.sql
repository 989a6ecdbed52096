-- What people call a colleague by on paper. Made of the id: given once, never twice, and nobody counts.
alter table staff
  add column staff_no text not null generated always as ('S' || lpad(id::text, greatest(5, length(id::text)), '0')) stored
    check (length(staff_no) <= 20),
  add constraint staff_phone_length check (length(phone) <= 30),
  add constraint staff_email_length check (length(email) <= 100);
create unique index staff_number on staff (staff_no text_pattern_ops);
