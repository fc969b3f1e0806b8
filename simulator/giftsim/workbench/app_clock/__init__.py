"""The time of an app in other processes, which follows a world: what moves it, per runtime."""
