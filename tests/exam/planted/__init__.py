"""Apps with one mistake each: `python -m tests.exam.planted NAME PORT` starts one."""
