-- A hidden work was left excellent, and nobody could take that away.
update work set is_excellent = false, version = version + 1 where status = 'HIDDEN' and is_excellent;
