"""What becomes of hostile pages, killed processes and sites where things go wrong."""
