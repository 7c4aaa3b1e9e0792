"""Pools of processes."""
