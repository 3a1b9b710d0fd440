"""One module a question; each returns tidy frames of estimates."""
