-- What else stands on a member's page: tasks, words of consent, what is held of what was given, pauses, and who shares a name on WeChat.
select start_telling_of_member(of::regclass) from unnest(array['member_task', 'consent', 'entitlement_lot', 'entitlement_pause', 'member_identity']) of;
