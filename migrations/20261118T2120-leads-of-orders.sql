-- Whoever bought on a platform and is nobody here yet is a lead.
alter table lead drop constraint lead_came_by_check,
  add constraint lead_came_by_check check (came_by in ('REGISTRATION', 'IMPORT', 'FORM', 'PLATFORM_ORDER'));
