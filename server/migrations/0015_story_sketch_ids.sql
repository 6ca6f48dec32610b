-- A revision replaces the sketch of its item: without an index every one reads all 20,000 of them.
create index story_sketches_id on story_sketches (id);
