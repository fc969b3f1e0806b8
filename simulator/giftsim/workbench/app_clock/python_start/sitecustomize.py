"""The clock of a Python process whose time follows a world: Python imports this when it starts, by PYTHONPATH (G478).

It replaces the functions that tell the wall clock's time, in the modules `time` and `datetime`, before the app imports
them; monotonic clocks and sleeps stay real. The time is in the file that libfaketime reads. It uses no library
and runs in any CPython; other Pythons get their time by libfaketime.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib.machinery import PathFinder

TYPE_CHECKING = False  # of `typing`, which an app may not need
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
NANO = 1_000_000_000
MICRO = 1_000
LONGEST = 64  # bytes in the file


def _go_on() -> None:
    """Import the sitecustomize that this one hides, if there is one."""
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != FOLDER]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = type(sys)("sitecustomize")
    module.__spec__, module.__file__, module.__loader__ = spec, spec.origin, spec.loader
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def _time_of(path: str) -> Callable[[], int]:
    """A function that reads the time from the file, as nanoseconds; the last one once the file is gone."""
    import time

    real, last = time.time_ns, [time.time_ns()]

    def time_ns() -> int:
        """The time of the world, in nanoseconds since 1970."""
        try:
            file = os.open(path, os.O_RDONLY)
            try:
                text = os.read(file, LONGEST)
            finally:
                os.close(file)
            seconds, _, fraction = text.partition(b".")
            at = int(seconds) * NANO + int(fraction.strip().ljust(9, b"0") or 0)
            last[0] = real() + at if text[:1] in b"+-" else at
        except (OSError, ValueError):
            pass
        return last[0]

    return time_ns


class Moved:
    """A function that stands for one written in C: a class that has it as a member does not make a method of it."""

    def __init__(self, original: Any, function: Callable[..., Any]) -> None:
        self.__wrapped__, self._function = original, function
        self.__name__, self.__doc__ = original.__name__, original.__doc__

    def __call__(self, *given: Any) -> Any:
        """Call the function."""
        return self._function(*given)


def _move_time(time_ns: Callable[[], int]) -> None:
    """Replace the functions of the module `time`."""
    import time

    clocks: Any = [getattr(time, name, None) for name in ("clock_gettime", "clock_gettime_ns")]  # not on Windows
    wall, gmtime, localtime = getattr(time, "CLOCK_REALTIME", None), time.gmtime, time.localtime
    ctime, asctime, strftime = time.ctime, time.asctime, time.strftime

    def seconds(moment: float | None) -> float:
        return time_ns() // NANO if moment is None else moment

    moved: dict[str, Callable[..., Any]] = {
        "time": lambda: time_ns() / NANO,
        "time_ns": time_ns,
        "gmtime": lambda moment=None: gmtime(seconds(moment)),
        "localtime": lambda moment=None: localtime(seconds(moment)),
        "ctime": lambda moment=None: ctime(seconds(moment)),
        "asctime": lambda *parts: asctime(*(parts or (localtime(seconds(None)),))),
        "strftime": lambda form, *parts: strftime(form, *(parts or (localtime(seconds(None)),))),
        "clock_gettime": lambda clock: time_ns() / NANO if clock == wall else clocks[0](clock),
        "clock_gettime_ns": lambda clock: time_ns() if clock == wall else clocks[1](clock),
    }
    for name, function in moved.items():
        if hasattr(time, name):
            setattr(time, name, Moved(getattr(time, name), function))


def _keep_sleep() -> None:
    """Keep `time.sleep` real where libfaketime is loaded too, which refuses a sleep until a monotonic instant."""
    if "faketime" not in os.environ.get("LD_PRELOAD", ""):
        return
    import select
    import time

    def sleep(seconds: float) -> None:
        """Wait for real seconds."""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        select.select((), (), (), seconds)

    for name, function in {"sleep": sleep}.items():
        setattr(time, name, Moved(getattr(time, name), function))


def _move_datetime(time_ns: Callable[[], int]) -> None:
    """Replace `now` and `utcnow` of the class datetime itself, which stays the class that C code knows."""
    import datetime

    utc = datetime.timezone.utc

    def now(cls: Any, tz: Any = None) -> Any:
        """Return the time of the world, in `tz` or in local time without a time zone."""
        moment = time_ns()
        return cls.fromtimestamp(moment // NANO, tz).replace(microsecond=moment % NANO // MICRO)

    def utcnow(cls: Any) -> Any:
        """Return the time of the world in UTC, without a time zone."""
        return now(cls, utc).replace(tzinfo=None)

    (members,) = [each for each in gc.get_referents(datetime.datetime.__dict__) if isinstance(each, dict)]
    members["now"], members["utcnow"] = classmethod(now), classmethod(utcnow)


def _start() -> None:
    path = os.environ.get("GIFTSIM_APP_CLOCK_FILE")
    if path and sys.implementation.name == "cpython":
        time_ns = _time_of(path)
        _move_time(time_ns)
        _keep_sleep()
        _move_datetime(time_ns)


_start()
_go_on()
