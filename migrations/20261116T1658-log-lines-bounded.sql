-- What a screen shows has bounds; nothing that is logged comes near them.
alter table operation_log
  add constraint operation_log_page check (length(page) <= 100),
  add constraint operation_log_action check (length(action) <= 100),
  add constraint operation_log_actor_name check (length(actor_name) <= 100),
  add constraint operation_log_address check (length(address) <= 100),
  add constraint operation_log_request_id check (length(request_id) <= 200),
  add constraint operation_log_reason check (length(reason) <= 2000);
