"""Pools of processes: plain ones, and guarded ones with limits of time and memory for each item."""
