-- compatible_from: 23
-- The embedded database's directory is named by the birth of a file, no longer by its last change, which chown and chmod set.
-- A log that is where the former name says keeps its epoch; PostgreSQL has neither setting.
update log_head set home = log_home()
  where home = regexp_replace(log_home(), '[^/]*$', nullif(current_setting('tapewire.directory_by_change', true), ''));
