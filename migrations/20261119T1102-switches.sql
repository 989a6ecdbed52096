-- Something that is on or off is a setting too.
alter table setting_change drop constraint setting_change_unit_check;
alter table setting_change add constraint setting_change_unit_check
  check (unit in ('days', 'percent', 'fen', 'coins', 'coupons', 'hour', 'switch'));
