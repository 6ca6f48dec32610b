#!/bin/sh
# Backups of PostgreSQL by pg_dump, in the custom format: the newest 7, and of older ones the first of each of 4 weeks
# and of 6 months. `backup.sh once` makes one; `backup.sh nightly` makes one a day at BACKUP_AT (UTC) and never ends.
# PGHOST, PGUSER, PGDATABASE and PGPASSWORD say of which database. Restore: pg_restore --clean --if-exists -d NAME FILE.
set -eu
umask 077
folder="${BACKUP_DIR:?BACKUP_DIR is the folder of the backups}"
at="${BACKUP_AT:-03:00}"

once() {
  now="${BACKUP_NOW:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}"
  name="tapewire-$(date -u -d "$now" +%Y%m%dT%H%M%SZ).dump"
  mkdir -p "$folder/daily" "$folder/weekly" "$folder/monthly"
  # A dump has its name only when it is whole: pg_dump ended well, and pg_restore can read its list.
  rm -f "$folder"/daily/*.part
  pg_dump --format=custom --file="$folder/daily/$name.part"
  pg_restore --list "$folder/daily/$name.part" >/dev/null
  mv "$folder/daily/$name.part" "$folder/daily/$name"
  keep_first weekly "$(date -u -d "$now" +%G-W%V)"
  keep_first monthly "$(date -u -d "$now" +%Y-%m)"
  prune daily 7
  prune weekly 4
  prune monthly 6
  echo "$folder/daily/$name: $(wc -c <"$folder/daily/$name") bytes"
}

# The file is the same one, by a hard link, so it takes no room twice.
keep_first() {
  kept="$folder/$1/tapewire-$2.dump"
  [ -e "$kept" ] || ln "$folder/daily/$name" "$kept"
}

# Names sort by time.
prune() {
  ls "$folder/$1" | grep '^tapewire-.*\.dump$' | sort -r | tail -n "+$(($2 + 1))" | while read -r old; do
    rm -f "$folder/$1/$old"
  done
}

nightly() {
  trap 'exit 0' TERM INT
  while true; do
    next=$(date -u -d "today $at" +%s)
    [ "$next" -gt "$(date -u +%s)" ] || next=$(date -u -d "tomorrow $at" +%s)
    sleep "$((next - $(date -u +%s)))" &
    wait $!
    # A failed night is told, and the next one is tried. A shell ignores `set -e` on the left of ||, so `once` has its own.
    sh "$0" once || echo "the backup failed" >&2
  done
}

case "${1:-}" in
once) once ;;
nightly) nightly ;;
*)
  echo "usage: BACKUP_DIR=FOLDER $0 once|nightly" >&2
  exit 2
  ;;
esac
