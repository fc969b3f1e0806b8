<?php
// For each line: the wall clock before and after a real wait, and how long that was.
while (fgets(STDIN) !== false) {
    [$begun, $before] = [hrtime(true), microtime(true)];
    usleep(100000);
    $after = new DateTimeImmutable();
    echo round($before * 1000), ' ', $after->format('Uv'), ' ', round((hrtime(true) - $begun) / 1e6), "\n";
}
