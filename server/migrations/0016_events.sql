-- Scores that lists are filtered by, 0..100; null: not scored. Events of items need no column: their kinds are terms.
alter table items add column conviction smallint, add column actionability_score smallint;

-- Reads the scores of items without them from their documents: items of versions before, and of dumps of those.
create function fill_item_scores() returns void language sql as $$
  update items i set
    conviction = (s.scoring->>'sentiment_conviction')::smallint,
    actionability_score = (s.scoring->>'actionability_score')::smallint
  from item_bodies b cross join lateral (select b.doc::json->'scoring' as scoring offset 0) s
  where b.id = i.id and b.published_at = i.published_at
    and i.conviction is null and i.actionability_score is null
    and (i.sentiment is not null or i.actionable is not null)
$$;
-- 200,000 items take 7 s so, and 45 s when the index follows every row.
drop index items_terms;
select fill_item_scores();
create index items_terms on items using gin (terms) with (fastupdate = off);

-- As in 0010, with the new columns. Processes of the version before do not give them, so that they are read from the
-- verdict then.
create or replace function store_batch(new_items json, new_sketches json, term_counts json, new_aliases json)
returns void language plpgsql as $$
begin
  with r as materialized (
    select * from json_to_recordset(new_items) as r (
      seq bigint, id uuid, unique_id text, published_at timestamptz, scraped_at timestamptz, actionable boolean,
      sentiment smallint, conviction smallint, actionability_score smallint, terms int[], copy boolean, doc text,
      detail text, body text, source_id text, content_key text, model text, model_version text, scored_at timestamptz,
      verdict json)
  ), keyed as (
    insert into item_keys (id, seq, unique_id, published_at, source_id, content_key)
    select id, seq, unique_id, published_at, source_id, content_key from r
  ), listed as (
    insert into items (
      seq, id, published_at, scraped_at, actionable, sentiment, conviction, actionability_score, terms, copy)
    select seq, id, published_at, scraped_at, actionable, sentiment,
      coalesce(conviction, (verdict->'scoring'->>'sentiment_conviction')::smallint),
      coalesce(actionability_score, (verdict->'scoring'->>'actionability_score')::smallint), terms, copy
    from r
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
