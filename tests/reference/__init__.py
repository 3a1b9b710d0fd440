"""Slow plain-Python games written from the rule sheets alone, to check the package against."""
