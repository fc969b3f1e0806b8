"""Apps that want to pass without obeying: `python -m tests.exam.cheats NAME PORT` starts one."""
