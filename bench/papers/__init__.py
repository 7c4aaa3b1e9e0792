"""The published methods: experiments of their papers repeated, and pictures of what they do."""
