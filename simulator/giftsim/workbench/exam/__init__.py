"""The exam: situations drawn from a seed in which an app shows whether it obeys the rules of the documents."""
