"""One test a rule clause, named after it."""
