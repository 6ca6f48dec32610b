-- Stores the new items of a batch, with what goes with them, and moves the head of the log. A function because a
-- connection keeps its plan after some calls: to plan the statement takes as long as to run it for one item. Whoever
-- changes it makes one of another name: processes of the version before go on calling this one.
create function store_batch(new_items json, new_sketches json, term_counts json, new_aliases json) returns void
language plpgsql as $$
begin
  with r as materialized (
    select * from json_to_recordset(new_items) as r (
      seq bigint, id uuid, unique_id text, published_at timestamptz, scraped_at timestamptz, actionable boolean,
      sentiment smallint, terms int[], copy boolean, doc text, detail text, body text, source_id text,
      content_key text, model text, model_version text, scored_at timestamptz, verdict json)
  ), keyed as (
    insert into item_keys (id, seq, unique_id, published_at, source_id, content_key)
    select id, seq, unique_id, published_at, source_id, content_key from r
  ), listed as (
    insert into items (seq, id, published_at, scraped_at, actionable, sentiment, terms, copy)
    select seq, id, published_at, scraped_at, actionable, sentiment, terms, copy from r
  ), told as (
    insert into item_bodies (id, published_at, doc, detail, body) select id, published_at, doc, detail, body from r
  ), scored as (
    insert into scores (item_id, published_at, model, model_version, scored_at, verdict)
    select id, published_at, model, model_version, scored_at, verdict from r where model is not null
  ), sketched as (
    insert into story_sketches (seq, id, seen_at, sketch)
    select seq, id, seen_at, sketch
    from json_to_recordset(new_sketches) as s (seq bigint, id uuid, seen_at timestamptz, sketch json)
  ), counted as (
    update terms t set count = t.count + c.count, latest_at = greatest(t.latest_at, c.latest_at)
    from json_to_recordset(term_counts) as c (id int, count bigint, latest_at timestamptz)
    where t.id = c.id
  ), named as (
    insert into item_aliases (alias, item_id)
    select alias, item_id from json_to_recordset(new_aliases) as a (alias text, item_id uuid)
  )
  update log_head set last_seq = (select max(seq) from r) where exists (select from r);
end
$$;
