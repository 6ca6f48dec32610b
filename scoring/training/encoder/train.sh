#!/bin/sh
# Makes scoring/model/encoder anew; see README.md. OUT keeps what is in between.
set -eu
cd "$(dirname "$0")/../../.."
here=scoring/training/encoder
out=${OUT:-/tmp/tapewire-encoder}
left_out="new-author-d new-author-g new-author-i"
mkdir -p "$out"
node $here/rows.ts "$out/rows.jsonl"
python $here/vocabulary.py "$out/rows.jsonl"
# shellcheck disable=SC2086
python $here/train.py "$out/rows.jsonl" "$out" --hold $left_out | tee "$out/log.txt"
cp "$out/log.txt" $here/log.txt
python $here/export.py "$out/encoder.pt" "$out/rows.jsonl" scoring/model/encoder
cp scoring/model/flash.json "$out/flash.json"
cp scoring/model/flash.json.sha256 "$out/flash.json.sha256"
trap 'cp "$out/flash.json" "$out/flash.json.sha256" scoring/model/' EXIT
node scoring/training/train.ts --quick --without "$(echo $left_out | tr ' ' ',')"
# shellcheck disable=SC2086
node $here/judged.ts "$out/judged.jsonl" $left_out
python $here/join.py "$out/held.jsonl" "$out/judged.jsonl" scoring/model/encoder/joint.json
