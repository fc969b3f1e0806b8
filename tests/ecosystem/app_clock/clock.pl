# For each line: the wall clock before and after a real wait, and how long that was.
use strict;
use warnings;
use Time::HiRes qw(time clock_gettime CLOCK_MONOTONIC);
$| = 1;
while (<STDIN>) {
    my ($begun, $before) = (clock_gettime(CLOCK_MONOTONIC), time);
    select(undef, undef, undef, 0.1);
    printf "%d %d %d\n", $before * 1000 + 0.5, time() * 1000 + 0.5, (clock_gettime(CLOCK_MONOTONIC) - $begun) * 1000;
}
