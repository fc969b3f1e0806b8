# For each line: the wall clock before and after a real wait. The shell has no other clock.
while read -r _; do
  before=$(date +%s%3N)
  sleep 0.1
  echo "$before $(date +%s%3N) 100"
done
