#!/bin/sh
# Fills deploy/.env with secrets for compose.yaml, once. What is there already stays; --force makes all of them new.
set -eu
umask 077
file="${ENV_FILE:-$(dirname "$0")/.env}"
names="POSTGRES_PASSWORD TAPEWIRE_ADMIN_TOKEN TAPEWIRE_METRICS_TOKEN TAPEWIRE_SECRET GRAFANA_PASSWORD"

case "${1:-}" in
"" | --force) ;;
*)
  echo "usage: $0 [--force]" >&2
  exit 2
  ;;
esac

if [ "${1:-}" = --force ] && [ -f "$file" ]; then
  # A new TAPEWIRE_SECRET cannot read what the old one sealed, and PostgreSQL keeps the password of its first start.
  echo "warning: signing secrets of webhooks are lost, and the database keeps its old password (ALTER USER changes it)." >&2
  cp -p "$file" "$file.$(date -u +%Y%m%dT%H%M%SZ)"
  for name in $names; do sed -i "/^$name=/d" "$file"; done
fi

touch "$file"
chmod 600 "$file"
if [ -n "$(tail -c 1 "$file")" ]; then echo >>"$file"; fi
for name in $names; do
  if grep -q "^$name=." "$file"; then continue; fi
  sed -i "/^$name=/d" "$file"
  printf '%s=%s\n' "$name" "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')" >>"$file"
  echo "made $name"
done
echo "$file is complete. Keep a copy of it, TAPEWIRE_SECRET above all."
