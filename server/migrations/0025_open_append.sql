-- compatible_from: 23
-- Locks the head of the log and tells whose the identities of a batch are, in one round trip. Being volatile it sees, once it
-- has the lock, what its holder before committed. A function because a connection keeps its plan, as that of store_batch.
create function open_append(identities text[]) returns json
language plpgsql volatile as $$
declare
  head record;
  known json;
begin
  select epoch, last_seq, kept_since, coalesce(home = log_home(), true) as is_home into head from log_head for update;
  select json_agg(json_build_object('alias', a.alias, 'id', a.item_id, 'source_id', k.source_id,
    'stored', k.published_at >= coalesce(head.kept_since, '-infinity') is true, 'content_key', k.content_key))
    into known
    from item_aliases a left join item_keys k on k.id = a.item_id
    where a.alias = any(identities);
  return json_build_object('epoch', head.epoch, 'last_seq', head.last_seq, 'kept_since', head.kept_since,
    'is_home', head.is_home, 'known', coalesce(known, '[]'));
end
$$;
